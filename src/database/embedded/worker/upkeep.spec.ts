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
  const all: string[] = [];
  const ask = (sql: string): (string | null)[][] => {
    all.push(sql);
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
  return { upkeep, lookAfter, asked, all, time };
}

describe('Upkeep', () => {
  it('keeps to its amounts and times', () => {
    expect({
      CHECKPOINT_INTERVAL_MS,
      CHECKPOINT_LOG_BYTES,
      LONGEST_WAIT_MS,
      QUIET_GROUPS,
      STOP_BUDGET_MS,
    }).toEqual({
      CHECKPOINT_INTERVAL_MS: 300_000,
      CHECKPOINT_LOG_BYTES: 33_554_432,
      LONGEST_WAIT_MS: 600_000,
      QUIET_GROUPS: 100,
      STOP_BUDGET_MS: 3000,
    });
  });

  it('looks for tables by the thresholds of a server, for the oldest rows, and for the busiest table', () => {
    const { lookAfter, all } = databaseWith({});
    lookAfter(0);
    const texts = all.map((sql) => sql.replaceAll(/\s+/g, ' ').trim());
    const of = 'from pg_stat_user_tables s join pg_class c on c.oid = s.relid';
    expect(texts.slice(2)).toEqual([
      `select relid::regclass ${of} where n_mod_since_analyze > 50 + 0.1 * greatest(reltuples, 0)`,
      `select relid::regclass ${of} where n_dead_tup > 50 + 0.2 * greatest(reltuples, 0) ` +
        'or n_ins_since_vacuum > 1000 + 0.2 * greatest(reltuples, 0) ' +
        'order by n_dead_tup + n_ins_since_vacuum desc limit 1',
      "select oid::regclass from pg_class where relkind in ('r', 't') and age(relfrozenxid) > 50000000 " +
        'order by age(relfrozenxid) desc limit 1',
    ]);
  });

  it.each([
    ['the last checkpoint', [['0/1'], ['0/2']], ['0/1', '0/1', '0/2']],
    ['the beginning, where nothing is known of it', [], ['0/0', '0/0', '0/0']],
  ])('measures the log from %s', (_, positions, expected) => {
    const measured: string[] = [];
    const left = [...positions];
    const upkeep = new Upkeep(
      (sql) => {
        const [, from] = /pg_wal_lsn_diff\(pg_current_wal_lsn\(\), '(.*)'\)/.exec(sql) ?? [];
        if (from) return [[String(measured.push(from) === 2 ? CHECKPOINT_LOG_BYTES : 1)]];
        return sql.startsWith('select pg_current_wal_lsn') && left.length > 0 ? [left.shift()!] : [];
      },
      () => 0,
    );
    for (let look = 0; look < 3; look += 1) upkeep.writeDown();
    expect(measured).toEqual(expected);
  });

  it('has nothing to write where the log cannot be asked for', () => {
    const asked: string[] = [];
    const upkeep = new Upkeep(
      (sql) => {
        asked.push(sql);
        return [];
      },
      () => asked.length * CHECKPOINT_INTERVAL_MS,
    );
    expect(upkeep.writeDown()).toBe(false);
    expect(asked).not.toContain('checkpoint');
  });

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
    const { upkeep, asked, all } = databaseWith({ changed: ['a', 'b'], freeze: ['old', 'older'] });
    all.length = 0;
    upkeep.finish();
    // The counts of the last second come first.
    expect(all.slice(0, 2).map((sql) => sql.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'select pg_stat_force_next_flush()',
      'select relid::regclass from pg_stat_user_tables where n_mod_since_analyze + n_dead_tup + n_ins_since_vacuum > 0 ' +
        'order by n_mod_since_analyze + n_dead_tup + n_ins_since_vacuum desc',
    ]);
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
    const old = databaseWith({ freeze: ['old', 'older', 'oldest'], takes: STOP_BUDGET_MS / 2 });
    old.upkeep.finish();
    expect(old.asked).toEqual(['vacuum (freeze, analyze) old', 'vacuum (freeze, analyze) older']);
  });

  it('does not wait for quiet moments again at once after one', () => {
    const { lookAfter, asked, time } = databaseWith({ vacuum: ['t', 'u'] });
    time.now += LONGEST_WAIT_MS - 1;
    lookAfter(0);
    time.now += 1;
    lookAfter(QUIET_GROUPS + 1);
    expect(asked).toEqual(['vacuum (analyze) t']);
  });
});
