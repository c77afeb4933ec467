import { getEventListeners } from 'node:events';
import { ManualClock } from '../../test/support/clock';
import { UnavailableError } from '../common/errors/service-error';
import { REQUEST_PATIENCE_MS } from '../shares/patience';
import { FAILED_LOGINS, FailedLogins, LOGIN_WINDOW } from './failed-logins';

const HERE = { client: 'address|10.0.0.1' };
const THERE = { client: 'address|10.0.0.2' };
const elsewhere = (n: number) => ({ client: `address|10.1.0.${n}` });

const right = () => Promise.resolve('lin');
const wrong = () => Promise.resolve(undefined);

describe('failed logins', () => {
  let clock: ManualClock;
  let logins: FailedLogins;
  let pauses: number[];

  beforeEach(() => {
    clock = new ManualClock();
    pauses = [];
    logins = new FailedLogins(clock, (ms) => Promise.resolve(pauses.push(ms)));
  });

  const fail = async (times: number, caller = HERE, username = 'lin') => {
    for (let n = 0; n < times; n++) expect(await logins.attempt(username, caller, wrong)).toBeUndefined();
  };
  const refusal = { status: 429, message: '请求过于频繁,请稍后再试' };

  it('are ten in a window; then nothing is tried, not even the right password', async () => {
    await fail(FAILED_LOGINS);
    const check = jest.fn(right);
    clock.advance(20_500);
    await expect(logins.attempt('lin', HERE, check)).rejects.toMatchObject({
      ...refusal,
      headers: {
        'Retry-After': '40',
        'X-RateLimit-Limit': '10',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': '40',
      },
    });
    expect(check).not.toHaveBeenCalled();
  });

  it('one fewer, and the right password signs in; that does not count', async () => {
    await fail(FAILED_LOGINS - 1);
    for (let n = 0; n < 20; n++) expect(await logins.attempt('lin', HERE, right)).toBe('lin');
    await fail(1);
    await expect(logins.attempt('lin', HERE, right)).rejects.toMatchObject(refusal);
  });

  it('are forgotten when the window is over, which refused attempts do not prolong', async () => {
    await fail(FAILED_LOGINS);
    clock.advance(LOGIN_WINDOW - 1);
    await expect(logins.attempt('lin', HERE, right)).rejects.toMatchObject({
      headers: { 'Retry-After': '1' },
    });
    clock.advance(1);
    await fail(FAILED_LOGINS);
    await expect(logins.attempt('lin', HERE, right)).rejects.toMatchObject(refusal);
  });

  it('keep nobody out for longer than a window when the clock is set back', async () => {
    await fail(FAILED_LOGINS);
    clock.advance(-3_600_000);
    expect(await logins.attempt('lin', HERE, right)).toBe('lin');
  });

  it('at one address or account say nothing about others', async () => {
    await fail(FAILED_LOGINS);
    expect(await logins.attempt('lin', THERE, right)).toBe('lin');
    expect(await logins.attempt('wang', HERE, right)).toBe('lin');
  });

  it('of spellings that look the same are one account’s', async () => {
    await fail(FAILED_LOGINS, HERE, 'ｌｉｎ');
    await expect(logins.attempt('lin', HERE, right)).rejects.toMatchObject(refusal);
  });

  it('what could not be checked is none', async () => {
    const broken = () => Promise.reject(new Error('no database'));
    for (let n = 0; n < 20; n++) await expect(logins.attempt('lin', HERE, broken)).rejects.toThrow('no data');
    expect(await logins.attempt('lin', HERE, right)).toBe('lin');
  });

  describe('sent at once', () => {
    /** Checks that end when they are told to. */
    function checks() {
      const open: ((found?: string) => void)[] = [];
      const check = () => new Promise<string | undefined>((resolve) => open.push(resolve));
      return { open, check };
    }
    const settle = () => new Promise(setImmediate);

    it('no more are tried than may fail', async () => {
      const { open, check } = checks();
      const attempts = Array.from({ length: 30 }, () => logins.attempt('lin', HERE, check));
      const results = Promise.allSettled(attempts);
      await settle();
      expect(open).toHaveLength(FAILED_LOGINS);
      for (const end of open) end();
      const statuses = (await results).map(({ status }) => status);
      expect(statuses.filter((status) => status === 'rejected')).toHaveLength(20);
      expect(open).toHaveLength(FAILED_LOGINS);
    });

    it('all are tried while they succeed, ten at a time', async () => {
      const { open, check } = checks();
      const attempts = Array.from({ length: 30 }, () => logins.attempt('lin', HERE, check));
      for (let n = 0; n < 30; n++) {
        await settle();
        expect(open.length).toBe(Math.min(30, FAILED_LOGINS + n));
        open[n]!('lin');
      }
      expect(await Promise.all(attempts)).toEqual(Array.from({ length: 30 }, () => 'lin'));
    });

    it('a failure makes room for none', async () => {
      const { open, check } = checks();
      const results = Promise.allSettled(
        Array.from({ length: 11 }, () => logins.attempt('lin', HERE, check)),
      );
      await settle();
      open[0]!();
      await settle();
      expect(open).toHaveLength(FAILED_LOGINS);
      open[1]!('lin');
      await settle();
      expect(open).toHaveLength(FAILED_LOGINS + 1);
      for (const end of open) end('lin');
      expect((await results).every(({ status }) => status === 'fulfilled')).toBe(true);
    });

    it('who goes while waiting for the others makes way for the next', async () => {
      const { open, check } = checks();
      const tried = Array.from({ length: FAILED_LOGINS }, () => logins.attempt('lin', HERE, check));
      const gone = new AbortController();
      const left = logins.attempt('lin', { ...HERE, gone: gone.signal }, check);
      const next = logins.attempt('lin', HERE, check);
      await settle();
      gone.abort();
      await expect(left).rejects.toBeInstanceOf(UnavailableError);
      open[0]!('lin');
      await settle();
      expect(open).toHaveLength(FAILED_LOGINS + 1);
      for (const end of open) end('lin');
      expect(new Set(await Promise.all([...tried, next]))).toEqual(new Set(['lin']));
    });

    it('who has gone before waits for nobody', async () => {
      const { open, check } = checks();
      const tried = Array.from({ length: FAILED_LOGINS }, () => logins.attempt('lin', HERE, check));
      const left = logins.attempt('lin', { ...HERE, gone: AbortSignal.abort() }, check);
      await expect(left).rejects.toBeInstanceOf(UnavailableError);
      for (const end of open) end('lin');
      expect(await Promise.all(tried)).toHaveLength(FAILED_LOGINS);
    });

    it('nobody waits for the others longer than for anything else', async () => {
      jest.useFakeTimers();
      try {
        const { check } = checks();
        for (let n = 0; n < FAILED_LOGINS; n++) void logins.attempt('lin', HERE, check);
        let refusal: unknown;
        logins.attempt('lin', HERE, check).catch((error: unknown) => (refusal = error));
        await jest.advanceTimersByTimeAsync(REQUEST_PATIENCE_MS - 1);
        expect(refusal).toBeUndefined();
        await jest.advanceTimersByTimeAsync(1);
        expect(refusal).toBeInstanceOf(UnavailableError);
        expect(jest.getTimerCount()).toBe(0);
      } finally {
        jest.useRealTimers();
      }
    });
  });

  it('who has gone is not tried any more, and counts for nothing', async () => {
    const gone = new AbortController();
    gone.abort();
    const check = jest.fn(wrong);
    for (let n = 0; n < 20; n++) await logins.attempt('lin', { ...HERE, gone: gone.signal }, check);
    expect(check).not.toHaveBeenCalled();
    expect(await logins.attempt('lin', HERE, right)).toBe('lin');
  });

  describe('over all addresses', () => {
    it('slow an account down after five, doubling to a bound', async () => {
      for (let n = 0; n < 14; n++) await fail(1, elsewhere(n));
      expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
      expect(await logins.attempt('lin', HERE, right)).toBe('lin');
      expect(pauses.at(-1)).toBe(5000);
    });

    it('nobody who has gone before is waited for', async () => {
      jest.useFakeTimers();
      try {
        const paused = new FailedLogins(clock);
        const failing = Promise.all(
          Array.from({ length: 14 }, (_, n) => paused.attempt('lin', elsewhere(n), wrong)),
        );
        await jest.runAllTimersAsync();
        await failing;
        const left = paused.attempt('lin', { ...THERE, gone: AbortSignal.abort() }, right);
        expect(await left).toBeUndefined();
        expect(jest.getTimerCount()).toBe(0);
      } finally {
        jest.useRealTimers();
      }
    });

    it('nobody who goes is waited for', async () => {
      const paused = new FailedLogins(clock);
      const fails = Array.from({ length: 14 }, (_, n) => paused.attempt('lin', elsewhere(n), wrong));
      await Promise.all(fails);
      const check = jest.fn(right);
      const [staying, leaving] = [new AbortController(), new AbortController()];
      const first = paused.attempt('lin', { ...HERE, gone: staying.signal }, check).then(() => 'paused');
      const second = paused.attempt('lin', { ...THERE, gone: leaving.signal }, check).then(() => 'left');
      leaving.abort();
      // Both pauses are as long: without the abort the first one's would end first.
      expect(await Promise.race([first, second])).toBe('left');
      staying.abort();
      await first;
      expect(check).not.toHaveBeenCalled();
      for (const { signal } of [staying, leaving]) expect(getEventListeners(signal, 'abort')).toEqual([]);
    });

    it('never where somebody has signed in to it before, or made it', async () => {
      await logins.attempt('lin', HERE, right);
      logins.signedIn('lin', THERE);
      for (let n = 0; n < 30; n++) await fail(1, elsewhere(n));
      pauses = [];
      for (const caller of [HERE, THERE]) expect(await logins.attempt('lin', caller, right)).toBe('lin');
      expect(pauses).toEqual([]);
    });

    it('a login that fails makes no address known, and other accounts stay as fast', async () => {
      for (let n = 0; n < 8; n++) await fail(1, elsewhere(n));
      pauses = [];
      await fail(1, elsewhere(0));
      expect(pauses).toEqual([800]);
      await logins.attempt('wang', elsewhere(0), right);
      expect(pauses).toEqual([800]);
    });

    it('are forgiven a quarter of an hour after the last', async () => {
      const quarter = 15 * 60_000;
      for (let n = 0; n < 8; n++) await fail(1, elsewhere(n));
      pauses = [];
      clock.advance(quarter - 1);
      await logins.attempt('lin', HERE, right);
      expect(pauses).toEqual([800]);
      clock.advance(1);
      await logins.attempt('lin', THERE, right);
      await fail(5, THERE);
      expect(pauses).toEqual([800]);
      await fail(1, elsewhere(1));
      expect(pauses).toEqual([800, 100]);
    });
  });

  it('are kept of 50 000 accounts at most', async () => {
    for (let n = 0; n < 60_000; n++) await logins.attempt(`guess ${n}`, HERE, wrong);
    const { attempts, failures } = logins as unknown as Record<string, { size: number }>;
    for (const kept of [attempts!, failures!]) expect(kept.size).toBeLessThanOrEqual(50_000);
  });

  describe('over several instances', () => {
    /** What they count together. */
    const shared = () => {
      const counts = { added: 0, failed: 0 };
      return {
        counts,
        add: jest.fn(() => Promise.resolve({ count: ++counts.added, left: 30_000 })),
        takeBack: jest.fn(() => Promise.resolve(void counts.added--)),
        fail: jest.fn(() => Promise.resolve(void counts.failed++)),
        failed: jest.fn(() => Promise.resolve<number | undefined>(counts.failed)),
      };
    };

    it('what has failed stays counted, what has not is taken back', async () => {
      const others = shared();
      const one = new FailedLogins(clock, () => Promise.resolve(), others);
      await one.attempt('lin', HERE, right);
      await one.attempt('lin', HERE, wrong);
      await expect(one.attempt('lin', HERE, () => Promise.reject(new Error('no data')))).rejects.toThrow(
        'no data',
      );
      expect(others.counts).toEqual({ added: 1, failed: 1 });
      // Known failures are forgotten with the window.
      expect(others.fail).toHaveBeenCalledWith(expect.any(String), 30_000);
    });

    it('the right password waits while others are under way, and is not refused for them', async () => {
      const others = shared();
      others.counts.added = FAILED_LOGINS;
      let looks = 0;
      const end = () => {
        looks += 1;
        if (looks === 30) others.counts.added -= 1;
        return Promise.resolve();
      };
      expect(await new FailedLogins(clock, end, others).attempt('lin', HERE, right)).toBe('lin');
      expect(looks).toBe(30);
    });

    it('is refused at once where so many have failed, and in the end where nobody tells of the others', async () => {
      const check = jest.fn(right);
      for (const [failed, looks] of [
        [FAILED_LOGINS, 0],
        [FAILED_LOGINS - 1, 50],
        [undefined, 0],
      ] as const) {
        const others = shared();
        others.counts.added = FAILED_LOGINS;
        others.failed.mockResolvedValue(failed);
        const paused = jest.fn(() => Promise.resolve());
        const one = new FailedLogins(clock, paused, others);
        await expect(one.attempt('lin', HERE, check)).rejects.toMatchObject({
          ...refusal,
          headers: expect.objectContaining({ 'Retry-After': '30' }) as object,
        });
        expect(paused).toHaveBeenCalledTimes(looks);
        expect(others.counts.added).toBe(FAILED_LOGINS);
      }
      expect(check).not.toHaveBeenCalled();
    });

    it('each counts alone while the count is not known', async () => {
      const others = { ...shared(), add: () => Promise.resolve(undefined) };
      const one = new FailedLogins(clock, () => Promise.resolve(), others);
      await one.attempt('lin', HERE, wrong);
      expect(others.fail).not.toHaveBeenCalled();
      expect(others.takeBack).not.toHaveBeenCalled();
    });
  });
});
