// @ts-check
'use strict';

/** A start after a crash replays the log since the last checkpoint: this much at most, roughly (bytes). */
const CHECKPOINT_LOG_BYTES = 32 * 1024 * 1024;

/** How many groups between two times of upkeep still count as a quiet moment. */
const QUIET_GROUPS = 100;

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

/**
 * What a server's background processes would do: a checkpoint when the log has grown (so that a start after a
 * crash is short and the log does not grow without end), statistics for tables that have changed, and in
 * quiet moments clean pages, one table at a time.
 * @param {(sql: string) => (string | null)[][]} ask Runs a statement, gives its rows; none when it fails.
 * @returns {(groups: number) => void} called in no transaction, with the number of groups since last
 */
function upkeepOf(ask) {
  const position = () => ask('select pg_current_wal_lsn()')[0]?.[0] ?? '0/0';
  let checkpoint = position();
  return (groups) => {
    const [[grown] = []] = ask(`select pg_wal_lsn_diff(pg_current_wal_lsn(), '${checkpoint}')`);
    if (Number(grown) >= CHECKPOINT_LOG_BYTES) {
      ask('checkpoint');
      checkpoint = position();
    }
    for (const [table] of ask(TABLES_TO_ANALYZE)) ask(`analyze ${table}`);
    if (groups > QUIET_GROUPS) return;
    for (const [table] of ask(TABLE_TO_VACUUM)) ask(`vacuum (analyze) ${table}`);
  };
}

module.exports = { CHECKPOINT_LOG_BYTES, QUIET_GROUPS, upkeepOf };
