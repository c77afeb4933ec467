import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Database } from './database';

const STATEMENT = { text: 'SELECT 1' };
const OUT_OF_REACH = { status: 503, message: '数据库不可用' };

const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

interface Faults {
  connect?: Error;
  begin?: Error;
  query?: Error;
  commit?: Error;
  rollback?: Error;
}

/**
 * A database on a data source without a server, the steps of its transactions, and the statements it was
 * sent.
 */
function start(faults: Faults = {}) {
  const taken: string[] = [];
  const statements: {
    on: string;
    text: string;
    name?: string;
    values?: unknown[];
    query_timeout?: number;
  }[] = [];
  const take = (step: keyof Faults) => {
    taken.push(step);
    return faults[step] ? Promise.reject(faults[step]) : Promise.resolve();
  };
  const answer = (on: string) => (query: (typeof statements)[number]) => {
    statements.push({ ...query, on });
    const [ids] = query.values ?? [];
    return take('query').then(() => ({
      rows: Array.isArray(ids) ? ids.map((id: string) => ({ id, on })) : [{ on }],
    }));
  };
  let transactions = 0;
  const createQueryRunner = () => {
    transactions += 1;
    const on = `transaction ${transactions}`;
    const runner = {
      isTransactionActive: false,
      manager: { on },
      connect: () => take('connect').then(() => ({ query: answer(on) })),
      startTransaction: async () => {
        await take('begin');
        runner.isTransactionActive = true;
      },
      commitTransaction: async () => {
        await take('commit');
        runner.isTransactionActive = false;
      },
      rollbackTransaction: () => take('rollback'),
      release: () => {
        taken.push('release');
        return Promise.resolve();
      },
    };
    return runner;
  };
  const dataSource = {
    createQueryRunner,
    manager: { on: 'pool' },
    driver: { master: { query: answer('pool') } },
  };
  return { database: new Database(dataSource as unknown as DataSource), taken, statements };
}

const managerOf = (database: Database) =>
  database.orm((manager) => Promise.resolve((manager as unknown as { on: string }).on));

const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
const logs = jest.spyOn(Logger.prototype, 'log').mockImplementation();
beforeEach(() => jest.clearAllMocks());
afterAll(() => jest.restoreAllMocks());

describe('a statement', () => {
  it('goes to the pool with its name, values and patience, and answers with its rows', async () => {
    const { database, statements } = start();
    const values = Object.freeze([7]);
    const statement = { name: 'x', text: 'SELECT $1', patience: 3000 };
    expect(await database.query(statement, values)).toEqual([{ on: 'pool' }]);
    expect(statements).toEqual([
      { on: 'pool', name: 'x', text: 'SELECT $1', values: [7], query_timeout: 3000 },
    ]);
    // The driver writes into the list that it is handed.
    expect(statements[0]!.values).not.toBe(values);
  });

  it('that finds the database out of reach tells the log once, and once that it answers again', async () => {
    const faults: Faults = { query: failure('ECONNREFUSED') };
    const { database } = start(faults);
    await expect(database.query(STATEMENT)).rejects.toMatchObject(OUT_OF_REACH);
    await expect(database.query(STATEMENT)).rejects.toMatchObject(OUT_OF_REACH);
    expect(errors).toHaveBeenCalledTimes(1);
    delete faults.query;
    await database.query(STATEMENT);
    await database.query(STATEMENT);
    expect(logs).toHaveBeenCalledTimes(1);
  });

  it('of TypeORM goes to the pool too, and its errors get the same meaning', async () => {
    const { database } = start();
    expect(await managerOf(database)).toBe('pool');
    const broken = database.orm(() => Promise.reject(failure('23505', { constraint: 'uq_x' })));
    await expect(broken).rejects.toMatchObject({ name: 'ConstraintViolation', constraint: 'uq_x' });
    await expect(database.orm(() => Promise.reject(failure('57P01')))).rejects.toMatchObject(OUT_OF_REACH);
  });
});

