import { Logger } from '@nestjs/common';
import { ManualClock } from '../../test/support/clock';
import { INDICATOR_PATIENCE, WatchedIndicator } from './watched-indicator';

function start() {
  const checks: { resolve: () => void; reject: (error: Error) => void; signal: AbortSignal }[] = [];
  const check = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => checks.push({ resolve, reject, signal }));
  const clock = new ManualClock();
  const watched = new WatchedIndicator({ name: 'queue', check }, clock);
  const pass = (ms: number) => {
    clock.advance(ms);
    return jest.advanceTimersByTimeAsync(ms);
  };
  return { checks, watched, pass };
}

describe('WatchedIndicator', () => {
  const down = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const up = jest.spyOn(Logger.prototype, 'log').mockImplementation();
  beforeEach(() => {
    jest.useFakeTimers();
    down.mockClear();
    up.mockClear();
  });
  afterEach(() => jest.useRealTimers());
  afterAll(() => jest.restoreAllMocks());

  it('asks once for a thousand requests, and anew after a second', async () => {
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
    expect(INDICATOR_PATIENCE).toBe(1800);
  });

  it('one that hangs is down, told to stop, and not asked again before it has ended', async () => {
    const { checks, watched, pass } = start();
    const answer = watched.isUp();
    await pass(INDICATOR_PATIENCE);
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

  it('logs that it goes down and comes up again, each once', async () => {
    const { checks, watched, pass } = start();
    for (const [index, isUp] of [false, false, true, true].entries()) {
      const answer = watched.isUp();
      if (isUp) checks[index]!.resolve();
      else checks[index]!.reject(new Error('lost'));
      expect(await answer).toBe(isUp);
      await pass(1000);
    }
    expect(down.mock.calls).toEqual([
      [{ err: expect.objectContaining({ message: 'lost' }) as unknown }, 'queue is down'],
    ]);
    expect(up.mock.calls).toEqual([['queue is up again']]);
  });
});
