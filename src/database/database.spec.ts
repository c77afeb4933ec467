import { Logger } from '@nestjs/common';
import type { DataSource } from 'typeorm';
import { Database } from './database';

const STATEMENT = { text: 'SELECT 1' };
const OUT_OF_REACH = { status: 503, message: '数据库不可用' };

const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

/** A database on a data source without a server, and what its transaction was told to do. */
function start(
  faults: { connect?: Error; begin?: Error; query?: Error; commit?: Error; rollback?: Error } = {},
) {
  const told: string[] = [];
  const tell = (step: keyof typeof faults) => {
    told.push(step);
    return faults[step] ? Promise.reject(faults[step]) : Promise.resolve();
  };
  const client = { query: () => tell('query').then(() => ({ rows: [] })) };
  const runner = {
    isTransactionActive: false,
    connect: () => tell('connect').then(() => client),
    startTransaction: async () => {
      await tell('begin');
      runner.isTransactionActive = true;
    },
    commitTransaction: () => tell('commit'),
    rollbackTransaction: () => tell('rollback'),
    release: () => {
      told.push('release');
      return Promise.resolve();
    },
  };
  const database = new Database({ createQueryRunner: () => runner } as unknown as DataSource);
  return { database, told };
}

describe('a transaction', () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();

  beforeEach(() => logged.mockClear());
  afterAll(() => logged.mockRestore());

  it.each(['ENOENT', 'ECONNREFUSED', '23505'])(
    'is undone by an error of its work, %s too, which passes unchanged: it is not the database that failed',
    async (code) => {
      const { database, told } = start();
      const error = failure(code, { constraint: 'uq_x' });
      await expect(database.transaction(() => Promise.reject(error))).rejects.toBe(error);
      expect(told).toEqual(['connect', 'begin', 'rollback', 'release']);
      expect(logged).not.toHaveBeenCalled();
    },
  );

  it('is undone by an error that the work throws at once', async () => {
    const { database, told } = start();
    const error = failure('ENOENT');
    const work = () => {
      throw error;
    };
    await expect(database.transaction(work)).rejects.toBe(error);
    expect(told).toEqual(['connect', 'begin', 'rollback', 'release']);
  });

  it.each([
    ['connect', ['connect', 'release']],
    ['begin', ['connect', 'begin', 'release']],
    ['commit', ['connect', 'begin', 'commit', 'rollback', 'release']],
  ] as const)('that fails to %s says that the database is out of reach', async (step, steps) => {
    const { database, told } = start({ [step]: failure('ECONNRESET') });
    await expect(database.transaction(() => Promise.resolve())).rejects.toMatchObject(OUT_OF_REACH);
    expect(told).toEqual(steps);
    expect(logged).toHaveBeenCalledTimes(1);
  });

  it('names the constraint that only its commit finds broken', async () => {
    const { database } = start({ commit: failure('23505', { constraint: 'uq_x' }) });
    await expect(database.transaction(() => Promise.resolve())).rejects.toMatchObject({
      name: 'ConstraintViolation',
      constraint: 'uq_x',
    });
  });

  it('tells what a query in it found, even if the connection is too far gone to undo it', async () => {
    const { database, told } = start({ query: failure('57P01'), rollback: failure('ECONNRESET') });
    await expect(database.transaction(() => database.query(STATEMENT))).rejects.toMatchObject(OUT_OF_REACH);
    expect(told).toEqual(['connect', 'begin', 'query', 'rollback', 'release']);
  });
});
