import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { runInRequest } from '../common/request-context';
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
    expect(statements).toHaveLength(1);
    expect(statements[0]).toMatchObject({
      on: 'pool',
      name: 'x',
      text: 'SELECT $1',
      values: [7],
      query_timeout: 3000,
      // The driver takes it as it is.
      isQuery: true,
    });
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
      [3, 1],
      [6, 1],
      [7, 2],
      [9, 2],
      [10, 3],
    ] as const) {
      const { database, statements } = start({}, { ...SERVER, poolSize });
      const all = Array.from({ length: 10 }, () => database.query({ name: 'a.b', text: '' }));
      expect(statements).toHaveLength(most);
      await Promise.all(all);
      expect(statements).toHaveLength(10);
    }
  });

  it.each([
    [1, 1, 1],
    [2, 1, 1],
    [4, 3, 3],
    [7, 6, 3],
    [8, 7, 4],
    [9, 8, 4],
    // One of them for the pipeline.
    [10, 8, 5],
    [20, 18, 10],
  ])('of %i connections leave one, a family half of them: %i, %i', async (poolSize, all, family) => {
    for (const [name, most] of [
      [(n: number) => `group${n}`, all],
      [(n: number) => `formulas/${n}`, family],
    ] as const) {
      const { database, statements } = start({}, { ...SERVER, poolSize });
      const asked = Array.from({ length: 24 }, (_, n) => database.query({ text: '', group: name(n) }));
      expect(statements).toHaveLength(most);
      await Promise.all(asked);
      expect(statements).toHaveLength(24);
    }
  });

  it('wait for no others where every request needs them: users, health', async () => {
    const { database, statements } = start({}, SERVER);
    const asked = ['a.x', 'b.x', 'c.x', 'd.x', 'users.current', 'health.ping'].map((name) =>
      database.query({ name, text: '' }),
    );
    const names = () => statements.map(({ name }) => name);
    expect(names()).toEqual(['a.x', 'b.x', 'c.x', 'users.current', 'health.ping']);
    await Promise.all(asked);
    expect(names().at(-1)).toBe('d.x');
  });

  it.each([
    ['a name up to its dot', { name: 'a.x' }, { name: 'a.y' }],
    ['a name without a dot', { name: 'a' }, { name: 'a.y' }],
    ['no name: searches', {}, { group: 'searches' }],
    ['the group that is given, whatever the name', { name: 'a.x', group: 'b' }, { name: 'b.x' }],
  ])('are known by %s', async (_, one, other) => {
    const { database, statements } = start({}, SERVER);
    const asked = [one, other].map((statement) => database.query({ text: '', ...statement }));
    expect(statements).toHaveLength(1);
    await Promise.all(asked);
    expect(statements).toHaveLength(2);
  });

  it.each([undefined, 'formulas'])(
    'through TypeORM take turns too, also after a failure: %s',
    async (group) => {
      const { database } = start({}, SERVER);
      const steps: string[] = [];
      let fail!: (error: Error) => void;
      const first = database.orm(() => new Promise((_, reject) => (fail = reject)), group);
      const second = database.orm(() => Promise.resolve(steps.push('second')), group);
      const other = database
        .query({ name: `${group ?? 'entities'}.x`, text: '' })
        .then(() => steps.push('third'));
      await settled();
      expect(steps).toEqual([]);
      fail(new Error('x'));
      await expect(first).rejects.toThrow('x');
      await Promise.all([second, other]);
      expect(steps).toEqual(['second', 'third']);
      // Inside a transaction it is the transaction's turn that counts.
      const inside = () => database.orm(() => Promise.resolve(steps.push('inside')), 'transactions');
      await database.transaction(inside);
      expect(steps.at(-1)).toBe('inside');
    },
  );

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

describe('a statement that may be sent behind others', () => {
  const READ = { name: 'a.read', text: 'SELECT $1', group: 'a', mayPipeline: true };
  const SERVER = { url: 'postgres://db', poolSize: 4 };

  it('is, with its name and values, and takes no turn', async () => {
    const { database, statements, askBehind } = start({}, SERVER);
    let answer!: (result: object) => void;
    askBehind.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const asked = [1, 2, 3, 4].map((value) => database.query(READ, [value]));
    expect(askBehind).toHaveBeenCalledTimes(4);
    expect(askBehind.mock.calls[3]![0]).toMatchObject({ name: 'a.read', text: 'SELECT $1', values: [4] });
    answer({ rows: [{ on: 'pipeline' }] });
    expect(await Promise.all(asked)).toEqual([1, 2, 3, 4].map(() => [{ on: 'pipeline' }]));
    expect(statements).toHaveLength(0);
  });

  it('is asked in its turn where the pipeline does not take it, or asks anew', async () => {
    const { database, statements, askBehind } = start({}, SERVER);
    askBehind.mockImplementationOnce((_, alone) => alone());
    const asked = [1, 2].map((value) => database.query(READ, [value]));
    expect(askBehind).toHaveBeenCalledTimes(2);
    expect(statements.map(({ values }) => values)).toEqual([[1]]);
    expect(await Promise.all(asked)).toEqual([[{ on: 'pool' }], [{ on: 'pool' }]]);
    expect(statements.map(({ values }) => values)).toEqual([[1], [2]]);
  });

  it('is not asked anew any more when it has been answered before its turn came', async () => {
    const { database, statements, askBehind } = start({}, SERVER);
    const first = database.query({ ...READ, mayPipeline: false }, [1]);
    let anew!: Promise<unknown>;
    askBehind.mockImplementationOnce((_, alone) => {
      anew = alone();
      return Promise.resolve({ rows: [] });
    });
    // Its turn comes after this answer.
    const refused = expect(database.query(READ, [2]).then(() => anew)).rejects.toMatchObject({ status: 503 });
    await Promise.all([first, refused]);
    await database.query({ ...READ, mayPipeline: false }, [3]);
    expect(statements.map(({ values }) => values)).toEqual([[1], [3]]);
  });

  it('leaves its place to the next whatever its connection throws', async () => {
    const { database, dataSource, statements } = start({}, SERVER);
    const { query } = dataSource.driver.master;
    dataSource.driver.master.query = () => {
      throw new Error('not within a transaction');
    };
    await expect(database.query(READ, [1])).rejects.toThrow('not within a transaction');
    dataSource.driver.master.query = query;
    await database.query(READ, [2]);
    expect(statements.map(({ values }) => values)).toEqual([[2]]);
  });

  it('has errors of the same meaning', async () => {
    const { database, askBehind } = start({}, SERVER);
    askBehind.mockReturnValue(Promise.reject(failure('57P01')));
    await expect(database.query(READ, [1])).rejects.toMatchObject(OUT_OF_REACH);
  });

  it('is not: one that does not say so, one in a transaction, one of the embedded database', async () => {
    const { database, dataSource, statements, askBehind } = start({}, SERVER);
    await database.query({ ...READ, mayPipeline: false });
    await database.transaction(() => database.query(READ, [1]));
    expect(askBehind).not.toHaveBeenCalled();
    delete (dataSource.driver.master as Partial<typeof dataSource.driver.master>).askBehind;
    await database.query(READ, [2]);
    expect(statements).toHaveLength(3);
  });
});

