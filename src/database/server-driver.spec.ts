import { EventEmitter, once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type Client, type Pool as PgPool, Query } from 'pg';
import { serverDriver } from './server-driver';
import { unhurried } from './unhurried';

const silent = () => undefined;

/** A pool of stand-ins for clients; what it asks of the server itself is noted. */
function poolOf(
  clients: object[],
  limits?: { statementSeconds: number; lockSeconds: number },
  tell = jest.fn(),
) {
  const pool = new (serverDriver(limits, tell).Pool)() as unknown as Omit<PgPool, 'query'> & {
    Client: unknown;
    options: { onConnect(client: object): Promise<void> };
    query: jest.Mock<Promise<unknown>, [string, unknown[]]>;
    cancel(values: unknown[], hasEnded: () => boolean): void;
    cancelNow(values: unknown[]): void;
    askBehind(query: object, alone: () => Promise<unknown>): Promise<unknown>;
    tellBlockers(client: object): Promise<void>;
  };
  return Object.assign(pool, { _clients: clients, query: jest.fn().mockResolvedValue({ rows: [] }) });
}

/** A stand-in for a client that is at one statement all the time. */
function busyClient(values?: unknown[]) {
  const query = { values };
  return { connection: { stream: { destroy: jest.fn() } }, release: jest.fn(), _getActiveQuery: () => query };
}

describe('A new connection', () => {
  it.each([
    ['has the limits of the settings', { statementSeconds: 7, lockSeconds: 2 }, ['7s', '2s']],
    ['of the set-up may take its time, but for locks', undefined, ['0s', '30s']],
  ])('%s, and must answer within five seconds', async (_, limits, values) => {
    const query = jest.fn().mockResolvedValue({ rows: [{ pid: 7 }] });
    const driver = serverDriver(limits, silent);
    const pool = poolOf([], limits);
    await pool.options.onConnect({ query });
    expect(query.mock.calls).toEqual([
      [{ text: expect.stringContaining('pg_backend_pid() AS pid') as string, values, query_timeout: 5000 }],
    ]);
    const [[{ text }]] = query.mock.calls as [[{ text: string }]];
    const settings = [...text.matchAll(/set_config\('(\w+)', ([^,]+), false\)/g)].map(([, ...both]) => both);
    expect(Object.fromEntries(settings)).toEqual({
      statement_timeout: '$1',
      idle_in_transaction_session_timeout: '$1',
      lock_timeout: '$2',
      jit: "'off'",
      max_parallel_workers_per_gather: "'0'",
      extra_float_digits: "'1'",
      default_transaction_isolation: "'read committed'",
    });
    expect((new driver.Pool() as unknown as { Client: unknown }).Client).toBe(driver.Client);
    await pool.end();
  });

  it('that cannot be set up is none', async () => {
    const pool = poolOf([]);
    const query = () => Promise.reject(new Error('no'));
    await expect(pool.options.onConnect({ query })).rejects.toThrow('no');
    await pool.end();
  });
});

describe("A client's end", () => {
  it('closes its connection although the server has vanished and says nothing more', async () => {
    // It takes everything and says nothing, not even that it closes too.
    const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const driver = serverDriver(undefined, () => undefined);
    const client: Client = new driver.Client({ host: '127.0.0.1', port, user: 'nobody', database: 'none' });
    client.on('error', () => undefined);
    const connected = once(server, 'connection');
    client.connect().catch(() => undefined);
    const [socket] = (await connected) as [Socket];
    socket.resume().on('error', () => undefined);

    const closed = once(server, 'close');
    await client.end();
    server.close();
    socket.destroy();
    await closed;
  });
});

describe('A client that ends', () => {
  it('is given two seconds to say goodbye, which keep no process', () => {
    jest.useFakeTimers();
    const timers = jest.spyOn(global, 'setTimeout');
    const client = new (serverDriver(undefined, silent).Client)();
    const { stream } = (client as unknown as { connection: { stream: { destroy(): void } } }).connection;
    const destroy = jest.spyOn(stream, 'destroy').mockImplementation();
    const ended = jest.fn();
    client.end(ended);
    expect(ended).toHaveBeenCalledTimes(1);
    expect((timers.mock.results[0]!.value as NodeJS.Timeout).hasRef()).toBe(false);
    jest.advanceTimersByTime(1999);
    expect(destroy).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(destroy).toHaveBeenCalledTimes(1);
    timers.mockRestore();
    jest.useRealTimers();
  });
});

