import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import {
  databaseWithoutServer as start,
  managerOf,
  type Faults,
} from '../../../test/support/database-without-server';
import { unhurried } from './connections';

const STATEMENT = { text: 'SELECT 1' };
const OUT_OF_REACH = { status: 503, message: '数据库不可用' };

const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
beforeEach(() => jest.clearAllMocks());
afterAll(() => jest.restoreAllMocks());

describe('a transaction', () => {
  it('carries what is called in it, answers with what its work gives, and is released', async () => {
    const { transactions, database, taken, statements } = start();
    const result = await transactions.run(async () => {
      await database.query(STATEMENT);
      return managerOf(database);
    });
    expect(result).toBe('transaction 1');
    expect(taken).toEqual(['connect', 'begin', 'query', 'commit', 'release']);
    expect(statements.map(({ on }) => on)).toEqual(['transaction 1']);
    expect(await database.query(STATEMENT)).toEqual([{ on: 'pool' }]);
  });

  it('is found from timers and events that its work waits for', async () => {
    const { transactions, database } = start();
    const inTimer = () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(managerOf(database)), 1);
      });
    expect(await transactions.run(inTimer)).toBe('transaction 1');
  });

  it('inside a transaction is the same one: one beginning, one end', async () => {
    const { transactions, database, taken } = start();
    const inner = await transactions.run(() => transactions.run(() => managerOf(database)));
    expect(inner).toBe('transaction 1');
    expect(taken).toEqual(['connect', 'begin', 'commit', 'release']);
  });

  it('inside a transaction undoes both when it fails', async () => {
    const { transactions, taken } = start();
    const error = failure('23505');
    const work = () => transactions.run(() => Promise.reject(error));
    await expect(transactions.run(work)).rejects.toBe(error);
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
  });

  it('beside another has a connection of its own', async () => {
    const { transactions, database } = start();
    const one = transactions.run(async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return managerOf(database);
    });
    const two = transactions.run(() => managerOf(database));
    expect(await Promise.all([one, two])).toEqual(['transaction 1', 'transaction 2']);
  });

  it.each(['ENOENT', 'ECONNREFUSED', '23505'])(
    'is undone by an error of its work, %s too, which passes unchanged: it is not the database that failed',
    async (code) => {
      const { transactions, taken } = start();
      const error = failure(code, { constraint: 'uq_x' });
      await expect(transactions.run(() => Promise.reject(error))).rejects.toBe(error);
      expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
      expect(errors).not.toHaveBeenCalled();
    },
  );

  it('is undone by an error that the work throws at once', async () => {
    const { transactions, taken } = start();
    const error = failure('ENOENT');
    const work = () => {
      throw error;
    };
    await expect(transactions.run(work)).rejects.toBe(error);
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
  });

  it.each([
    ['connect', ['connect', 'release']],
    ['begin', ['connect', 'begin', 'release']],
    ['commit', ['connect', 'begin', 'commit', 'rollback', 'release']],
  ] as const)('that fails to %s says that the database is out of reach', async (step, steps) => {
    const { transactions, taken } = start({ [step]: failure('ECONNRESET') });
    await expect(transactions.run(() => Promise.resolve())).rejects.toMatchObject(OUT_OF_REACH);
    expect(taken).toEqual(steps);
    expect(errors).toHaveBeenCalledTimes(1);
  });

  it('names the constraint that only its commit finds broken', async () => {
    const { transactions } = start({ commit: failure('23505', { constraint: 'uq_x' }) });
    await expect(transactions.run(() => Promise.resolve())).rejects.toMatchObject({
      name: 'ConstraintViolation',
      constraint: 'uq_x',
    });
  });

  it('tells what a query in it found, even if the connection is too far gone to undo it', async () => {
    const { transactions, database, taken } = start({
      query: failure('57P01'),
      rollback: failure('ECONNRESET'),
    });
    await expect(transactions.run(() => database.query(STATEMENT))).rejects.toMatchObject(OUT_OF_REACH);
    expect(taken).toEqual(['connect', 'begin', 'query', 'rollback', 'release']);
  });
});