describe('a statement of a request whose client goes away', () => {
  const READ = { text: 'SELECT 1', group: 'a' };

  /** Work of a request whose client may leave. */
  function asked<T>(work: () => Promise<T>) {
    const response = new ServerResponse({ socket: new Socket() } as IncomingMessage);
    response.assignSocket(new Socket());
    let answer!: Promise<T>;
    runInRequest('request', response, () => void (answer = work()));
    return { answer, leave: () => void response.emit('close') };
  }

  it('is cancelled by the very values that it was sent with, until it has ended', async () => {
    const { database, statements, cancel } = start();
    const { answer, leave } = asked(() => database.query(READ, [7]));
    leave();
    expect(cancel).toHaveBeenCalledTimes(1);
    const [values, hasEnded] = cancel.mock.calls[0]!;
    expect(values).toBe(statements[0]!.values);
    expect(hasEnded()).toBe(false);
    await answer;
    expect(hasEnded()).toBe(true);
  });

  it.each([
    ['it has been answered', READ, true],
    ['others wait for it', { ...READ, shared: true }, false],
    ['it writes', { text: 'DELETE FROM a' }, false],
  ])('is left alone when %s', async (_, statement, isAnswered) => {
    const { database, cancel } = start();
    const { answer, leave } = asked(() => database.query(statement));
    if (isAnswered) await answer;
    leave();
    await answer;
    expect(cancel).not.toHaveBeenCalled();
  });

  it('is cancelled in a pipeline, too, and not sent there when the client has gone already', async () => {
    const { database, cancel, askBehind } = start();
    let answer!: (result: object) => void;
    askBehind.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const read = { ...READ, name: 'a.read', mayPipeline: true };
    const { answer: first, leave } = asked(() => database.query(read, [7]));
    leave();
    expect(cancel.mock.calls[0]![0]).toBe(askBehind.mock.calls[0]![0].values);
    answer({ rows: [] });
    await first;

    const response = new ServerResponse({ socket: new Socket() } as IncomingMessage);
    response.destroy();
    let late!: Promise<unknown>;
    runInRequest('request', response, () => void (late = database.query(read, [8])));
    await expect(late).rejects.toMatchObject({ status: 503 });
    expect(askBehind).toHaveBeenCalledTimes(1);
  });

  it('is left alone when it reads a row by its id, which others may wait for', async () => {
    const { database, dataSource, cancel } = start();
    const { master } = dataSource.driver;
    const { query } = master;
    master.query = (statement) => {
      leave();
      return query(statement);
    };
    const read = { name: 'a.read', text: 'SELECT id FROM a WHERE id = ANY ($1::uuid[])' };
    const { answer, leave } = asked(() => database.findById(read, '00000000-0000-4000-8000-00000000000a'));
    expect(await answer).toBeDefined();
    expect(cancel).not.toHaveBeenCalled();
  });

  it('is not sent when its turn comes too late, and the next has its turn', async () => {
    const { database, statements } = start({}, { url: 'postgres://db', poolSize: 4 });
    const first = database.query(READ);
    const { answer, leave } = asked(() => database.query(READ));
    const last = database.query({ ...READ, text: 'SELECT 3' });
    leave();
    await expect(answer).rejects.toMatchObject({ status: 503, message: '数据库繁忙,请重试' });
    await Promise.all([first, last]);
    expect(statements.map(({ text }) => text)).toEqual(['SELECT 1', 'SELECT 3']);
  });
});

describe('the end of the service', () => {
  it('cuts every connection, which those who wait are told as a database out of reach', () => {
    const { database, connections } = start();
    database.cut();
    const reason = expect.objectContaining({ code: 'ECONNRESET', message: 'The service stops' }) as Error;
    for (const { stream } of connections) expect(stream.destroy.mock.calls).toEqual([[reason]]);
  });

  it('has nothing to cut once the database is closed', () => {
    const { database, dataSource } = start();
    Object.assign(dataSource.driver, { master: undefined });
    expect(() => database.cut()).not.toThrow();
  });
});
