import { Logger } from '@nestjs/common';
import {
  databaseWithoutServer as start,
  managerOf,
  type Faults,
} from '../../test/support/database-without-server';

const STATEMENT = { text: 'SELECT 1' };
const OUT_OF_REACH = { status: 503, message: '数据库不可用' };

const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

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

describe('statements of one group on a server', () => {
  const SERVER = { url: 'postgres://db', poolSize: 4 };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('take turns, whatever becomes of them, and leave connections to other groups', async () => {
    const faults: Faults = {};
    const { database, statements } = start(faults, SERVER);
    const sent = () => statements.map(({ name }) => name);
    faults.query = failure('XX000');
    const first = database.query({ name: 'formulas.read', text: '' }).catch(() => 'failed');
    delete faults.query;
    const second = database.query({ name: 'formulas.list', text: '' });
    const other = database.query({ name: 'users.read', text: '' });
    expect(sent()).toEqual(['formulas.read', 'users.read']);
    expect(await first).toBe('failed');
    await Promise.all([second, other]);
    expect(sent()).toEqual(['formulas.read', 'users.read', 'formulas.list']);
  });

  it('are more at once with more connections', async () => {
    for (const [poolSize, most] of [
      [1, 1],
      [4, 1],
      [7, 2],
      [10, 3],
    ] as const) {
      const { database, statements } = start({}, { ...SERVER, poolSize });
      const all = Array.from({ length: 10 }, () => database.query({ name: 'a.b', text: '' }));
      expect(statements).toHaveLength(most);
      await Promise.all(all);
      expect(statements).toHaveLength(10);
    }
  });

  it('inside a transaction need no turn; transactions do', async () => {
    const { database, taken } = start({}, SERVER);
    let end!: () => void;
    const waits = new Promise<void>((resolve) => (end = resolve));
    const outside = database.query({ name: 'a.b', text: '' });
    const one = database.transaction(async () => {
      await Promise.all([1, 2].map(() => database.query({ name: 'a.b', text: '' })));
      await waits;
    });
    const two = database.transaction(() => database.query({ name: 'a.b', text: '' }));
    await outside;
    await settled();
    expect(taken.filter((step) => step === 'begin')).toHaveLength(1);
    end();
    await Promise.all([one, two]);
    expect(taken.filter((step) => step === 'begin')).toHaveLength(2);
  });

  it('take no turns on the embedded database', async () => {
    const { database, statements } = start({}, { poolSize: 4 });
    const all = Array.from({ length: 10 }, () => database.query({ name: 'a.b', text: '' }));
    expect(statements).toHaveLength(10);
    await Promise.all(all);
  });
});

describe('the end of the service', () => {
  it('cuts every connection, which those who wait are told as a database out of reach', () => {
    const { database, connections } = start();
    database.cut();
    for (const { stream } of connections) {
      expect(stream.destroy.mock.calls).toEqual([[expect.objectContaining({ code: 'ECONNRESET' })]]);
    }
  });
});
