import { Clock } from '../common/clock';
import { WindowCounterStorage } from './window-counter.storage';

class ManualClock extends Clock {
  time = 1_000_000;

  override now() {
    return this.time;
  }
}

const TTL = 10_000;

describe('window counter', () => {
  let clock: ManualClock;
  let storage: WindowCounterStorage;
  const hit = (key = 'a', limit = 2) => storage.increment(key, TTL, limit);

  const kept = () => (storage as unknown as { windows: { size: number } }).windows.size;

  beforeEach(() => {
    clock = new ManualClock();
    storage = new WindowCounterStorage(clock);
  });

  it('admits up to the limit and blocks beyond', async () => {
    expect(await hit()).toEqual({
      totalHits: 1,
      timeToExpire: 10,
      isBlocked: false,
      timeToBlockExpire: 10,
    });
    expect((await hit()).isBlocked).toBe(false);
    expect(await hit()).toMatchObject({ totalHits: 3, isBlocked: true });
  });

  it('counts each key by itself', async () => {
    for (let n = 0; n < 3; n++) await hit('a');
    expect(await hit('b')).toMatchObject({ totalHits: 1, isBlocked: false });
  });

  it('starts its window with the first hit, and a new one when that is over', async () => {
    await hit();
    clock.time += 9_001;
    expect(await hit()).toMatchObject({ totalHits: 2, timeToExpire: 1 });
    clock.time += 998;
    expect(await hit()).toMatchObject({ totalHits: 3, timeToExpire: 1, isBlocked: true });
    clock.time += 1;
    expect(await hit()).toMatchObject({ totalHits: 1, timeToExpire: 10, isBlocked: false });
  });

  it('blocks nobody for longer than a window when the clock is set back', async () => {
    for (let n = 0; n < 3; n++) await hit();
    clock.time -= 3_600_000;
    expect(await hit()).toMatchObject({ totalHits: 1, timeToExpire: 10, isBlocked: false });
  });

  it('forgets clients that are gone for two windows', async () => {
    for (let n = 0; n < 1000; n++) await hit(`client ${n}`);
    expect(kept()).toBe(1000);
    clock.time += TTL;
    await hit('the next');
    expect(kept()).toBe(1001);
    clock.time += TTL;
    await hit('the next');
    expect(kept()).toBe(1);
  });

  it('forgets none of a long window because others have short ones', async () => {
    await hit();
    for (let n = 0; n < 9; n++) {
      clock.time += 1000;
      await storage.increment('short', 1000, 2);
    }
    expect(await hit()).toMatchObject({ totalHits: 2, timeToExpire: 1 });
  });

  it('blocks for as long as it is told to', async () => {
    const guess = (duration: number, key = `${duration}`) => storage.increment(key, TTL, 1, duration);
    await guess(60_000);
    clock.time += 1000;
    expect(await guess(60_000)).toMatchObject({ isBlocked: true, timeToBlockExpire: 60, timeToExpire: 60 });
    clock.time += 1000;
    expect(await guess(60_000)).toMatchObject({ isBlocked: true, timeToBlockExpire: 59 });
    clock.time += 58_000;
    expect(await guess(60_000)).toMatchObject({ totalHits: 4, isBlocked: true, timeToBlockExpire: 1 });
    clock.time += 1000;
    expect(await guess(60_000)).toMatchObject({ totalHits: 1, isBlocked: false, timeToExpire: 10 });
    await guess(2000);
    expect(await guess(2000)).toMatchObject({ isBlocked: true, timeToBlockExpire: 2 });
    clock.time += 2000;
    expect(await guess(2000)).toMatchObject({ totalHits: 1, isBlocked: false });
  });

  it('counts 50 000 clients; the one who asks is not forgotten, however many others come', async () => {
    await hit();
    for (let n = 0; n < 100_000; n++) {
      await hit(`client ${n}`);
      if (n % 1000 === 0) await hit('a', 1);
    }
    expect(kept()).toBeLessThanOrEqual(50_000);
    expect(kept()).toBeGreaterThan(25_000);
    expect(await hit('a', 1)).toMatchObject({ totalHits: 102, isBlocked: true });
  });
});