describe('a read by id', () => {
  const READ = { name: 'read', text: 'SELECT id FROM t WHERE id = ANY ($1::uuid[])' };
  const OTHER = { name: 'other', text: 'SELECT id FROM u WHERE id = ANY ($1::uuid[])' };
  const A = '00000000-0000-4000-8000-00000000000a';
  const B = '00000000-0000-4000-8000-00000000000b';

  it('shares one statement with the others of its turn, and none with other statements', async () => {
    const { database, statements } = start();
    const rows = await Promise.all([
      database.findById(READ, A),
      database.findById(READ, B),
      database.findById(OTHER, A),
    ]);
    expect(rows.map((row) => row?.id)).toEqual([A, B, A]);
    expect(statements.map(({ on, name, values }) => ({ on, name, values }))).toEqual([
      { on: 'pool', name: 'read', values: [[A, B]] },
      { on: 'pool', name: 'other', values: [[A]] },
    ]);
  });

  it('knows an id in any case, and asks nothing for what is none', async () => {
    const { database, statements } = start();
    expect(await database.findById(READ, A.toUpperCase())).toMatchObject({ id: A });
    expect(await database.findById(READ, 'x')).toBeUndefined();
    expect(statements).toHaveLength(1);
  });

  it('in a transaction goes by itself on that transaction', async () => {
    const { database, statements } = start();
    await database.transaction(async () => {
      const rows = await Promise.all([database.findById(READ, A), database.findById(READ, B.toUpperCase())]);
      expect(rows).toEqual([
        { id: A, on: 'transaction 1' },
        { id: B, on: 'transaction 1' },
      ]);
    });
    expect(statements.map(({ values }) => values)).toEqual([[[A]], [[B]]]);
  });
});

describe('a transaction', () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();

  beforeEach(() => logged.mockClear());
  afterAll(() => logged.mockRestore());

  it('carries what is called in it, answers with what its work gives, and is released', async () => {
    const { database, taken, statements } = start();
    const result = await database.transaction(async () => {
      await database.query(STATEMENT);
      return managerOf(database);
    });
    expect(result).toBe('transaction 1');
    expect(taken).toEqual(['connect', 'begin', 'query', 'commit', 'release']);
    expect(statements.map(({ on }) => on)).toEqual(['transaction 1']);
    expect(await database.query(STATEMENT)).toEqual([{ on: 'pool' }]);
  });

  it('inside a transaction is the same one: one beginning, one end', async () => {
    const { database, taken } = start();
    const inner = await database.transaction(() => database.transaction(() => managerOf(database)));
    expect(inner).toBe('transaction 1');
    expect(taken).toEqual(['connect', 'begin', 'commit', 'release']);
  });

  it('inside a transaction undoes both when it fails', async () => {
    const { database, taken } = start();
    const error = failure('23505');
    const work = () => database.transaction(() => Promise.reject(error));
    await expect(database.transaction(work)).rejects.toBe(error);
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
  });

  it('beside another has a connection of its own', async () => {
    const { database } = start();
    const one = database.transaction(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return managerOf(database);
    });
    const two = database.transaction(() => managerOf(database));
    expect(await Promise.all([one, two])).toEqual(['transaction 1', 'transaction 2']);
  });

  it.each(['ENOENT', 'ECONNREFUSED', '23505'])(
    'is undone by an error of its work, %s too, which passes unchanged: it is not the database that failed',
    async (code) => {
      const { database, taken } = start();
      const error = failure(code, { constraint: 'uq_x' });
      await expect(database.transaction(() => Promise.reject(error))).rejects.toBe(error);
      expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
      expect(errors).not.toHaveBeenCalled();
    },
  );

  it('is undone by an error that the work throws at once', async () => {
    const { database, taken } = start();
    const error = failure('ENOENT');
    const work = () => {
      throw error;
    };
    await expect(database.transaction(work)).rejects.toBe(error);
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
  });

  it.each([
    ['connect', ['connect', 'release']],
    ['begin', ['connect', 'begin', 'release']],
    ['commit', ['connect', 'begin', 'commit', 'rollback', 'release']],
  ] as const)('that fails to %s says that the database is out of reach', async (step, steps) => {
    const { database, taken } = start({ [step]: failure('ECONNRESET') });
    await expect(database.transaction(() => Promise.resolve())).rejects.toMatchObject(OUT_OF_REACH);
    expect(taken).toEqual(steps);
    expect(errors).toHaveBeenCalledTimes(1);
  });

  it('names the constraint that only its commit finds broken', async () => {
    const { database } = start({ commit: failure('23505', { constraint: 'uq_x' }) });
    await expect(database.transaction(() => Promise.resolve())).rejects.toMatchObject({
      name: 'ConstraintViolation',
      constraint: 'uq_x',
    });
  });

  it('tells what a query in it found, even if the connection is too far gone to undo it', async () => {
    const { database, taken } = start({ query: failure('57P01'), rollback: failure('ECONNRESET') });
    await expect(database.transaction(() => database.query(STATEMENT))).rejects.toMatchObject(OUT_OF_REACH);
    expect(taken).toEqual(['connect', 'begin', 'query', 'rollback', 'release']);
  });
});
