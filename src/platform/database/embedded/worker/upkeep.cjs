// @ts-check
'use strict';

/** How long a clean stop may take for upkeep; a table that is being vacuumed is finished. */
const STOP_BUDGET_MS = 3000;

/** The counts of the last second are not in the view yet. */
const FLUSH_COUNTS = 'select pg_stat_force_next_flush()';

/** The thresholds of a server's autovacuum; also a table whose old rows must be frozen. */
const DUE_TABLE = `
  select c.oid::regclass
    from pg_class c left join pg_stat_user_tables s on s.relid = c.oid
   where c.relkind in ('r', 't')
     and (s.n_mod_since_analyze > 50 + 0.1 * greatest(c.reltuples, 0)
       or s.n_dead_tup > 50 + 0.2 * greatest(c.reltuples, 0)
       or s.n_ins_since_vacuum > 1000 + 0.2 * greatest(c.reltuples, 0)
       or age(c.relfrozenxid) > 150000000)
   order by age(c.relfrozenxid) > 150000000 desc, s.n_mod_since_analyze desc nulls last
   limit 1`;

/** Does what a server's background processes do: PGlite has none. */
class Upkeep {
  /** @param {(sql: string) => (string | null)[][]} query Runs a statement; gives no rows if it fails. */
  constructor(query) {
    this.query = query;
    /** @type {string | null | undefined} */
    this.lastTable = undefined;
  }

  /**
   * One step, in no transaction: vacuums and analyzes one table, or at the end writes a checkpoint, so that
   * the write-ahead log stays short.
   * @returns {boolean} whether another step is due
   */
  step() {
    this.query(FLUSH_COUNTS);
    const table = this.query(DUE_TABLE)[0]?.[0];
    // A table that is still due after its turn cannot be vacuumed: the next round tries again.
    const isDue = table && table !== this.lastTable;
    this.lastTable = isDue ? table : undefined;
    this.query(isDue ? `vacuum (analyze) ${table}` : 'checkpoint');
    return Boolean(isDue);
  }

  /** Before a clean stop: PostgreSQL forgets its counts of changes with it. */
  finish() {
    const end = performance.now() + STOP_BUDGET_MS;
    while (this.step() && performance.now() < end);
  }
}

module.exports = { Upkeep };
