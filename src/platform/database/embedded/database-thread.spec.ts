import { EventEmitter } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DatabaseThread, type ThreadEvent, type ThreadSettings } from './database-thread';
import { EmbeddedDatabaseStartError } from './errors';

/** A worker that says what the test has it say. */
class MockWorker extends EventEmitter {
  readonly postMessage = jest.fn();
  readonly terminate = jest.fn(() => Promise.resolve(1));
}
jest.mock('node:worker_threads', () => ({ Worker: jest.fn(() => new MockWorker()) }));

const settings = { templateFile: null } as ThreadSettings;

describe('DatabaseThread', () => {
  const events: ThreadEvent[] = [];
  let worker: MockWorker;

  /** A thread of which only its beginning was asked for. */
  function begin(): Promise<DatabaseThread> {
    const starting = DatabaseThread.start(settings, (event) => events.push(event));
    starting.catch(() => undefined);
    worker = jest.mocked(Worker).mock.results.at(-1)!.value as MockWorker;
    return starting;
  }
  const say = (message: object) => worker.emit('message', message);
  async function started(): Promise<DatabaseThread> {
    const starting = begin();
    say({ type: 'ready' });
    return starting;
  }

  beforeEach(() => {
    jest.useFakeTimers();
    events.length = 0;
  });
  afterEach(() => jest.useRealTimers());

  it('is the worker beside it, with its settings and a stack for nested expressions', async () => {
    await started();
    expect(jest.mocked(Worker).mock.lastCall).toEqual([
      expect.stringMatching(/embedded.worker.embedded-worker\.mjs$/),
      { name: 'embedded-postgresql', resourceLimits: { stackSizeMb: 16 }, workerData: settings },
    ]);
    expect(events).toEqual([]);
  });

  it('begins with the machine code that an earlier one compiled', async () => {
    const engine = {};
    const starting = begin();
    say({ type: 'ready', engine });
    await starting;
    await started();
    const [, options] = jest.mocked(Worker).mock.lastCall!;
    expect((options?.workerData as { engine?: object }).engine).toBe(engine);
  });

  it('hands on what it says, also before it is ready', async () => {
    const starting = begin();
    const said = [{ type: 'progress', text: 'making' }, { type: 'ready' }, { type: 'warning', text: 'slow' }];
    for (const message of said) say(message);
    await starting;
    expect(events).toEqual([said[0], said[2]]);
  });

  it.each(['failed', 'crashed'])(
    'that has %s does not start, and tells the reason when it has ended',
    async (type) => {
      const starting = begin();
      let isOver = false;
      void starting.catch(() => (isOver = true));
      say({ type, reason: 'no space', log: ['PANIC'] });
      await jest.advanceTimersByTimeAsync(0);
      expect(isOver).toBe(false);
      worker.emit('exit', 1);
      await expect(starting).rejects.toThrow(EmbeddedDatabaseStartError);
      await expect(starting).rejects.toMatchObject({
        message: expect.stringContaining('no space') as string,
        log: ['PANIC'],
      });
    },
  );

  it.each([
    [
      { message: { type: 'crashed', reason: 'a trap', log: [] } },
      { type: 'crashed', reason: 'a trap', log: [] },
    ],
    [{ error: new Error('out of memory') }, { reason: 'out of memory' }],
    [{}, { reason: 'its thread ended with code 7' }],
  ])('that has ended after %j says why', async (last, death) => {
    const thread = await started();
    for (const [event, what] of Object.entries(last)) worker.emit(event, what);
    worker.emit('exit', 7);
    expect(await thread.ended).toEqual(death);
  });

  it('keeps to the first reason that it gave', async () => {
    const thread = await started();
    say({ type: 'crashed', reason: 'a trap' });
    worker.emit('error', new Error('then this'));
    worker.emit('exit', 7);
    expect(await thread.ended).toMatchObject({ reason: 'a trap' });
  });

  it('is sent the bytes of a query themselves, and of everything else a copy', async () => {
    const thread = await started();
    const run = { type: 'run', client: 1, bytes: new Uint8Array(3), partial: false } as const;
    thread.post(run);
    thread.post({ type: 'close' });
    expect(worker.postMessage.mock.calls).toEqual([
      [run, [run.bytes.buffer]],
      [{ type: 'close' }, []],
    ]);
    thread.kill();
    expect(worker.terminate).toHaveBeenCalledTimes(1);
  });

  it('closes itself, and is ended only when its time is over', async () => {
    const thread = await started();
    let isClosed = false;
    void thread.close(500).then(() => (isClosed = true));
    expect(worker.postMessage.mock.calls).toEqual([[{ type: 'close' }, []]]);
    await jest.advanceTimersByTimeAsync(499);
    expect([isClosed, worker.terminate.mock.calls.length]).toEqual([false, 0]);
    await jest.advanceTimersByTimeAsync(1);
    expect([isClosed, worker.terminate.mock.calls.length]).toEqual([false, 1]);
    worker.emit('exit', 1);
    await jest.advanceTimersByTimeAsync(0);
    expect(isClosed).toBe(true);
  });

  it('that has closed itself in time is not ended, and leaves no timer', async () => {
    const thread = await started();
    const closing = thread.close(500);
    worker.emit('exit', 0);
    await closing;
    expect(jest.getTimerCount()).toBe(0);
    expect(worker.terminate).not.toHaveBeenCalled();
  });
});
