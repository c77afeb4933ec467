import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter } from 'node:events';
import { type Pool, Query, type QueryResult } from 'pg';
import { hasPipeline, Pipeline } from './pipeline';

type Callback = (error: unknown, result?: unknown) => void;
type Sent = { name: string; values: unknown[]; callback: Callback };

/** A stand-in for one of `pg`'s clients: what was sent is answered when the test says so. */
class FakeClient extends EventEmitter {
  pipeline = false;
  readonly sent: Sent[] = [];
  readonly release = jest.fn<void, [unknown?]>();

  /** @param unsent what a statement called `bad` cannot be sent for */
  constructor(private readonly unsent?: Error) {
    super();
  }

  query(query: Sent): void {
    if (!this.pipeline) throw new Error('Statements would be waited for');
    if (this.unsent && query.name === 'bad') query.callback(this.unsent);
    else this.sent.push(query);
  }

  /** Answers the one that was sent first. */
  answer(outcome: { error?: unknown; value?: unknown } = {}): void {
    const { callback, name } = this.sent.shift()!;
    if (outcome.error === undefined) callback(null, { rows: [outcome.value ?? name] });
    else callback(outcome.error);
  }
}

function start(max = 10) {
  const waiting: ((error?: Error, client?: FakeClient) => void)[] = [];
  const pool = { options: { max }, connect: (connected: () => void) => void waiting.push(connected) };
  const pipeline = new Pipeline(pool as unknown as Pool);
  const alone = jest.fn((name: string) => Promise.resolve({ rows: [`${name} alone`] }));
  const ask = (name?: string) => {
    const query = Object.assign(new Query('SELECT 1', []), { name });
    const answer = pipeline.ask(query, () => alone(name!) as unknown as Promise<QueryResult>);
    return answer?.then(({ rows }) => (rows as string[])[0]);
  };
  const connect = (unsent?: Error) => {
    const client = new FakeClient(unsent);
    waiting.shift()!(undefined, client);
    return client;
  };
  return { pipeline, pool, ask, alone, waiting, connect };
}

const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** Time enough for a look after 20 ms: immediates come a millisecond later here. */
const untilOvertaken = () => pass(21);

const all = (answers: (Promise<unknown> | undefined)[]) => Promise.all(answers as Promise<unknown>[]);

const names = ({ sent }: FakeClient) => sent.map(({ name }) => name);

