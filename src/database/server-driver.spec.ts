import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { Client, Pool as PgPool } from 'pg';
import { serverDriver } from './server-driver';

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
