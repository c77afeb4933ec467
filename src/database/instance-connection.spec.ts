import { EventEmitter } from 'node:events';
import { InstanceConnection, INSTANCE_NAME } from './instance-connection';
import { serverDriver } from './server-driver';

jest.mock('./server-driver');

/** A connection whose answers are the test's. */
class FakeClient extends EventEmitter {
  static made: FakeClient[] = [];
  readonly connection = { stream: { destroy: jest.fn() } };
  readonly end = jest.fn(() => Promise.resolve());
  /** What connecting, and each statement, comes to. */
  private readonly pending: { resolve: (value?: unknown) => void; reject: (error: Error) => void }[] = [];
  readonly asked: string[] = [];

  constructor(readonly options: { application_name: string }) {
    super();
    FakeClient.made.push(this);
  }

  private answer(asked: string) {
    this.asked.push(asked);
    return new Promise<unknown>((resolve, reject) => this.pending.push({ resolve, reject }));
  }
  connect = () => this.answer('connect');
  query = (text: string) => this.answer(text);

  async answers(value?: unknown) {
    this.pending.shift()!.resolve(value);
    await jest.advanceTimersByTimeAsync(0);
  }
  async refuses() {
    this.pending.shift()!.reject(new Error('refused'));
    await jest.advanceTimersByTimeAsync(0);
  }
}

describe('The connection on which an instance hears the others', () => {
  const heard = jest.fn();
  const listening = jest.fn();
  let connection: InstanceConnection;
  const made = () => FakeClient.made;
  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const listens = async (client: FakeClient) => {
    await client.answers();
    await client.answers();
  };

  beforeEach(() => {
    jest.useFakeTimers();
    FakeClient.made = [];
    heard.mockClear();
    listening.mockClear();
    jest.mocked(serverDriver).mockReturnValue({ Client: FakeClient } as never);
    connection = new InstanceConnection('postgres://h/d', 'news', { heard, listening });
    connection.open();
  });
  afterEach(async () => {
    const closed = connection.close();
    await pass(10_000);
    await closed;
    jest.useRealTimers();
  });

  it('listens, and hands on what is told', async () => {
    expect(connection.isListening).toBe(false);
    await listens(made()[0]!);
    expect(made()[0]!.options.application_name).toBe(INSTANCE_NAME);
    expect(made()[0]!.asked).toEqual(['connect', 'LISTEN news']);
    expect([connection.isListening, listening.mock.calls.length]).toEqual([true, 1]);
    made()[0]!.emit('notification', { payload: 'p' });
    expect(heard).toHaveBeenCalledWith('p');
  });

  it('whose first attempt hangs begins none beside it for four seconds, then one each half second, four at most', async () => {
    await pass(3_999);
    expect(made()).toHaveLength(1);
    await pass(1);
    expect(made()).toHaveLength(2);
    await pass(10_000);
    expect(made()).toHaveLength(4);
  });

  it('whose first attempt is refused tries again half a second later', async () => {
    await made()[0]!.refuses();
    await pass(499);
    expect(made()).toHaveLength(1);
    await pass(1);
    expect(made()).toHaveLength(2);
    await made()[1]!.refuses();
    await pass(500);
    expect(made()).toHaveLength(3);
  });

  it('that is lost is made anew', async () => {
    await listens(made()[0]!);
    made()[0]!.emit('end');
    expect(connection.isListening).toBe(false);
    await pass(100);
    expect(made()).toHaveLength(2);
    await listens(made()[1]!);
    expect([connection.isListening, listening.mock.calls.length]).toEqual([true, 2]);
  });

  it('that answers late has missed nothing for sure, and others are begun beside it: the first that listens is the one', async () => {
    await listens(made()[0]!);
    await pass(250 + 249);
    expect(connection.isListening).toBe(true);
    await pass(1);
    expect(connection.isListening).toBe(false);
    expect(await connection.ask('SELECT news')).toBeUndefined();
    expect(made()[0]!.asked).not.toContain('SELECT news');
    await pass(250);
    expect(made()).toHaveLength(2);
    await pass(500);
    expect(made()).toHaveLength(3);
    await listens(made()[2]!);
    expect([connection.isListening, listening.mock.calls.length]).toEqual([true, 2]);
    for (const other of made().slice(0, 2)) expect(other.end).toHaveBeenCalled();
    await pass(249);
    expect(made()).toHaveLength(3);
  });

  it('that answers at last stays, and those beside it are ended', async () => {
    await listens(made()[0]!);
    await pass(750);
    expect(made()).toHaveLength(2);
    await made()[0]!.answers();
    expect([connection.isListening, listening.mock.calls.length]).toEqual([true, 2]);
    expect(made()[1]!.end).toHaveBeenCalled();
    expect(made()[0]!.end).not.toHaveBeenCalled();
  });

  it('is asked only while it answers', async () => {
    expect(await connection.ask('SELECT 1')).toBeUndefined();
    await listens(made()[0]!);
    const asked = connection.ask('SELECT 1');
    await made()[0]!.answers({ rows: [{ one: 1 }] });
    expect(await asked).toEqual([{ one: 1 }]);
    const failed = connection.ask('SELECT 2');
    await made()[0]!.refuses();
    expect(await failed).toBeUndefined();
  });

  it('begins nothing any more when it is closed', async () => {
    await listens(made()[0]!);
    const closed = connection.close();
    await pass(10_000);
    await closed;
    expect([made().length, connection.isListening]).toEqual([1, false]);
  });
});