describe('A pipeline', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('sends reads one behind the other and tells each its own answer', async () => {
    const { pipeline, ask, alone, waiting, connect } = start();
    const first = ask('a');
    const second = ask('b');
    expect(waiting).toHaveLength(1);
    const client = connect();
    const third = ask('a');
    expect(names(client)).toEqual(['a', 'b', 'a']);
    // The look is no reason for the process to go on.
    expect((pipeline as unknown as { timer: NodeJS.Timeout }).timer.hasRef()).toBe(false);
    client.answer({ value: 1 });
    client.answer({ value: 2 });
    client.answer({ value: 3 });
    expect(await all([first, second, third])).toEqual([1, 2, 3]);
    expect(alone).not.toHaveBeenCalled();
    expect(waiting).toHaveLength(0);
  });

  it('tells each its own error, and ends the connection behind the last answer', async () => {
    const { ask, alone, waiting, connect } = start();
    const [failed, well] = [ask('a'), ask('b')];
    const client = connect();
    const error = Object.assign(new Error('no such column'), { code: '42703' });
    client.answer({ error });
    expect(ask('c')).toBeUndefined();
    expect(client.release).not.toHaveBeenCalled();
    client.answer();
    expect(client.release.mock.calls).toEqual([[true]]);
    await expect(failed).rejects.toBe(error);
    expect(await well).toBe('b');
    expect(ask('c')).toBeDefined();
    expect(waiting).toHaveLength(1);
    expect(names(connect())).toEqual(['c']);
    expect(alone).not.toHaveBeenCalled();
  });

  it('is for named statements, and for pools with a connection to spare', () => {
    expect(start().ask()).toBeUndefined();
    expect(start(9).ask('a')).toBeUndefined();
    expect([1, 9, 10, 20].map(hasPipeline)).toEqual([false, false, true, true]);
  });

  it('sends nothing behind a read that was not answered within a millisecond', async () => {
    const { ask, connect } = start();
    void ask('a');
    const client = connect();
    expect(ask('b')).toBeDefined();
    await pass(1);
    expect(ask('c')).toBeUndefined();
    client.answer();
    expect(ask('d')).toBeUndefined();
    client.answer();
    expect(ask('e')).toBeDefined();
    expect(names(client)).toEqual(['e']);
  });

  it('has at most 32 under way', () => {
    const { ask, connect } = start();
    for (let count = 0; count < 32; count += 1) expect(ask('a')).toBeDefined();
    expect(ask('a')).toBeUndefined();
    const client = connect();
    client.answer();
    expect(ask('a')).toBeDefined();
    expect(ask('a')).toBeUndefined();
  });

  it('asks anew whoever has to wait behind one that takes 20 ms, and leaves that to its end', async () => {
    const { ask, alone, connect } = start();
    const slow = ask('slow');
    const behind = [ask('b'), ask('c')];
    const client = connect();
    await pass(19);
    expect(alone).not.toHaveBeenCalled();
    await pass(2);
    expect(alone.mock.calls).toEqual([['b'], ['c']]);
    expect(await all(behind)).toEqual(['b alone', 'c alone']);
    await pass(50);
    expect(alone).toHaveBeenCalledTimes(2);
    client.answer();
    expect(await slow).toBe('slow');
    // Nobody waits for these any more, whatever becomes of them.
    client.answer({ error: new Error('late') });
    client.answer();
  });

  it('asks anew outside of the request that the connection was taken for', async () => {
    const { ask, alone, connect } = start();
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    alone.mockImplementation(() => {
      seen.push(request.getStore());
      throw new Error('refused at once');
    });
    void request.run('first', () => ask('slow'));
    const behind = ask('b');
    connect();
    const refused = expect(behind).rejects.toThrow('refused at once');
    await untilOvertaken();
    await refused;
    expect(seen).toEqual([undefined]);
  });

  it('counts the first answer to a read that was asked anew', async () => {
    const { ask, alone, connect } = start();
    let fail!: (error: Error) => void;
    alone.mockImplementation(() => new Promise((_, reject) => (fail = reject)));
    void ask('slow');
    const behind = ask('b');
    const client = connect();
    await untilOvertaken();
    client.answer();
    client.answer({ value: 'in the pipeline' });
    fail(new Error('late'));
    expect(await behind).toBe('in the pipeline');
  });

  it('does not count the error of a read that was asked anew', async () => {
    const { ask, connect } = start();
    const answers = [ask('slow'), ask('b')];
    const client = connect();
    await untilOvertaken();
    const cancelled = Object.assign(new Error('cancelled'), { code: '57014' });
    client.answer({ error: cancelled });
    client.answer({ error: cancelled });
    await expect(answers[0]).rejects.toBe(cancelled);
    expect(await answers[1]).toBe('b alone');
  });

  it('reads the answers that have come while the event loop was blocked before it asks anew', async () => {
    const { ask, alone, connect } = start();
    const answers = [ask('a'), ask('b')];
    const client = connect();
    await pass(19);
    jest.advanceTimersByTime(1);
    client.answer();
    client.answer();
    await pass(1);
    expect(await all(answers)).toEqual(['a', 'b']);
    expect(alone).toHaveBeenCalledTimes(0);
  });

  it('sends what others had to wait for alone for a second', async () => {
    const { ask, connect } = start();
    void ask('slow');
    void ask('b');
    const client = connect();
    await untilOvertaken();
    client.answer();
    client.answer();
    expect(ask('slow')).toBeUndefined();
    void ask('b');
    client.answer();
    await pass(998);
    expect(ask('slow')).toBeUndefined();
    await pass(1);
    expect(ask('slow')).toBeDefined();
  });

  it('does not mind one that takes long when nobody waits behind it', async () => {
    const { ask, connect } = start();
    void ask('long');
    const client = connect();
    await pass(500);
    client.answer();
    expect(ask('long')).toBeDefined();
  });

  it('asks anew for all that have waited 20 ms for the connection, whose time is not that of a statement', async () => {
    const { ask, alone, connect } = start();
    const answers = [ask('a'), ask('b')];
    await untilOvertaken();
    expect(alone.mock.calls).toEqual([['a'], ['b']]);
    const client = connect();
    // What was asked anew is not sent any more.
    expect(names(client)).toEqual([]);
    expect(await all(answers)).toEqual(['a alone', 'b alone']);
    expect(ask('a')).toBeDefined();
    expect(names(client)).toEqual(['a']);
  });

  it.each([
    ['is refused', (waiting: ((error?: Error) => void)[], error: Error) => waiting.shift()!(error)],
    ['is refused at once', undefined],
  ])('fails what waits for a connection that %s, and tries again', async (_, refuse) => {
    const { ask, alone, pool, waiting } = start();
    const error = new Error('refused');
    const { connect } = pool;
    if (!refuse) {
      pool.connect = () => {
        throw error;
      };
    }
    const answers = refuse ? [ask('a'), ask('b')] : [ask('a')];
    refuse?.(waiting, error);
    for (const answer of answers) await expect(answer).rejects.toBe(error);
    expect(alone).not.toHaveBeenCalled();
    expect(jest.getTimerCount()).toBe(0);
    pool.connect = connect;
    expect(ask('a')).toBeDefined();
    expect(waiting).toHaveLength(1);
  });

  it('that is refused a connection asks nothing a third time', async () => {
    const { ask, alone, waiting } = start();
    const answer = ask('a');
    await untilOvertaken();
    waiting.shift()!(new Error('refused'));
    expect(await answer).toBe('a alone');
    expect(alone).toHaveBeenCalledTimes(1);
  });

  it('fails what is under way on a connection that is lost, and takes another', async () => {
    const { ask, alone, waiting, connect } = start();
    const answers = [ask('a'), ask('b')];
    const client = connect();
    const lost = new Error('Connection terminated unexpectedly');
    client.emit('error', lost);
    expect(client.release).toHaveBeenCalledWith(lost);
    expect(client.pipeline).toBe(false);
    const again = ask('a');
    for (const { callback } of client.sent) callback(lost);
    await Promise.all(answers.map((answer) => expect(answer).rejects.toBe(lost)));
    expect(client.listenerCount('error')).toBe(0);
    expect(waiting).toHaveLength(1);
    connect().answer();
    expect(await again).toBe('a');
    expect(alone).not.toHaveBeenCalled();
  });

  it.each(['26000', '42P05', '0A000'])(
    'asks anew, once, for one whose statement is not prepared as it should be: %s',
    async (code) => {
      const { ask, alone, connect } = start();
      const [first, second] = [ask('a'), ask('a')];
      const client = connect();
      await untilOvertaken();
      const unprepared = Object.assign(new Error('no such statement'), { code });
      client.answer({ error: unprepared });
      client.answer({ error: unprepared });
      expect(await all([first, second])).toEqual(['a alone', 'a alone']);
      expect(alone).toHaveBeenCalledTimes(2);
      expect(client.release.mock.calls).toEqual([[true]]);
    },
  );

  it('minds only a statement that has had the server for 10 ms itself', async () => {
    const { ask, alone, connect } = start();
    void ask('slow');
    void ask('quick');
    void ask('c');
    const client = connect();
    await pass(15);
    client.answer();
    await pass(6);
    expect(alone.mock.calls).toEqual([['c']]);
    client.answer();
    client.answer();
    expect(ask('quick')).toBeDefined();
  });

  it('does not mind that the connection came late', async () => {
    const { ask, alone, connect } = start();
    void ask('a');
    void ask('b');
    await pass(15);
    const client = connect();
    await pass(6);
    expect(alone.mock.calls).toEqual([['b']]);
    client.answer();
    client.answer();
    expect(ask('a')).toBeDefined();
  });

  it('sends the others where one cannot be sent', async () => {
    const { ask, connect } = start();
    const unsent = new Error('cannot be serialised');
    const answers = [ask('bad'), ask('b'), ask('c')];
    const client = connect(unsent);
    expect(names(client)).toEqual(['b', 'c']);
    client.answer();
    client.answer();
    await expect(answers[0]).rejects.toBe(unsent);
    expect(await all(answers.slice(1))).toEqual(['b', 'c']);
    expect(client.release.mock.calls).toEqual([[true]]);
  });

  it('says what is to be answered next', () => {
    const { pipeline, ask, connect } = start();
    expect(pipeline.first).toBeUndefined();
    void ask('a');
    void ask('b');
    const client = connect();
    const { first } = pipeline;
    expect(first).toBeDefined();
    client.answer();
    expect(pipeline.first).toBeDefined();
    expect(pipeline.first).not.toBe(first);
  });

  it('keeps its connection for a second without use, then gives it back as it was', async () => {
    const { ask, waiting, connect } = start();
    void ask('a');
    const client = connect();
    client.answer();
    await pass(900);
    void ask('a');
    client.answer();
    await pass(990);
    expect(client.release).not.toHaveBeenCalled();
    await pass(20);
    expect(client.release.mock.calls).toEqual([[undefined]]);
    expect(client.pipeline).toBe(false);
    expect(client.listenerCount('error')).toBe(0);
    expect(jest.getTimerCount()).toBe(0);
    void ask('a');
    expect(waiting).toHaveLength(1);
  });

  it('that is given up refuses the first read, asks anew for the others, and ends its connection', async () => {
    const { pipeline, ask, alone, waiting, connect } = start();
    const answers = [ask('a'), ask('b'), ask('c')];
    const client = connect();
    expect(pipeline.isOn(client)).toBe(true);
    expect(pipeline.isOn(new FakeClient())).toBe(false);
    pipeline.giveUp();
    expect(client.release.mock.calls).toEqual([[true]]);
    expect(pipeline.isOn(client)).toBe(false);
    const next = ask('d');
    // As `pg` does when the connection ends.
    for (const { callback } of client.sent) callback(new Error('Connection terminated'));
    await expect(answers[0]).rejects.toMatchObject({ code: '57014' });
    expect(await all(answers.slice(1))).toEqual(['b alone', 'c alone']);
    expect(alone.mock.calls).toEqual([['b'], ['c']]);
    expect(waiting).toHaveLength(1);
    const other = connect();
    expect(names(other)).toEqual(['d']);
    other.answer();
    expect(await next).toBe('d');
  });

  it('that is given up asks nothing a third time', async () => {
    const { pipeline, ask, alone, connect } = start();
    const answers = [ask('slow'), ask('b')];
    connect();
    await untilOvertaken();
    pipeline.giveUp();
    await expect(answers[0]).rejects.toMatchObject({ code: '57014' });
    expect(await answers[1]).toBe('b alone');
    expect(alone).toHaveBeenCalledTimes(1);
  });

  it('gives its connection back when it is closed, at once or with the last answer', async () => {
    const idle = start();
    void idle.ask('a');
    const first = idle.connect();
    first.answer();
    idle.pipeline.close();
    expect(first.release).toHaveBeenCalledTimes(1);
    expect(idle.ask('a')).toBeUndefined();

    const busy = start();
    const answers = [busy.ask('a'), busy.ask('b')];
    const second = busy.connect();
    busy.pipeline.close();
    second.answer();
    expect(second.release).not.toHaveBeenCalled();
    second.answer();
    expect(second.release.mock.calls).toEqual([[undefined]]);
    expect(await all(answers)).toEqual(['a', 'b']);

    const connecting = start();
    const late = connecting.ask('a');
    connecting.pipeline.close();
    const third = connecting.connect();
    expect(third.release).toHaveBeenCalledTimes(1);
    expect(await late).toBe('a alone');
    expect(jest.getTimerCount()).toBe(0);
  });
});
