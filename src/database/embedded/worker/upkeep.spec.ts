import { CHECKPOINT_LOG_BYTES, QUIET_GROUPS, upkeepOf } from './upkeep.cjs';

/** A database whose log has grown by so many bytes since any position, with tables that need something. */
function databaseWith(state: { grown?: number; analyze?: string[]; vacuum?: string[] }) {
  const asked: string[] = [];
  const ask = (sql: string): (string | null)[][] => {
    if (sql.includes('pg_wal_lsn_diff')) {
      asked.push(/'(.*)'/.exec(sql)![1]!);
      return [[String(state.grown ?? 0)]];
    }
    if (sql.includes('n_mod_since_analyze')) return (state.analyze ?? []).map((table) => [table]);
    if (sql.includes('n_dead_tup')) return (state.vacuum ?? []).map((table) => [table]);
    if (sql.startsWith('select pg_current_wal_lsn')) return [[`0/${asked.length}`]];
    asked.push(sql);
    return [];
  };
  return { upkeep: upkeepOf(ask), asked };
}

describe('upkeepOf', () => {
  it('makes a checkpoint when the log has grown enough, and counts from there', () => {
    const state = { grown: CHECKPOINT_LOG_BYTES };
    const { upkeep, asked } = databaseWith(state);
    upkeep(1);
    state.grown = CHECKPOINT_LOG_BYTES - 1;
    upkeep(1);
    expect(asked).toEqual(['0/0', 'checkpoint', '0/2']);
  });

  it('analyses every table that has changed', () => {
    const { upkeep, asked } = databaseWith({ analyze: ['a', 'b'] });
    upkeep(QUIET_GROUPS + 1);
    expect(asked.slice(1)).toEqual(['analyze a', 'analyze b']);
  });

  it('cleans a table in a quiet moment only', () => {
    const { upkeep, asked } = databaseWith({ vacuum: ['t'] });
    upkeep(QUIET_GROUPS + 1);
    expect(asked.slice(1)).toEqual([]);
    upkeep(QUIET_GROUPS);
    expect(asked.slice(2)).toEqual(['vacuum (analyze) t']);
  });
});