const REFUSED = {
  status: 'rejected',
  reason: { message: expect.stringContaining('nothing can be asked for in it') },
};

describe('what a transaction has not awaited', () => {
  it('asks for nothing any more when that has failed', async () => {
    const { transactions, database, taken, statements } = start();
    let goOn!: () => void;
    const more = new Promise<void>((resolve) => (goOn = resolve));
    let left!: Promise<unknown>;
    const whole = transactions.run(() => {
      left = more.then(() =>
        Promise.allSettled([database.query(STATEMENT), transactions.run(() => managerOf(database))]),
      );
      return Promise.all([Promise.reject(new Error('veto')), left]);
    });
    await expect(whole).rejects.toThrow('veto');
    goOn();
    expect(await left).toMatchObject([REFUSED, REFUSED]);
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
    expect(statements).toEqual([]);
  });

  it.each([
    ['rollback', () => Promise.reject(failure('23505')), REFUSED],
    ['commit', () => Promise.resolve(), { value: [{ on: 'pool' }] }],
  ])('is not sent behind its %s, which it would outlive', async (_, end, asked) => {
    const faults: Faults = {};
    const { transactions, database, dataSource } = start(faults);
    let left: unknown;
    const whole = transactions.run(() => {
      const runner = dataSource.createQueryRunner();
      const ask = AsyncResource.bind(() => {
        left = Promise.allSettled([runner.query('SELECT 1'), database.query(STATEMENT)]);
      });
      faults.atEnd = ask;
      return end();
    });
    await Promise.allSettled([whole]);
    expect(await left).toMatchObject([REFUSED, asked]);
  });
});

describe('a transaction in which a statement failed and nobody told', () => {
  it('is an error, and never counts as committed', async () => {
    const faults: Faults = {};
    const { transactions, taken } = start(faults);
    const followUp = jest.fn();
    const work = () => {
      transactions.onCommit(followUp);
      transactions.noteParticipant('audit');
      transactions.noteParticipant('ledger');
      faults.isAborted = true;
      return Promise.resolve();
    };
    await expect(transactions.run(work)).rejects.toThrow(
      'The transaction was rolled back: an error in it was caught, by one of these perhaps: audit, ledger',
    );
    expect(taken).toEqual(['connect', 'begin', 'commit', 'rollback', 'release']);
    expect(followUp).not.toHaveBeenCalled();
  });
});

describe('a statement behind one that failed', () => {
  it('says that an error was caught', async () => {
    const behind = failure('25P02');
    const { transactions, database, taken } = start({ query: behind });
    await expect(transactions.run(() => database.query(STATEMENT))).rejects.toMatchObject({
      message: 'The transaction was rolled back: an error in it was caught',
      cause: behind,
    });
    expect(taken).toEqual(['connect', 'begin', 'query', 'rollback', 'release']);
  });
});

describe('what is to follow a commit', () => {
  it('follows the outermost one, once and outside of it', async () => {
    const { transactions, database, taken } = start();
    const places: string[] = [];
    const followUp = jest.fn(() => void managerOf(database).then((place) => places.push(place)));
    await transactions.run(async () => {
      await transactions.run(() => Promise.resolve(transactions.onCommit(followUp)));
      transactions.onCommit(followUp);
      expect(followUp).not.toHaveBeenCalled();
    });
    expect(followUp).toHaveBeenCalledTimes(1);
    expect(taken).toEqual(['connect', 'begin', 'commit', 'release']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(places).toEqual(['pool']);
  });

  it('follows at once where there is no transaction', () => {
    const followUp = jest.fn();
    start().transactions.onCommit(followUp);
    expect(followUp).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('too late');
      },
    ],
    ['rejects', () => Promise.reject(new Error('too late'))],
  ])('is told in the log where it %s: the write counts, and the others follow', async (_, failing) => {
    const { transactions } = start();
    const followUp = jest.fn();
    const work = () => {
      transactions.onCommit(failing);
      transactions.onCommit(followUp);
      return Promise.resolve('written');
    };
    await expect(transactions.run(work)).resolves.toBe('written');
    expect(followUp).toHaveBeenCalledTimes(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toHaveBeenCalledWith(
      { err: expect.objectContaining({ message: 'too late' }) as unknown },
      'Work after a commit failed',
    );
  });

  it('never follows a transaction that fails', async () => {
    const { transactions } = start({ commit: failure('ECONNRESET') });
    const followUp = jest.fn();
    await expect(
      transactions.run(() => Promise.resolve(transactions.onCommit(followUp))),
    ).rejects.toMatchObject(OUT_OF_REACH);
    expect(followUp).not.toHaveBeenCalled();
  });
});

