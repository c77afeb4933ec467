import { Logger } from '@nestjs/common';
import { ManualClock } from '../../../test/support/clock';
import { CircuitBreaker } from './circuit-breaker';

const TIMEOUT_MS = 250;
const SECRET = 'key-of-lin';

/** A Redis whose calls end when the test says so. */
function start() {
  const calls: { resolve: (value?: unknown) => void; reject: (error: unknown) => void }[] = [];
  const clock = new ManualClock();
  const circuit = new CircuitBreaker(TIMEOUT_MS, clock);
  const pending = () => new Promise<unknown>((resolve, reject) => calls.push({ resolve, reject }));
  const execute = (call: () => Promise<unknown> = pending) => circuit.execute(call, () => 'instead');
  const fail = () => execute(() => Promise.reject(new Error(SECRET)));
  const pass = (ms: number) => {
    clock.advance(ms);
    return jest.advanceTimersByTimeAsync(ms);
  };
  return { circuit, calls, execute, fail, pass };
}

describe('CircuitBreaker', () => {
  const down = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const up = jest.spyOn(Logger.prototype, 'log').mockImplementation();
  beforeEach(() => {
    jest.useFakeTimers();
    down.mockClear();
    up.mockClear();
  });
  afterEach(() => jest.useRealTimers());
  afterAll(() => jest.restoreAllMocks());

  it('gives what Redis answers, and leaves no timer', async () => {
    const { calls, execute } = start();
    const answer = execute();
    calls[0]!.resolve(7);
    expect(await answer).toBe(7);
    expect(jest.getTimerCount()).toBe(0);
    expect(down).not.toHaveBeenCalled();
  });

  it.each<[string, () => Promise<unknown>]>([
    ['rejects', () => Promise.reject(new Error(SECRET))],
    ['rejects with no error', () => jest.fn<Promise<unknown>, []>().mockRejectedValue(SECRET)()],
  ])('uses the fallback for a Redis that %s, and the log shows nothing of the call', async (_, call) => {
    const { execute } = start();
    expect(await execute(call)).toBe('instead');
    expect(jest.getTimerCount()).toBe(0);
    expect(down).toHaveBeenCalledTimes(1);
    expect(down.mock.calls[0]![0]).toMatch(
      /^Redis fails \((Error|a failure that is no Error)\): each instance keeps its own limits/,
    );
    expect(JSON.stringify(down.mock.calls)).not.toContain(SECRET);
  });

  it('logs the code of an error that is one', async () => {
    await start().execute(() =>
      Promise.reject(Object.assign(new TypeError(SECRET), { code: 'ECONNREFUSED' })),
    );
    await start().execute(() => Promise.reject(Object.assign(new Error(SECRET), { code: SECRET })));
    expect(down.mock.calls).toEqual([
      [expect.stringContaining('Redis fails (TypeError ECONNREFUSED): ')],
      [expect.stringContaining('Redis fails (Error): ')],
    ]);
  });

  it('waits for so long and no longer; what comes later disturbs nobody', async () => {
    const { calls, execute, pass } = start();
    let answer: unknown;
    void execute().then((value) => (answer = value));
    void execute();
    await pass(TIMEOUT_MS - 1);
    expect(answer).toBeUndefined();
    await pass(2);
    expect(answer).toBe('instead');
    calls[0]!.resolve('late');
    calls[1]!.reject(new Error('late'));
    await pass(0);
    expect(answer).toBe('instead');
  });

  it('takes an answer that arrives while the process was busy', async () => {
    const { calls, execute } = start();
    const answer = execute();
    // The time is over, and the answer is read in the same turn of the event loop.
    jest.advanceTimersByTime(TIMEOUT_MS);
    calls[0]!.resolve('answer');
    expect(await answer).toBe('answer');
  });

  it('does not call one that fails again and again, and tries it after five seconds', async () => {
    const { circuit, calls, execute, fail, pass } = start();
    for (let n = 0; n < 3; n++) await fail();
    expect(circuit.figures).toEqual({ isFailing: true, failed: 3 });
    await pass(4999);
    expect(await execute()).toBe('instead');
    expect(calls).toHaveLength(0);
    await pass(1);
    await fail();
    expect(await execute()).toBe('instead');
    expect(calls).toHaveLength(0);
    await pass(5000);
    expect(await execute(() => Promise.resolve('answer'))).toBe('answer');
    expect([down.mock.calls.length, up.mock.calls]).toEqual([1, [['Redis works again']]]);
    expect(circuit.figures).toEqual({ isFailing: false, failed: 4 });
  });

  it('does not call one that fails in every other call, and logs it once', async () => {
    const { execute, fail } = start();
    for (let n = 0; n < 4; n++) {
      await fail();
      await execute(() => Promise.resolve('answer'));
    }
    expect(await execute(() => Promise.resolve('answer'))).toBe('instead');
    expect([down.mock.calls.length, up.mock.calls.length]).toEqual([1, 0]);
  });

  it('calls one that fails in few of its calls', async () => {
    const { execute, fail } = start();
    for (let n = 0; n < 5; n++) {
      await fail();
      for (let good = 0; good < 10; good++) await execute(() => Promise.resolve('answer'));
    }
    expect(await execute(() => Promise.resolve('answer'))).toBe('answer');
  });

  it('tries it at once when it is closed', async () => {
    const { circuit, execute, fail } = start();
    for (let n = 0; n < 3; n++) await fail();
    circuit.close();
    expect(await execute(() => Promise.resolve('answer'))).toBe('answer');
  });
});