describe('A statement that stays silent', () => {
  const LIMITS = { statementSeconds: 3, lockSeconds: 1 };
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is given up with its connection two seconds after its limit', async () => {
    const [client, idle] = [busyClient(), { ...busyClient(), _getActiveQuery: () => null }];
    const pool = poolOf([client, idle], LIMITS);
    await jest.advanceTimersByTimeAsync(5000);
    const { destroy } = client.connection.stream;
    expect(destroy).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1000);
    expect(destroy.mock.calls).toEqual([
      [
        expect.objectContaining({
          code: 'ETIMEDOUT',
          message: 'The database has not answered a statement for 6 s: its connection is given up',
        }),
      ],
    ]);
    expect(idle.connection.stream.destroy).not.toHaveBeenCalled();
    expect(pool.query).not.toHaveBeenCalled();
    Object.assign(pool, { _clients: [] });
    await pool.end();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is given up in a pipeline, too, when the server falls silent behind an error', async () => {
    const client = Object.assign(new EventEmitter(), busyClient(), {
      query: jest.fn(),
      // As `pg` has it until the server is ready again.
      _getActiveQuery: () => null,
    });
    const pool = poolOf([client], LIMITS);
    Object.assign(pool, {
      connect: (taken: (error: undefined, client: object) => void) => taken(undefined, client),
    });
    void pool.askBehind(Object.assign(new Query('', []), { name: 'a' }), () => Promise.resolve());
    await jest.advanceTimersByTimeAsync(5000);
    expect(client.connection.stream.destroy).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1000);
    expect(client.connection.stream.destroy).toHaveBeenCalledTimes(1);
    client.emit('error', new Error('given up'));
    Object.assign(pool, { _clients: [] });
    await pool.end();
  });

  it('may be an import’s: it is told whom it waits for, every five seconds, and never given up', async () => {
    const client = busyClient();
    unhurried.add(client.connection);
    const tell = jest.fn();
    const pool = poolOf([client], LIMITS, tell);
    await pool.options.onConnect(
      Object.assign(client, { query: () => Promise.resolve({ rows: [{ pid: 42 }] }) }),
    );
    pool.query.mockResolvedValue({ rows: [{ who: '7 (psql, idle)' }, { who: '8 (x, active)' }] });
    await jest.advanceTimersByTimeAsync(9000);
    expect(pool.query.mock.calls).toEqual([[expect.stringContaining('pg_blocking_pids($1)'), [42]]]);
    await jest.advanceTimersByTimeAsync(1000);
    expect(tell.mock.calls).toEqual(
      Array.from({ length: 2 }, () => [
        'Waiting for a lock that other sessions of the database hold: 7 (psql, idle), 8 (x, active)',
      ]),
    );
    expect(client.connection.stream.destroy).not.toHaveBeenCalled();
    Object.assign(pool, { _clients: [] });
    await pool.end();
  });

  it('of which nothing can be asked is only not told of', async () => {
    const pool = poolOf([]);
    pool.query.mockRejectedValue(new Error('no connection'));
    await expect(pool.tellBlockers(busyClient())).resolves.toBeUndefined();
    await pool.end();
  });

  it('is looked for without keeping a process', async () => {
    const timers = jest.spyOn(global, 'setInterval');
    const pool = poolOf([]);
    expect(timers.mock.calls.map(([, every]) => every)).toEqual([1000]);
    expect((timers.mock.results[0]!.value as NodeJS.Timeout).hasRef()).toBe(false);
    timers.mockRestore();
    await pool.end();
    expect(jest.getTimerCount()).toBe(0);
  });
});

describe('Long work on a server', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it.each([
    [
      'says whom it waits for',
      [{ who: '7 (psql, idle)' }],
      [expect.stringContaining('hold: 7 (psql, idle)')],
    ],
    ['says nothing while it waits for nobody', [], []],
  ])('%s', async (_, rows, expected) => {
    const told: string[] = [];
    const driver = serverDriver(undefined, (message) => told.push(message));
    const query = {};
    const client = { connection: {}, _getActiveQuery: () => query };
    const ask = jest.fn().mockResolvedValue({ rows });
    const pool = Object.assign(new driver.Pool(), { _clients: [client], query: ask });
    await jest.advanceTimersByTimeAsync(4000);
    expect(ask).not.toHaveBeenCalled();
    await jest.advanceTimersByTimeAsync(1000);
    expect(ask).toHaveBeenCalledTimes(1);
    expect(told).toEqual(expected);
    Object.assign(pool, { _clients: [] });
    await pool.end();
  });
});

