import { EventEmitter } from 'node:events';
import type { Client } from 'pg';
import { LOOK_PATIENCE_MS, RepeatedLook, SilentServerError } from './repeated-look';

/** `pg`'s client without a server. */
class FakeClient extends EventEmitter {
  readonly connection = { stream: { destroy: jest.fn() } };
  connect = jest.fn(() => Promise.resolve());
  query = jest.fn((_: string): Promise<{ rows: object[] }> => Promise.resolve({ rows: [{ n: 1 }] }));
}

describe('a repeated look', () => {
  let clients: FakeClient[];
  let next: FakeClient;
  let look: RepeatedLook<object>;
  const silent = () => new Promise<never>(() => undefined);

  beforeEach(() => {
    clients = [];
    next = new FakeClient();
    look = new RepeatedLook(() => {
      const made = next;
      clients.push(made);
      next = new FakeClient();
      return made as unknown as Client;
    }, 'SELECT 1');
  });
  afterEach(() => jest.useRealTimers());

  it('has one connection, and one question at a time', async () => {
    expect(await Promise.all([look.look(), look.look()])).toEqual([{ n: 1 }, { n: 1 }]);
    await look.look();
    expect(clients).toHaveLength(1);
    expect(clients[0]!.connect).toHaveBeenCalledTimes(1);
    expect(clients[0]!.query).toHaveBeenCalledTimes(2);
  });

  it.each<[string, (client: FakeClient) => void]>([
    ['an error', (client) => client.emit('error', new Error('lost'))],
    ['its end', (client) => client.emit('end')],
  ])('makes a new connection after %s', async (_, end) => {
    await look.look();
    end(clients[0]!);
    expect(await look.look()).toEqual({ n: 1 });
    expect(clients).toHaveLength(2);
  });

  it('that fails says why, lets its connection go and makes a new one', async () => {
    next.query.mockRejectedValueOnce(new Error('recovery is in progress'));
    await expect(look.look()).rejects.toThrow('recovery is in progress');
    expect(clients[0]!.connection.stream.destroy).toHaveBeenCalled();
    expect(await look.look()).toEqual({ n: 1 });
    expect(clients).toHaveLength(2);
  });

  it.each<[string, (client: FakeClient) => void]>([
    ['connecting', (client) => client.connect.mockImplementation(silent)],
    ['an answer', (client) => client.query.mockImplementation(silent)],
  ])('waits for %s for so long and no longer', async (_, hang) => {
    jest.useFakeTimers();
    hang(next);
    const failed = expect(look.look()).rejects.toThrow(SilentServerError);
    await jest.advanceTimersByTimeAsync(LOOK_PATIENCE_MS);
    await failed;
    expect(clients[0]!.connection.stream.destroy).toHaveBeenCalled();
    expect(await look.look()).toEqual({ n: 1 });
  });

  it('that is closed looks no more, and what it was doing is let go', async () => {
    const looking = look.look();
    look.close();
    await looking;
    expect(clients[0]!.connection.stream.destroy).toHaveBeenCalled();
    await expect(look.look()).rejects.toThrow('Looks no more');
    expect(clients).toHaveLength(1);
  });
});
