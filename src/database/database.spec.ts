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
