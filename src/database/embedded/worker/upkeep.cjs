// @ts-check
'use strict';

/** A start after a crash replays the log since the last checkpoint: this much at most, roughly (bytes). */
const CHECKPOINT_LOG_BYTES = 32 * 1024 * 1024;

/** What is written waits so long at most for a checkpoint (ms). */
const CHECKPOINT_INTERVAL_MS = 5 * 60_000;

/** How many groups between two times of upkeep still count as a quiet moment. */
const QUIET_GROUPS = 100;

/** A table that needs cleaning waits so long at most for a quiet moment (ms). */
const LONGEST_WAIT_MS = 10 * 60_000;

/** How long a clean stop may take for it (ms); a table that is being cleaned is finished. */
const STOP_BUDGET_MS = 3000;

/** The thresholds that a server's autovacuum has by default. */
const TABLES_TO_ANALYZE = `
  select relid::regclass
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
   where n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)`;
const TABLE_TO_VACUUM = `
  select relid::regclass
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid
   where n_dead_tup > 50 + 0.2 * greatest(reltuples, 0)
      or n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0)
   order by n_dead_tup + n_ins_since_vacuum desc
   limit 1`;

/** Transaction numbers come round after two thousand million: old rows are marked as older than all. */
const TABLE_TO_FREEZE = `
  select oid::regclass from pg_class
   where relkind in ('r', 't') and age(relfrozenxid) > 50000000
   order by age(relfrozenxid) desc
   limit 1`;

/** What has changed at all since it was last looked at. */
const CHANGED_TABLES = `
  select relid::regclass from pg_stat_user_tables
   where n_mod_since_analyze + n_dead_tup + n_ins_since_vacuum > 0
   order by n_mod_since_analyze + n_dead_tup + n_ins_since_vacuum desc`;

/** What a server's background processes would do. */
class Upkeep {
  /**
   * @param {(sql: string) => (string | null)[][]} ask Runs a statement, gives its rows; none when it fails.
   * @param {() => number} now Milliseconds of a monotonic clock.
   */
  constructor(ask, now) {
    this.ask = ask;
    this.now = now;
    this.checkpoint = '0/0';
    this.writtenAt = now();
    this.noteCheckpoint();
    this.cleanedAt = now();
  }

  /**
   * A checkpoint when the log has grown (so that a start after a crash is short and the log does not grow
   * without end) or is old, statistics for tables that have changed, and clean pages, one table at a time: in
   * a quiet moment, or when none comes. Each step runs one heavy statement at most, in no transaction.
   * @param {number} groups how many were run since last
   * @returns {Generator<void, boolean>} at its end whether something is left to do
   */
  *lookAfter(groups) {
    const hasUnwritten = this.writeDown();
    for (const [table] of this.ask(TABLES_TO_ANALYZE)) {
      yield;
      this.ask(`analyze ${table}`);
    }
    if (groups > QUIET_GROUPS && this.now() - this.cleanedAt < LONGEST_WAIT_MS) return true;
    yield;
    return this.clean() || hasUnwritten;
  }

  /** Before a clean stop. PostgreSQL's counts of changes end with it, so nothing is left for later. */
  finish() {
    const end = this.now() + STOP_BUDGET_MS;
    // The counts of the last second are not in the view yet.
    this.ask('select pg_stat_force_next_flush()');
    for (const [table] of this.ask(CHANGED_TABLES)) {
      if (this.now() >= end) return;
      this.ask(`vacuum (analyze) ${table}`);
    }
    while (this.now() < end && this.freeze());
  }

  /** @returns {boolean} whether something is still to be written */
  writeDown() {
    const [row] = this.ask(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '${this.checkpoint}')`);
    const grown = Number(row?.[0] ?? 0);
    if (!(grown > 0)) return false;
    if (grown < CHECKPOINT_LOG_BYTES && this.now() - this.writtenAt < CHECKPOINT_INTERVAL_MS) return true;
    this.ask('checkpoint');
    this.noteCheckpoint();
    return false;
  }

  /** @returns {boolean} whether there was a table to clean */
  clean() {
    this.cleanedAt = this.now();
    const table = this.ask(TABLE_TO_VACUUM)[0]?.[0];
    if (table) this.ask(`vacuum (analyze) ${table}`);
    return table !== undefined || this.freeze();
  }

  /** @returns {boolean} whether there was a table with old rows */
  freeze() {
    const table = this.ask(TABLE_TO_FREEZE)[0]?.[0];
    if (table) this.ask(`vacuum (freeze, analyze) ${table}`);
    return table !== undefined;
  }

  noteCheckpoint() {
    this.checkpoint = this.ask('select pg_current_wal_lsn()')[0]?.[0] ?? '0/0';
    this.writtenAt = this.now();
  }
}

module.exports = {
  CHECKPOINT_INTERVAL_MS,
  CHECKPOINT_LOG_BYTES,
  LONGEST_WAIT_MS,
  QUIET_GROUPS,
  STOP_BUDGET_MS,
  Upkeep,
};