describe('A statement that is cancelled', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('has 100 ms to end by itself; then its connection serves nobody else', () => {
    const { Pool } = serverDriver(undefined, () => undefined);
    const pool = new Pool() as PgPool & {
      cancel(values: unknown[], hasEnded: () => boolean): void;
      _clients: object[];
    };
    const values: unknown[] = [];
    const release = jest.fn();
    const client = { _getActiveQuery: () => ({ values }), release };
    const other = { _getActiveQuery: () => ({ values: [] }), release: jest.fn() };
    pool._clients.push(other, client);
    const query = (jest.spyOn(pool, 'query') as jest.SpyInstance).mockResolvedValue({ rows: [] });
    pool.cancel(values, () => false);
    jest.advanceTimersByTime(99);
    expect(query).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(query.mock.calls).toEqual([['SELECT pg_cancel_backend($1)', [undefined]]]);
    // As the pool does when the statement has ended well all the same.
    client.release();
    expect(release).toHaveBeenCalledWith(true);
    other.release();
    expect(other.release).toHaveBeenCalledWith();
    pool._clients.length = 0;
    void pool.end();
  });

  it('is cancelled in the session of its connection, which an error still ends with that error', async () => {
    const values: unknown[] = [];
    const client = busyClient(values);
    const { release } = client;
    const pool = poolOf([client]);
    await pool.options.onConnect(
      Object.assign(client, { query: () => Promise.resolve({ rows: [{ pid: 42 }] }) }),
    );
    // The cancellation may fail: there is nothing more to do then.
    pool.query.mockRejectedValue(new Error('no connection'));
    pool.cancelNow(values);
    expect(pool.query.mock.calls).toEqual([['SELECT pg_cancel_backend($1)', [42]]]);
    const error = new Error('canceling statement');
    (client.release as (error: Error) => void)(error);
    expect(release).toHaveBeenCalledWith(error);
    Object.assign(pool, { _clients: [] });
    await pool.end();
  });

  it('in a pipeline takes its session with it, and what waits there is asked anew', async () => {
    const pool = poolOf([]);
    const values: unknown[] = [];
    const { release, ...client } = busyClient(values);
    const connected = Object.assign(new EventEmitter(), client, { release, query: jest.fn() });
    Object.assign(pool, {
      _clients: [connected],
      connect: (taken: (error: undefined, client: object) => void) => taken(undefined, connected),
    });
    const ask = (name: string) =>
      pool.askBehind(Object.assign(new Query('', values), { name }), () => Promise.resolve('alone'));
    const [first, second] = [ask('a'), ask('b')];
    expect(connected.query).toHaveBeenCalledTimes(2);
    pool.cancelNow(values);
    await expect(first).rejects.toMatchObject({ code: '57014' });
    expect(await second).toBe('alone');
    expect(release).toHaveBeenCalledWith(true);
    expect(pool.query.mock.calls).toEqual([['SELECT pg_terminate_backend($1)', [undefined]]]);
    Object.assign(pool, { _clients: [] });
    await pool.end();
  });

  it('is cancelled on both of its connections where it was asked anew', async () => {
    const values: unknown[] = [];
    const [first, second, other] = [busyClient(values), busyClient(values), busyClient([])];
    const [one, two] = [first.release, second.release];
    const pool = poolOf([first, other, second]);
    pool.cancelNow(values);
    expect(pool.query).toHaveBeenCalledTimes(2);
    first.release();
    second.release();
    for (const release of [one, two]) expect(release).toHaveBeenCalledWith(true);
    Object.assign(pool, { _clients: [] });
    await pool.end();
  });

  it('in a pipeline is the last thing that an ending pool waits for', async () => {
    const client = Object.assign(new EventEmitter(), busyClient(), { query: jest.fn() });
    const pool = poolOf([]);
    Object.assign(pool, {
      connect: (taken: (error: undefined, client: object) => void) => taken(undefined, client),
    });
    const query = Object.assign(new Query('', []), { name: 'a' });
    const answer = pool.askBehind(query, () => Promise.resolve());
    void pool.end();
    expect(client.release).not.toHaveBeenCalled();
    (query as unknown as { callback(error: null, result: object): void }).callback(null, { rows: [] });
    expect(client.release).toHaveBeenCalledTimes(1);
    expect(await answer).toEqual({ rows: [] });
  });

  it('is looked for until it has a connection or has ended', () => {
    const { Pool } = serverDriver(undefined, () => undefined);
    const pool = new Pool() as PgPool & {
      cancel(values: unknown[], hasEnded: () => boolean): void;
      _clients: object[];
    };
    const query = (jest.spyOn(pool, 'query') as jest.SpyInstance).mockResolvedValue({ rows: [] });
    const values: unknown[] = [];
    let ended = false;
    pool.cancel(values, () => false);
    pool.cancel([], () => ended);
    jest.advanceTimersByTime(1000);
    expect(query).not.toHaveBeenCalled();
    pool._clients.push({ _getActiveQuery: () => ({ values }), release: jest.fn() });
    ended = true;
    // Up to here it is found; then it has its time to end by itself.
    jest.advanceTimersByTime(199);
    expect(query).not.toHaveBeenCalled();
    jest.advanceTimersByTime(1);
    expect(query).toHaveBeenCalledTimes(1);
    // Of the pool's own only the look at what is in progress goes on.
    expect(jest.getTimerCount()).toBe(1);
    pool._clients.length = 0;
    void pool.end();
  });
});