describe('a long transaction', () => {
  const LIMITS = ['statement_timeout = 0', 'idle_in_transaction_session_timeout = 0', "lock_timeout = '60s'"];

  it('has its limits taken away, but for locks, and its connection is exempt until it ends', async () => {
    const { transactions, database, statements, clients } = start();
    await transactions.runLong(async () => {
      expect(unhurried.has(clients[0]!.connection as never)).toBe(true);
      // Inside another it is the same one.
      await transactions.runLong(() => database.query(STATEMENT));
      expect(unhurried.has(clients[0]!.connection as never)).toBe(true);
    });
    expect(unhurried.has(clients[0]!.connection as never)).toBe(false);
    expect(statements).toHaveLength(2);
    expect(statements[1]!.query_timeout).toBe(3_600_000);
    for (const limit of LIMITS) expect(statements[0]!.text).toContain(`SET LOCAL ${limit}`);
  });

  it('does nothing when its limits cannot be taken away', async () => {
    const { transactions } = start({ query: failure('57P01') });
    const work = jest.fn(() => Promise.resolve());
    await expect(transactions.runLong(work)).rejects.toMatchObject(OUT_OF_REACH);
    expect(work).not.toHaveBeenCalled();
  });

  it('is exempt no longer when it fails', async () => {
    const { transactions, clients, taken } = start();
    const error = new Error('x');
    await expect(transactions.runLong(() => Promise.reject(error))).rejects.toBe(error);
    expect(unhurried.has(clients[0]!.connection as never)).toBe(false);
    expect(taken).toContain('rollback');
  });
});

describe('whoever asks the data source for a query runner', () => {
  it('borrows that of the current transaction, and cannot release it', async () => {
    const { transactions, dataSource, taken } = start();
    await transactions.run(async () => {
      const runner = dataSource.createQueryRunner();
      expect(runner.manager.on).toBe('transaction 1');
      await runner.release();
      expect(taken).not.toContain('release');
    });
    expect(taken).toContain('release');
    expect(dataSource.createQueryRunner().manager.on).toBe('transaction 2');
  });

  it.each([
    ['', false, 2],
    [', also while there is another', true, 3],
  ])(
    'has one of its own in what a transaction left behind, as statements have the pool%s',
    async (_, isAnotherOpen, next) => {
      const { transactions, database, dataSource } = start();
      let [later, end] = [() => undefined as void, () => undefined as void];
      const over = new Promise<void>((resolve) => (later = resolve));
      const other = isAnotherOpen && transactions.run(() => new Promise<void>((resolve) => (end = resolve)));
      let left!: Promise<unknown[]>;
      await transactions.run(() => {
        left = over.then(async () => [
          dataSource.createQueryRunner().manager.on,
          await managerOf(database),
          ...(await database.query(STATEMENT)),
          await transactions.run(() => managerOf(database)),
        ]);
        return Promise.resolve();
      });
      later();
      const own = [`transaction ${next}`, 'pool', { on: 'pool' }, `transaction ${next + 1}`];
      expect(await left).toEqual(own);
      end();
      await other;
    },
  );
});
