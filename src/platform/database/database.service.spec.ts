import { type IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { runInRequest } from '../common/request-context';
import {
  databaseWithoutServer as start,
  managerOf,
  type Faults,
} from '../../../test/support/database-without-server';

const STATEMENT = { text: 'SELECT 1' };
const SERVER = { url: 'postgres://db' };
const OUT_OF_REACH = { status: 503, message: '数据库不可用' };
const BUSY = { status: 503, message: '数据库繁忙,请重试' };

const failure = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more });

const errors = jest.spyOn(Logger.prototype, 'error').mockImplementation();
const logs = jest.spyOn(Logger.prototype, 'log').mockImplementation();
beforeEach(() => jest.clearAllMocks());
afterAll(() => jest.restoreAllMocks());

describe('a statement', () => {
  it('goes to the pool with its name, values and timeout, and answers with its rows', async () => {
    const { database, statements } = start();
    const values = Object.freeze([7]);
    expect(await database.query({ name: 'x', text: 'SELECT $1', timeoutMs: 3000 }, values)).toEqual([
      { on: 'pool' },
    ]);
    expect(statements).toEqual([
      { on: 'pool', name: 'x', text: 'SELECT $1', values: [7], query_timeout: 3000 },
    ]);
    // The driver writes into the list that it is handed.
    expect(statements[0]!.values).not.toBe(values);
  });

  it('that every request needs has connections of its own on a server', async () => {
    const onServer = start({}, SERVER);
    expect(await onServer.database.query({ ...STATEMENT, reserved: true })).toEqual([
      { on: 'reserved pool' },
    ]);
    await onServer.database.onApplicationShutdown();
    expect(onServer.reserved.end).toHaveBeenCalledTimes(1);
    expect(onServer.master.end).not.toHaveBeenCalled();
    const embedded = start();
    expect(await embedded.database.query({ ...STATEMENT, reserved: true })).toEqual([{ on: 'pool' }]);
    await embedded.database.onApplicationShutdown();
  });

  it('that finds the database unreachable logs it once, and once that it answers again', async () => {
    const faults: Faults = { query: failure('ECONNREFUSED') };
    const { database } = start(faults);
    await expect(database.query(STATEMENT)).rejects.toMatchObject(OUT_OF_REACH);
    await expect(database.query(STATEMENT)).rejects.toMatchObject(OUT_OF_REACH);
    expect(errors.mock.calls).toEqual([[expect.anything(), 'The database is out of reach']]);
    expect(database.load.isLost).toBe(true);
    delete faults.query;
    await database.query(STATEMENT);
    await database.query(STATEMENT);
    expect(logs).toHaveBeenCalledTimes(1);
    expect(database.load.isLost).toBe(false);
  });

  it('that finds the disk full says so in the log', async () => {
    await expect(start({ query: failure('53100') }).database.query(STATEMENT)).rejects.toMatchObject(
      OUT_OF_REACH,
    );
    expect(errors.mock.calls).toEqual([[expect.anything(), 'The disk of the database is full']]);
  });

  it.each([
    ['57014', 'timeout'],
    ['55P03', 'lock'],
    ['25P03', 'idle'],
    ['Query read timeout', 'silent'],
    ['23505', undefined],
  ])('that was ended early is counted: %s is %s', async (code, reason) => {
    const { database } = start({ query: failure(code, { constraint: 'uq_x' }) });
    const listener = jest.fn();
    database.watchCuts(listener);
    await expect(database.query(STATEMENT)).rejects.toThrow();
    expect(listener.mock.calls).toEqual(reason ? [[reason]] : []);
  });

  it('of TypeORM goes to the pool too, and its errors get the same meaning', async () => {
    const { database } = start();
    expect(await managerOf(database)).toBe('pool');
    const broken = database.orm(() => Promise.reject(failure('23505', { constraint: 'uq_x' })));
    await expect(broken).rejects.toMatchObject({ name: 'ConstraintViolation', constraint: 'uq_x' });
    await expect(database.orm(() => Promise.reject(failure('57P01')))).rejects.toMatchObject(OUT_OF_REACH);
  });

  it('is surrounded by whoever traces, with its name', async () => {
    const { database } = start();
    const names: string[] = [];
    database.surround((name, work) => {
      names.push(name);
      return work();
    });
    await database.query({ name: 'a.b', text: '' });
    await database.query(STATEMENT);
    await managerOf(database);
    expect(names).toEqual(['a.b', 'unnamed', 'entities']);
  });

  it('shows in the load of the pool', () => {
    expect(start().database.load).toEqual({ most: 4, idle: 1, inUse: 2, waiting: 2, isLost: false });
  });

  it('has its connection closed at the end of the service', () => {
    const { database, master } = start();
    const [busy, idle] = [{ end: jest.fn() }, { end: jest.fn() }];
    for (const client of [busy, idle]) master.emit('acquire', client);
    master.emit('release', undefined, idle);
    database.cut();
    expect(busy.end).toHaveBeenCalledTimes(1);
    expect(idle.end).not.toHaveBeenCalled();
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
      database.findById(READ, A),
      database.findById(OTHER, A),
    ]);
    expect(rows.map((row) => row?.id)).toEqual([A, B, A, A]);
    expect(statements.map(({ on, name, values }) => ({ on, name, values }))).toEqual([
      { on: 'pool', name: 'read', values: [[A, B]] },
      { on: 'pool', name: 'other', values: [[A]] },
    ]);
  });

  it('is sent again by whoever reads later: nothing is cached', async () => {
    const { database, statements } = start();
    await database.findById(READ, A);
    await database.findById(READ, A);
    expect(statements).toHaveLength(2);
  });

  it('with further values is sent by itself', async () => {
    const { database, statements } = start();
    await Promise.all([database.findById(READ, A, ['x']), database.findById(READ, B, ['x'])]);
    expect(statements.map(({ values }) => values)).toEqual([
      [[A], 'x'],
      [[B], 'x'],
    ]);
  });

  it('fails for all who have asked, with the meaning of the error', async () => {
    const { database } = start({ query: failure('57P01') });
    const reads = [A, B].map((id) => database.findById(READ, id));
    for (const read of reads) await expect(read).rejects.toMatchObject(OUT_OF_REACH);
  });

  it('knows an id in any case, and sends nothing for what is no id', async () => {
    const { database, statements } = start();
    expect(await database.findById(READ, A.toUpperCase())).toMatchObject({ id: A });
    expect(await database.findById(READ, 'x')).toBeUndefined();
    expect(statements).toHaveLength(1);
  });

  it('in a transaction goes by itself on that transaction', async () => {
    const { database, transactions, statements } = start();
    await transactions.run(async () => {
      const rows = await Promise.all([database.findById(READ, A), database.findById(READ, B.toUpperCase())]);
      expect(rows).toEqual([
        { id: A, on: 'transaction 1' },
        { id: B, on: 'transaction 1' },
      ]);
    });
    expect(statements.map(({ values }) => values)).toEqual([[[A]], [[B]]]);
  });
});

