import {
  CHECKPOINT_INTERVAL_MS,
  CHECKPOINT_LOG_BYTES,
  LONGEST_WAIT_MS,
  QUIET_GROUPS,
  STOP_BUDGET_MS,
  Upkeep,
} from './upkeep.cjs';

interface State {
  /** Bytes of log since any position. */
  grown?: number;
  analyze?: string[];
  vacuum?: string[];
  freeze?: string[];
  changed?: string[];
  /** What each statement of upkeep itself takes, in milliseconds. */
  takes?: number;
}

/** A database in this state; what is cleaned is no longer in it. */
function databaseWith(state: State) {
  const time = { now: 1000 };
  const asked: string[] = [];
  const first = (tables: string[] | undefined) => (tables ?? []).slice(0, 1).map((table) => [table]);
  const ask = (sql: string): (string | null)[][] => {
    if (sql.includes('pg_wal_lsn_diff')) return [[String(state.grown ?? 0)]];
    if (sql.startsWith('select pg_current_wal_lsn')) return [['0/1']];
    if (sql.includes('reltuples') && sql.includes('n_dead_tup')) return first(state.vacuum);
    if (sql.includes('reltuples')) return (state.analyze ?? []).map((table) => [table]);
    if (sql.includes('relfrozenxid')) return first(state.freeze);
    if (sql.includes('n_mod_since_analyze')) return (state.changed ?? []).map((table) => [table]);
    if (sql.includes('pg_stat_force_next_flush')) return [];
    asked.push(sql);
    time.now += state.takes ?? 0;
    const [, kind, table = ''] = /^vacuum \((freeze|analyze).*\) (.*)$/.exec(sql) ?? [];
    const list = kind === 'freeze' ? state.freeze : state.vacuum;
    list?.splice(0, list.length, ...list.filter((other) => other !== table));
    return [];
  };
  const upkeep = new Upkeep(ask, () => time.now);
  /** All steps at once. */
  const lookAfter = (groups: number): boolean => {
    const steps = upkeep.lookAfter(groups);
    for (;;) {
      const step = steps.next();
      if (step.done) return step.value;
    }
  };
  return { upkeep, lookAfter, asked, time };
}

describe('Upkeep', () => {
  it('makes a checkpoint when the log has grown enough', () => {
    const state = { grown: CHECKPOINT_LOG_BYTES - 1 };
    const { lookAfter, asked } = databaseWith(state);
    expect(lookAfter(1)).toBe(true);
    expect(asked).toEqual([]);
    state.grown = CHECKPOINT_LOG_BYTES;
    expect(lookAfter(1)).toBe(false);
    expect(asked).toEqual(['checkpoint']);
  });

  it('makes one when something was written a while ago, and counts from there', () => {
    const state = { grown: 1 };
    const { lookAfter, asked, time } = databaseWith(state);
    time.now += CHECKPOINT_INTERVAL_MS - 1;
    expect(lookAfter(1)).toBe(true);
    expect(asked).toEqual([]);
    time.now += 1;
    expect(lookAfter(1)).toBe(false);
    time.now += CHECKPOINT_INTERVAL_MS - 1;
    lookAfter(1);
    expect(asked).toEqual(['checkpoint']);
    state.grown = 0;
    time.now += CHECKPOINT_INTERVAL_MS;
    expect(lookAfter(1)).toBe(false);
    expect(asked).toEqual(['checkpoint']);
  });

  it('runs one heavy statement a step', () => {
    const { upkeep, asked } = databaseWith({
      grown: CHECKPOINT_LOG_BYTES,
      analyze: ['a', 'b'],
      vacuum: ['c'],
      freeze: ['d'],
    });
    const steps = upkeep.lookAfter(1);
    const heavy = Array.from({ length: 4 }, () => [steps.next().done, asked.length]);
    expect(heavy).toEqual([
      [false, 1],
      [false, 2],
      [false, 3],
      [true, 4],
    ]);
  });

  it('analyses every table that has changed, quiet or not', () => {
    const { lookAfter, asked } = databaseWith({ analyze: ['a', 'b'] });
    lookAfter(QUIET_GROUPS + 1);
    expect(asked).toEqual(['analyze a', 'analyze b']);
  });

  it('cleans one table at a time in quiet moments, and says when all is done', () => {
    const { lookAfter, asked } = databaseWith({ vacuum: ['t', 'u'] });
    expect(lookAfter(QUIET_GROUPS + 1)).toBe(true);
    expect(asked).toEqual([]);
    expect(lookAfter(QUIET_GROUPS)).toBe(true);
    expect(asked).toEqual(['vacuum (analyze) t']);
    expect(lookAfter(0)).toBe(true);
    expect(lookAfter(0)).toBe(false);
    expect(asked).toEqual(['vacuum (analyze) t', 'vacuum (analyze) u']);
  });

  it('does not wait for a quiet moment for ever', () => {
    const { lookAfter, asked, time } = databaseWith({ vacuum: ['t', 'u'] });
    time.now += LONGEST_WAIT_MS - 1;
    lookAfter(QUIET_GROUPS + 1);
    expect(asked).toEqual([]);
    time.now += 1;
    lookAfter(QUIET_GROUPS + 1);
    lookAfter(QUIET_GROUPS + 1);
    expect(asked).toEqual(['vacuum (analyze) t']);
  });

  it('freezes old rows when no table needs cleaning', () => {
    const { lookAfter, asked } = databaseWith({ vacuum: ['t'], freeze: ['old'] });
    expect([lookAfter(0), lookAfter(0), lookAfter(0)]).toEqual([true, true, false]);
    expect(asked).toEqual(['vacuum (analyze) t', 'vacuum (freeze, analyze) old']);
  });

  it('before a clean stop looks at all that has changed or is old', () => {
    const { upkeep, asked } = databaseWith({ changed: ['a', 'b'], freeze: ['old', 'older'] });
    upkeep.finish();
    expect(asked).toEqual([
      'vacuum (analyze) a',
      'vacuum (analyze) b',
      'vacuum (freeze, analyze) old',
      'vacuum (freeze, analyze) older',
    ]);
  });

  it('does not hold up the stop', () => {
    const { upkeep, asked } = databaseWith({
      changed: ['a', 'b', 'c'],
      freeze: ['old'],
      takes: STOP_BUDGET_MS / 2,
    });
    upkeep.finish();
    expect(asked).toEqual(['vacuum (analyze) a', 'vacuum (analyze) b']);
  });
});
