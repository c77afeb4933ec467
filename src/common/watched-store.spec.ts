import { Logger } from '@nestjs/common';
import { ManualClock } from '../../test/support/clock';
import { StoreFault, WatchedStore } from './watched-store';

const PATIENCE = 250;
const SECRET = 'key-of-lin';

/** A watched store whose calls end when the test says so. */
function start() {
  const calls: { resolve: (value?: unknown) => void; reject: (error: unknown) => void }[] = [];
  const clock = new ManualClock();
  const watched = new WatchedStore('STORE', 'done here', PATIENCE, clock);
  const call = () => new Promise((resolve, reject) => calls.push({ resolve, reject }));
  const ask = (how: () => unknown = call) =>
    watched.ask<unknown>(
      how,
      (answer) => answer,
      () => 'instead',
    );
  const fail = () => ask(() => Promise.reject(new Error(SECRET)));
  const succeed = () => ask(() => 'answer');
  const pass = (ms: number) => {
    clock.advance(ms);
    return jest.advanceTimersByTimeAsync(ms);
  };
  return { watched, calls, ask, fail, succeed, pass };
}

describe('WatchedStore', () => {
  const down = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const up = jest.spyOn(Logger.prototype, 'log').mockImplementation();
  beforeEach(() => {
    jest.useFakeTimers();
    down.mockClear();
    up.mockClear();
  });
  afterEach(() => jest.useRealTimers());
  afterAll(() => jest.restoreAllMocks());

  it('gives what the store answers, and leaves no timer', async () => {
    const { calls, ask } = start();
    const answer = ask();
    calls[0]!.resolve(7);
    expect(await answer).toBe(7);
    expect(jest.getTimerCount()).toBe(0);
    expect(down).not.toHaveBeenCalled();
  });

  it.each<[string, () => unknown]>([
    ['rejects', () => Promise.reject(new Error(SECRET))],
    [
      'throws',
      () => {
        throw new Error(SECRET);
      },
    ],
    ['rejects with no error', jest.fn().mockRejectedValue(SECRET)],
    [
      'gives something that only looks like a promise',
      () => ({
        then: () => {
          throw new TypeError(SECRET);
        },
      }),
    ],
  ])('one that %s: the same is done without it, and the log shows nothing of it', async (_, how) => {
    const { ask, succeed } = start();
    expect(await ask(how)).toBe('instead');
    expect(jest.getTimerCount()).toBe(0);
    expect(down).toHaveBeenCalledTimes(1);
    expect(down.mock.calls[0]![0]).toMatch(
      /^STORE fails \((Error|TypeError|a failure that is no Error)\): done here$/,
    );
    expect(JSON.stringify(down.mock.calls)).not.toContain(SECRET);
    // Nothing is left of it: as often as one likes.
    for (let n = 0; n < 1100; n++) {
      await ask(how);
      for (let good = 0; good < 11; good++) await succeed();
    }
    expect(await succeed()).toBe('answer');
  });

  it('an answer that cannot be read is a failure', async () => {
    const { watched } = start();
    const read = () => {
      throw new StoreFault('No count');
    };
    expect(
      await watched.ask(
        () => 1,
        read,
        () => 2,
      ),
    ).toBe(2);
    expect(down.mock.calls).toEqual([['STORE fails (No count): done here']]);
  });

  it('tells the code of an error that is one', async () => {
    const { ask } = start();
    await ask(() => Promise.reject(Object.assign(new TypeError(SECRET), { code: 'ECONNREFUSED' })));
    const other = start();
    await other.ask(() => Promise.reject(Object.assign(new Error(SECRET), { code: SECRET })));
    expect(down.mock.calls).toEqual([
      ['STORE fails (TypeError ECONNREFUSED): done here'],
      ['STORE fails (Error): done here'],
    ]);
  });

  it('waits for so long and no longer; what comes later disturbs nobody', async () => {
    const { calls, ask, pass } = start();
    let answer: unknown;
    void ask().then((value) => (answer = value));
    void ask();
    await pass(PATIENCE - 1);
    expect(answer).toBeUndefined();
    await pass(2);
    expect(answer).toBe('instead');
    calls[0]!.resolve('late');
    calls[1]!.reject(new Error('late'));
    await pass(0);
    expect(answer).toBe('instead');
  });

  it('an answer that arrives while the process was busy counts', async () => {
    const { calls, ask } = start();
    const answer = ask();
    // The time is over, and the answer is read in the same turn of the event loop.
    jest.advanceTimersByTime(PATIENCE);
    calls[0]!.resolve('answer');
    expect(await answer).toBe('answer');
  });

  it('no wait keeps the process', () => {
    const timers = jest.spyOn(global, 'setTimeout');
    void start().ask();
    expect((timers.mock.results[0]!.value as NodeJS.Timeout).hasRef()).toBe(false);
    timers.mockRestore();
  });

  it('after five failures in a row it is left alone for five seconds, then one call tries it', async () => {
    const { calls, ask, fail, pass } = start();
    for (let n = 0; n < 5; n++) await fail();
    expect(await ask()).toBe('instead');
    await pass(4999);
    expect(await ask()).toBe('instead');
    expect(calls).toHaveLength(0);
    await pass(1);
    const trying = ask();
    expect(await Promise.all([ask(), ask()])).toEqual(['instead', 'instead']);
    expect(calls).toHaveLength(1);
    calls[0]!.resolve('answer');
    expect(await trying).toBe('answer');
    expect(await ask(() => 'answer')).toBe('answer');
  });

  it('a try that fails begins the pause anew, and so it comes back whenever the store does', async () => {
    const { calls, ask, fail, pass } = start();
    for (let n = 0; n < 5; n++) await fail();
    for (let tries = 1; tries < 10; tries++) {
      await pass(5000);
      const trying = ask();
      await pass(PATIENCE + 1);
      expect(await trying).toBe('instead');
      expect(await ask()).toBe('instead');
      expect(calls).toHaveLength(tries);
    }
    await pass(5000);
    expect(await ask(() => 'answer')).toBe('answer');
  });

  it('four failures, or one call in twelve, leave it in use; every other call that fails does not', async () => {
    const { ask, fail, succeed } = start();
    const isUsed = async () => (await ask(() => 'answer')) === 'answer';
    for (let n = 0; n < 4; n++) await fail();
    expect(await isUsed()).toBe(true);
    for (let n = 0; n < 100; n++) await succeed();
    for (let n = 0; n < 100; n++) {
      await fail();
      for (let good = 0; good < 11; good++) expect(await succeed()).toBe('answer');
    }
    for (let n = 0; n < 10; n++) {
      await fail();
      await succeed();
    }
    expect(await isUsed()).toBe(false);
  });

  it('of a thousand who ask one that hangs each waits once, and no more than a thousand calls are open', async () => {
    const { calls, ask, pass } = start();
    const answers = Array.from({ length: 1500 }, () => ask());
    expect(calls).toHaveLength(1000);
    await pass(PATIENCE + 1);
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['instead']));
    expect(down).toHaveBeenCalledTimes(1);
    // None has ended yet.
    await pass(5000);
    expect(await ask()).toBe('instead');
    expect(calls).toHaveLength(1000);
    // One of them ends: there is room for a try.
    calls[0]!.resolve();
    await pass(0);
    void ask();
    expect(calls).toHaveLength(1001);
  });

  it('tells that it fails and works again once each, however it comes and goes', async () => {
    const { fail, succeed, pass } = start();
    for (let n = 0; n < 100; n++) {
      await fail();
      await pass(100);
      for (let good = 0; good < 11; good++) await succeed();
    }
    expect([down.mock.calls.length, up.mock.calls.length]).toEqual([1, 0]);
    await pass(5000);
    await succeed();
    await succeed();
    expect([down.mock.calls.length, up.mock.calls]).toEqual([1, [['STORE works again']]]);
    await fail();
    expect(down).toHaveBeenCalledTimes(2);
  });
});
