import { Logger } from '@nestjs/common';
import { ManualClock } from '../../../../test/support/clock';
import { ManualScheduler } from '../../../../test/support/manual-scheduler';
import { type AiRate, SlidingWindowRate } from './ai-rate';
import { AI_RATE_STORE, SharedRate } from './shared-rate';
import { discovering } from '../../../../test/support/discovery';
import { WatchedStore } from '../../../common/watched-store';
import { Redis } from '../../../redis/redis.module';
import type { SharedState } from '../../../redis/shared-state';

/** One window for all instances, as a store keeps it. */
class SharedWindow {
  private taken: number[] = [];
  asked: unknown[][] = [];

  constructor(private readonly time: ManualScheduler) {}

  take = (limit: number, window: number): Promise<number> => {
    this.asked.push([limit, window]);
    const now = this.time.now();
    this.taken = this.taken.filter((at) => at + window > now);
    if (this.taken.length >= limit) return Promise.resolve(this.taken[0]! + window - now);
    this.taken.push(now);
    return Promise.resolve(0);
  };
}

describe('SharedRate', () => {
  const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const recovered = jest.spyOn(Logger.prototype, 'log').mockImplementation();
  let time: ManualScheduler;
  let clock: ManualClock;
  let sent: number[];

  beforeEach(() => {
    time = new ManualScheduler();
    clock = new ManualClock();
    sent = [];
    failed.mockClear();
    recovered.mockClear();
  });
  afterAll(() => jest.restoreAllMocks());

  /** An instance of the service that has this store. */
  function instance(store?: object) {
    const wrapper = { token: AI_RATE_STORE, instance: store, host: { name: 'RedisModule' } };
    const discovery = discovering(...(store ? [wrapper] : []));
    const own = new SlidingWindowRate(time);
    const shared = new SharedRate(own, discovery, time, clock, new Redis(undefined));
    shared.onModuleInit();
    return { rate: own, shared };
  }

  const ask = (rate: AiRate, times = 1) =>
    Array.from({ length: times }, () => rate.acquire().subscribe(() => sent.push(time.now())));
  const pass = async (ms: number) => {
    clock.advance(ms);
    await time.advance(ms);
  };

  it('tells how many wait for a place of the store', async () => {
    const { rate, shared } = instance(new SharedWindow(time));
    const asked = ask(rate, 25);
    await pass(100);
    expect(shared.waitingCount).toBe(15);
    asked.at(-1)!.unsubscribe();
    expect(shared.waitingCount).toBe(14);
  });

  it('of two instances together never more than ten are sent in a window, none lost', async () => {
    const store = new SharedWindow(time);
    for (const { rate } of [instance(store), instance(store)]) ask(rate, 25);
    await pass(60_000);
    expect(sent).toHaveLength(50);
    sent.sort((a, b) => a - b);
    // 300 ms more than a second: a request may travel for so long.
    for (let n = 10; n < 50; n++) expect(sent[n]! - sent[n - 10]!).toBeGreaterThanOrEqual(1300);
    expect(store.asked[0]).toEqual([10, 1300]);
    // One instance asks once for all that wait.
    expect(store.asked.length).toBeLessThan(100);
    expect(failed).not.toHaveBeenCalled();
  });

  it('in Redis a place is named, and told when its request has arrived', async () => {
    const told: unknown[][] = [];
    const answer =
      (word: string) =>
      (...asked: unknown[]) =>
        Promise.resolve(told.push([word, ...asked]) && 0);
    const aiRate = { take: answer('take'), arrived: answer('arrived') };
    const watched = new WatchedStore('Redis', 'alone', 250, clock);
    const own = new SlidingWindowRate(time);
    const redis = new Redis({ aiRate, watched } as unknown as SharedState);
    new SharedRate(own, discovering(), time, clock, redis).onModuleInit();
    own.acquire().subscribe((slot) => time.schedule(() => slot.arrived(), 40));
    own.acquire().subscribe();
    await pass(30);
    const [[, , , first], [, , , second]] = told as [string[], string[]];
    expect(told).toEqual([
      ['take', 10, 1300, first],
      ['take', 10, 1300, second],
    ]);
    expect(first).not.toBe(second);
    await pass(20);
    expect(told.slice(2)).toEqual([['arrived', first, 1300, 1000]]);
    // Where nothing is heard of it, it has arrived after the longest trip.
    await pass(300);
    expect(told.slice(3)).toEqual([['arrived', second, 1300, 1000]]);
  });

  it('serves in order, and passes over those who have left', async () => {
    const { rate } = instance(new SharedWindow(time));
    const [, ...waiting] = ask(rate, 14);
    const order: string[] = [];
    const leaver = rate.acquire().subscribe(() => order.push('left'));
    rate.acquire().subscribe(() => order.push('last'));
    await pass(100);
    expect(sent).toHaveLength(10);
    leaver.unsubscribe();
    waiting.slice(9, 12).forEach((one) => one.unsubscribe());
    await pass(1300);
    expect(sent).toHaveLength(11);
    expect(order).toEqual(['last']);
  });

  it.each<[string, () => unknown]>([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
    ['answers NaN', () => NaN],
    ['answers a time before now', () => -1],
    ['answers nothing', () => undefined],
    ['answers a text', () => '0'],
    ['answers another shape', () => ({ wait: 0 })],
    ['answers seconds to come', () => 60_000],
  ])('where the store %s, our own rate holds', async (_, take) => {
    const { rate } = instance({ take });
    ask(rate, 25);
    await pass(900);
    expect(sent).toHaveLength(10);
    await pass(5000);
    expect(sent).toHaveLength(25);
    for (let n = 10; n < 25; n++) expect(sent[n]! - sent[n - 10]!).toBeGreaterThanOrEqual(1000);
    expect(failed).toHaveBeenCalledTimes(1);
    expect(failed.mock.calls[0]![0]).toMatch(
      /^AI_RATE_STORE fails \(.+\): this process keeps the rate alone$/,
    );
  });

  it('a store that lets everything through loosens nothing', async () => {
    const { rate } = instance({ take: () => Promise.resolve(0) });
    ask(rate, 25);
    await pass(900);
    expect(sent).toHaveLength(10);
  });

  it('a store that refuses for ever is not believed after ten seconds, nor later until it gives a place', async () => {
    let refuses = true;
    const take = jest.fn(() => Promise.resolve(refuses ? 1000 : 0));
    const { rate } = instance({ take });
    ask(rate, 5);
    for (let second = 0; second < 9; second++) await pass(1000);
    expect(sent).toHaveLength(0);
    for (let second = 0; second < 3; second++) await pass(1000);
    expect(sent).toHaveLength(5);
    await pass(60_000);
    ask(rate, 5);
    await pass(1);
    expect(sent).toHaveLength(10);
    expect(failed).toHaveBeenCalledTimes(1);
    refuses = false;
    await pass(10_000);
    ask(rate, 1);
    await pass(1);
    expect(recovered).toHaveBeenCalledWith('AI_RATE_STORE works again');
    refuses = true;
    ask(rate, 1);
    await pass(9000);
    expect(sent).toHaveLength(11);
  });

  it('a store that refuses now and then, with long breaks in between, is believed', async () => {
    const take = jest.fn();
    const { rate } = instance({ take });
    for (let n = 0; n < 3; n++) {
      take.mockResolvedValueOnce(500);
      const [only] = ask(rate);
      await pass(100);
      only!.unsubscribe();
      await pass(20_000);
    }
    expect(failed).not.toHaveBeenCalled();
  });

  it('asks not more often than a hundred times a second, whatever it is told', async () => {
    const take = jest.fn(() => Promise.resolve(0.001));
    const { rate } = instance({ take });
    ask(rate);
    await pass(1000);
    expect(take.mock.calls.length).toBeLessThanOrEqual(101);
  });
});