describe('a statement whose client disconnects', () => {
  const READ = { text: 'SELECT 1' };
  const WRITE = { text: 'UPDATE t SET a = 1' };

  /** A database on whose connections statements run until a test ends them. */
  function hanging() {
    const started = start({}, SERVER);
    const client = {
      end: jest.fn(() => fail(new Error('Connection terminated'))),
      release: jest.fn(),
      query: jest.fn(() => new Promise((resolve, reject) => ([answer, fail] = [resolve, reject]))),
    };
    let [answer, fail] = [(_result: object) => undefined as void, (_error: Error) => undefined as void];
    started.master.connect.mockImplementation(() => Promise.resolve(client as never));
    const cancelled = jest.fn();
    started.database.watchCuts(cancelled);
    return { ...started, client, cancelled, answer: () => answer({ rows: [] }) };
  }

  function asked<T>(work: () => Promise<T>) {
    const response = new ServerResponse({ socket: new Socket() } as IncomingMessage);
    response.assignSocket(new Socket());
    let result!: Promise<T>;
    runInRequest('request', response, () => void (result = work()));
    result.catch(() => undefined);
    const leave = () => void Object.assign(response, { destroyed: true }).emit('close');
    return { result, leave };
  }

  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is cancelled with its connection after 100 ms if it only reads', async () => {
    const { database, client, cancelled } = hanging();
    const { result, leave } = asked(() => database.query(READ));
    await jest.advanceTimersByTimeAsync(0);
    leave();
    await jest.advanceTimersByTimeAsync(99);
    expect(client.end).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1);
    expect(client.end).toHaveBeenCalledTimes(1);
    await expect(result).rejects.toMatchObject(BUSY);
    expect(client.release).toHaveBeenCalledWith(expect.any(Error));
    expect(cancelled.mock.calls).toEqual([['cancelled']]);
    expect(errors).not.toHaveBeenCalled();
  });

  it.each([
    ['writes', WRITE],
    ['others wait for', { ...READ, shared: true }],
  ])('goes on if it %s', async (_, statement) => {
    const { database, client, statements, answer } = hanging();
    const { result, leave } = asked(() => database.query(statement));
    await jest.advanceTimersByTimeAsync(0);
    leave();
    await jest.advanceTimersByTimeAsync(1000);
    expect(client.end).not.toHaveBeenCalled();
    answer();
    await expect(result).resolves.toHaveLength(statements.length);
  });

  it('that ends by itself leaves its connection to others', async () => {
    const { database, client, answer } = hanging();
    const { result, leave } = asked(() => database.query(READ));
    await jest.advanceTimersByTimeAsync(0);
    leave();
    answer();
    await result;
    await jest.advanceTimersByTimeAsync(1000);
    expect(client.end).not.toHaveBeenCalled();
    expect(client.release).toHaveBeenCalledWith(undefined);
  });

  it('is not sent when it has no connection yet', async () => {
    const { database, client } = hanging();
    const { result, leave } = asked(() => database.query(READ));
    leave();
    await expect(result).rejects.toMatchObject(BUSY);
    expect(client.query).not.toHaveBeenCalled();
    expect(client.release).toHaveBeenCalledWith();
    const { result: next } = asked(() => {
      leave();
      return database.query(READ);
    });
    await jest.advanceTimersByTimeAsync(0);
    expect(client.query).toHaveBeenCalledTimes(1);
    next.catch(() => undefined);
  });
});
