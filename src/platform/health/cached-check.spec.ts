import { ManualClock } from '../../../test/support/clock';
import { CachedCheck, CHECK_TIMEOUT_MS } from './cached-check';

function start() {
  const checks: { resolve: () => void; reject: (error: Error) => void; signal: AbortSignal }[] = [];
  const check = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => checks.push({ resolve, reject, signal }));
  const clock = new ManualClock();
  const results: [boolean, unknown?][] = [];
  const watched = new CachedCheck(check, clock, (...result) => results.push(result));
  const pass = (ms: number) => {
    clock.advance(ms);
    return jest.advanceTimersByTimeAsync(ms);
  };
  return { checks, watched, pass, results };
}

describe('CachedCheck', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('asks once for a thousand requests, and again after a second', async () => {
    const { checks, watched, pass } = start();
    const answers = Array.from({ length: 1000 }, () => watched.isUp());
    checks[0]!.resolve();
    expect(new Set(await Promise.all(answers))).toEqual(new Set([true]));
    await pass(999);
    await watched.isUp();
    expect(checks).toHaveLength(1);
    await pass(1);
    void watched.isUp();
    expect(checks).toHaveLength(2);
    expect(CHECK_TIMEOUT_MS).toBe(1800);
  });

  it('one that hangs is down, told to stop, and not asked again before it has ended', async () => {
    const { checks, watched, pass } = start();
    const answer = watched.isUp();
    await pass(CHECK_TIMEOUT_MS);
    expect(await answer).toBe(false);
    expect(checks[0]!.signal.aborted).toBe(true);
    await pass(60_000);
    expect(await watched.isUp()).toBe(false);
    expect(checks).toHaveLength(1);

    checks[0]!.reject(new Error('late'));
    await pass(0);
    const next = watched.isUp();
    checks[1]!.resolve();
    expect(await next).toBe(true);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('reports every answer, with the reason where it is down', async () => {
    const { checks, watched, pass, results } = start();
    for (const [index, isUp] of [false, true].entries()) {
      const answer = watched.isUp();
      if (isUp) checks[index]!.resolve();
      else checks[index]!.reject(new Error('lost'));
      expect(await answer).toBe(isUp);
      await pass(1000);
    }
    expect(results).toEqual([[false, new Error('lost')], [true]]);
  });
});
