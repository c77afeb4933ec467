import { AsyncResource } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import {
  databaseWithoutServer as start,
  managerOf,
  type Faults,
} from '../../test/support/database-without-server';
import { unhurried } from './unhurried';

const STATEMENT = { text: 'SELECT 1' };
const OUT_OF_REACH = { status: 503, message: '数据库不可用' };

function deferred() {
  let resolve!: () => void;
  let reject!: (error: Error) => void;
  const promise = new Promise<void>((...settle) => ([resolve, reject] = settle));
  return { promise, resolve, reject };
}

const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
beforeEach(() => jest.clearAllMocks());
afterAll(() => jest.restoreAllMocks());

describe('a transaction', () => {
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

  it('is found from timers and events that its work waits for', async () => {
    const { database } = start();
    const inTimer = () =>
      new Promise((resolve) => {
        setTimeout(() => resolve(managerOf(database)), 1);
      });
    expect(await database.transaction(inTimer)).toBe('transaction 1');
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

const REFUSED = {
  status: 'rejected',
  reason: { message: expect.stringContaining('nothing can be asked for in it') },
};

describe('what a transaction has not awaited', () => {
  it('asks for nothing any more when that has failed', async () => {
    const { database, taken, statements } = start();
    let goOn!: () => void;
    const more = new Promise<void>((resolve) => (goOn = resolve));
    let left!: Promise<unknown>;
    const whole = database.transaction(() => {
      left = more.then(() =>
        Promise.allSettled([database.query(STATEMENT), database.transaction(() => managerOf(database))]),
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
    const { database, dataSource } = start(faults);
    let left: unknown;
    const whole = database.transaction(() => {
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

describe('a transaction that fails with a savepoint open', () => {
  it('is undone whole, not to the savepoint', async () => {
    const { database, statements, taken } = start({ hasSavepoint: true });
    await expect(database.transaction(() => Promise.reject(failure('23505')))).rejects.toThrow();
    expect(statements).toEqual([{ on: 'transaction 1', text: 'ROLLBACK', isQuery: false }]);
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
  });
});

describe('a transaction in which a statement failed and nobody told', () => {
  it('is an error, and never counts as committed', async () => {
    const faults: Faults = {};
    const { database, taken, connections } = start(faults);
    const followUp = jest.fn();
    const work = async () => {
      database.onceCommitted(followUp);
      await database.waitInTransaction('audit', 1000, Error, () => Promise.resolve());
      await database.waitInTransaction('ledger', 1000, Error, () => Promise.resolve());
      faults.isAborted = true;
    };
    await expect(database.transaction(work)).rejects.toThrow(
      'The transaction was rolled back: an error in it was caught, by one of these perhaps: audit, ledger',
    );
    expect(taken).toEqual(['connect', 'begin', 'commit', 'release']);
    expect(followUp).not.toHaveBeenCalled();
    expect(connections[0]!.listenerCount('commandComplete')).toBe(0);
  });
});

describe('a statement behind one that failed', () => {
  it('says that an error was caught', async () => {
    const behind = failure('25P02');
    const { database, taken } = start({ query: behind });
    await expect(database.transaction(() => database.query(STATEMENT))).rejects.toMatchObject({
      message: 'The transaction was rolled back: an error in it was caught',
      cause: behind,
    });
    expect(taken).toEqual(['connect', 'begin', 'query', 'rollback', 'release']);
  });
});

describe('what is to follow a commit', () => {
  it('follows the outermost one, once and outside of it', async () => {
    const { database, taken } = start();
    const places: string[] = [];
    const followUp = jest.fn(() => void managerOf(database).then((place) => places.push(place)));
    await database.transaction(async () => {
      await database.transaction(() => Promise.resolve(database.onceCommitted(followUp)));
      database.onceCommitted(followUp);
      expect(followUp).not.toHaveBeenCalled();
    });
    expect(followUp).toHaveBeenCalledTimes(1);
    expect(taken).toEqual(['connect', 'begin', 'commit', 'release']);
    await new Promise((resolve) => setImmediate(resolve));
    expect(places).toEqual(['pool']);
  });

  it('follows at once where there is no transaction', () => {
    const followUp = jest.fn();
    start().database.onceCommitted(followUp);
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
    const { database } = start();
    const followUp = jest.fn();
    const work = () => {
      database.onceCommitted(failing);
      database.onceCommitted(followUp);
      return Promise.resolve('written');
    };
    await expect(database.transaction(work)).resolves.toBe('written');
    expect(followUp).toHaveBeenCalledTimes(1);
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toHaveBeenCalledWith(
      { err: expect.objectContaining({ message: 'too late' }) as unknown },
      'What was to follow a commit failed',
    );
  });

  it('never follows a transaction that fails', async () => {
    const { database } = start({ commit: failure('ECONNRESET') });
    const followUp = jest.fn();
    await expect(
      database.transaction(() => Promise.resolve(database.onceCommitted(followUp))),
    ).rejects.toMatchObject(OUT_OF_REACH);
    expect(followUp).not.toHaveBeenCalled();
  });
});

describe('work of others in a transaction', () => {
  const PATIENCE = 20;
  const tooLong = () => new Error('too long');

  it('is part of it', async () => {
    const { database, taken } = start();
    const work = () => managerOf(database);
    const result = await database.transaction(() =>
      database.waitInTransaction('ledger', PATIENCE, tooLong, work),
    );
    expect(result).toBe('transaction 1');
    expect(taken).toEqual(['connect', 'begin', 'commit', 'release']);
  });

  /** Work that asks for all there is when it is told to go on, and what comes of it. */
  function askingLate({ database, dataSource }: ReturnType<typeof start>) {
    const late: Promise<unknown>[] = [];
    const told = deferred();
    const work = async () => {
      await told.promise;
      late.push(
        database.query(STATEMENT),
        database.findById(STATEMENT, '00000000-0000-4000-8000-00000000000a'),
        managerOf(database),
        database.transaction(() => Promise.resolve()),
        new Promise((resolve) => resolve(dataSource.createQueryRunner())),
      );
      await Promise.allSettled(late);
    };
    const expectRefusals = async () => {
      told.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      expect(late).toHaveLength(5);
      for (const one of late) await expect(one).rejects.toThrow('nothing can be asked for in it');
    };
    return { work, expectRefusals };
  }

  it('that takes too long undoes it, and all that it still asks for is refused', async () => {
    const started = start();
    const { database, taken, statements } = started;
    const { work, expectRefusals } = askingLate(started);
    const whole = database.transaction(() => database.waitInTransaction('ledger', PATIENCE, tooLong, work));
    await expect(whole).rejects.toThrow('too long');
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
    await expectRefusals();
    expect(statements).toEqual([]);
    // Everybody else goes on.
    expect(await database.transaction(() => managerOf(database))).toBe('transaction 2');
  });

  it.each([1, 2])('that fails leaves nothing at work that still could ask, %d deep', async (depth) => {
    const started = start();
    const { database, taken, statements } = started;
    const { work: more, expectRefusals } = askingLate(started);
    const inOthers = (work: () => Promise<unknown>) =>
      database.waitInTransaction('ledger', PATIENCE, tooLong, work);
    const veto = () => Promise.reject(new Error('veto'));
    const work =
      depth === 1
        ? () => Promise.all([veto(), more()])
        : () => Promise.all([veto(), inOthers(() => inOthers(more))]);
    await expect(database.transaction(() => inOthers(work))).rejects.toThrow('veto');
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
    await expectRefusals();
    expect(statements).toEqual([]);
    expect(await database.transaction(() => managerOf(database))).toBe('transaction 2');
  });

  it('that fails and is caught is refused what it asks by a query runner of before', async () => {
    const { database, dataSource } = start();
    let goOn!: () => void;
    let left: Promise<unknown> | undefined;
    const work = () => {
      const runner = dataSource.createQueryRunner();
      left = new Promise<void>((resolve) => (goOn = resolve)).then(() => runner.query('SELECT 1'));
      return Promise.reject(new Error('veto'));
    };
    await database.transaction(async () => {
      await database.waitInTransaction('ledger', PATIENCE, tooLong, work).catch(() => 'caught');
      goOn();
      await expect(left).rejects.toThrow('nothing can be asked for in it');
    });
  });

  it.each(['fails', 'ends'])(
    'that fails behind the end undoes what it has begun, which then %s',
    async (how) => {
      const { database, taken } = start();
      const [goOn, fail, end] = [deferred(), deferred(), deferred()];
      let second!: Promise<unknown>;
      await database.transaction(() => {
        const work = async () => {
          await goOn.promise;
          second = database.transaction(() => end.promise);
          await fail.promise;
          throw new Error('veto');
        };
        database.waitInTransaction('ledger', PATIENCE, tooLong, work).catch(() => undefined);
        return Promise.resolve();
      });
      goOn.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      fail.resolve();
      await new Promise((resolve) => setImmediate(resolve));
      if (how === 'fails') end.reject(new Error('nothing can be asked for in it'));
      else end.resolve();
      await expect(second).rejects.toThrow('nothing can be asked for in it');
      const [first, undone] = [
        ['connect', 'begin', 'commit'],
        ['connect', 'begin', 'rollback'],
      ];
      expect(taken).toEqual([...first, 'release', ...undone, 'release']);
    },
  );

  it('that succeeds may leave something at work, which is part of it as long as it is open', async () => {
    const { database } = start();
    let goOn!: () => void;
    let left: Promise<unknown> | undefined;
    const work = () => {
      left = new Promise<void>((resolve) => (goOn = resolve)).then(() => database.query(STATEMENT));
      return Promise.resolve();
    };
    await database.transaction(async () => {
      await database.waitInTransaction('ledger', PATIENCE, tooLong, work);
      goOn();
      expect(await left).toEqual([{ on: 'transaction 1' }]);
    });
  });

  it('that was given up undoes it, whoever catches that', async () => {
    const { database, taken } = start();
    const work = () => new Promise<void>(() => undefined);
    const whole = database.transaction(() =>
      database.waitInTransaction('ledger', PATIENCE, tooLong, work).catch(() => 'caught'),
    );
    await expect(whole).rejects.toThrow('The transaction was rolled back');
    expect(taken).toEqual(['connect', 'begin', 'rollback', 'release']);
  });
});

describe('a transaction on a server', () => {
  const SERVER = { url: 'postgres://db', poolSize: 4 };

  it.each(['connect', 'begin', 'commit', 'rollback', 'query'] as const)(
    'leaves its place to the next when %s fails',
    async (step) => {
      const faults: Faults = { [step]: failure('ECONNRESET') };
      const { database, taken } = start(faults, SERVER);
      const work = () => (step === 'rollback' ? Promise.reject(new Error('x')) : database.query(STATEMENT));
      await expect(database.transaction(work)).rejects.toThrow();
      delete faults[step];
      taken.length = 0;
      await database.transaction(() => Promise.resolve());
      expect(taken).toEqual(['connect', 'begin', 'commit', 'release']);
    },
  );

  it('gives its place back when its connection is back, not before', async () => {
    const { database, taken } = start({}, SERVER);
    await Promise.all([1, 2].map(() => database.transaction(() => Promise.resolve())));
    const one = ['connect', 'begin', 'commit', 'release'];
    expect(taken).toEqual([...one, ...one]);
  });
});

describe('a long transaction', () => {
  const LIMITS = ['statement_timeout = 0', 'idle_in_transaction_session_timeout = 0', "lock_timeout = '60s'"];

  it('has its limits taken away, but for locks, and its connection is exempt until it ends', async () => {
    const { database, statements, connections } = start();
    await database.longTransaction(async () => {
      expect(unhurried.has(connections[0]!)).toBe(true);
      // Inside another it is the same one.
      await database.longTransaction(() => database.query(STATEMENT));
      expect(unhurried.has(connections[0]!)).toBe(true);
    });
    expect(unhurried.has(connections[0]!)).toBe(false);
    expect(statements).toHaveLength(2);
    for (const limit of LIMITS) expect(statements[0]!.text).toContain(`SET LOCAL ${limit}`);
  });

  it('does nothing when its limits cannot be taken away', async () => {
    const { database } = start({ query: failure('57P01') });
    const work = jest.fn(() => Promise.resolve());
    await expect(database.longTransaction(work)).rejects.toMatchObject(OUT_OF_REACH);
    expect(work).not.toHaveBeenCalled();
  });

  it('is exempt no longer when it fails', async () => {
    const { database, connections, taken } = start();
    const error = new Error('x');
    await expect(database.longTransaction(() => Promise.reject(error))).rejects.toBe(error);
    expect(unhurried.has(connections[0]!)).toBe(false);
    expect(taken).toContain('rollback');
  });
});

describe('whoever asks the data source for a query runner', () => {
  it('borrows that of the current transaction, and cannot release it', async () => {
    const { database, dataSource, taken } = start();
    await database.transaction(async () => {
      const runner = dataSource.createQueryRunner();
      expect(runner.manager.on).toBe('transaction 1');
      await runner.release();
      expect(taken).not.toContain('release');
    });
    expect(taken).toContain('release');
    expect(dataSource.createQueryRunner().manager.on).toBe('transaction 2');
  });

  it('outside of a transaction has one of its own, of the kind that it asked for', () => {
    const { dataSource, modes } = start();
    (dataSource.createQueryRunner as (mode?: string) => unknown)('slave');
    expect(modes).toEqual(['slave']);
  });

  it.each([
    ['', false, 2],
    [', also while there is another', true, 3],
  ])(
    'has one of its own in what a transaction left behind, as statements have the pool%s',
    async (_, isAnotherOpen, next) => {
      const { database, dataSource } = start();
      let [later, end] = [() => undefined as void, () => undefined as void];
      const over = new Promise<void>((resolve) => (later = resolve));
      const other =
        isAnotherOpen && database.transaction(() => new Promise<void>((resolve) => (end = resolve)));
      let left!: Promise<unknown[]>;
      await database.transaction(() => {
        left = over.then(async () => [
          dataSource.createQueryRunner().manager.on,
          await managerOf(database),
          ...(await database.query(STATEMENT)),
          await database.transaction(() => managerOf(database)),
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
