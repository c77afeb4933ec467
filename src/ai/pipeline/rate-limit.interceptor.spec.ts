import { AsyncLocalStorage } from 'node:async_hooks';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { NEVER, type Observable, of, Subject, type Subscription, throwError } from 'rxjs';
import { aiCall, answer, around, part, watch } from '../../../test/support/ai-calls';
import type { AiCall, AiEvent } from './ai-call';
import { AiRate, RateLimitInterceptor, type RateSlot } from './rate-limit.interceptor';
import { ManualScheduler } from '../../../test/support/manual-scheduler';
import { samples } from '../../../test/support/random-numbers';
import { ManualClock } from '../../../test/support/clock';
import { CircuitBreaker } from '../../platform/redis/circuit-breaker';
import { Redis } from '../../platform/redis/redis.module';
import type { SharedState } from '../../platform/redis/shared-state';

/** Gives permissions when a test says so. */
class ManualRate implements Pick<AiRate, 'acquire'> {
  readonly asked = new Subject<RateSlot>();
  arrivals = 0;

  acquire(): Observable<RateSlot> {
    return this.asked;
  }

  grant(): void {
    this.asked.next({ arrived: () => (this.arrivals += 1) });
  }
}

describe('RateLimitInterceptor', () => {
  let rate: ManualRate;
  beforeEach(() => (rate = new ManualRate()));

  async function run(events: Observable<AiEvent>, call: AiCall = aiCall()) {
    let requests = 0;
    const handle = () => {
      requests += 1;
      return events;
    };
    const seen = watch(await around(new RateLimitInterceptor(rate as unknown as AiRate), call, handle));
    return { seen, requests: () => requests };
  }

  it('sends nothing before it may', async () => {
    const { seen, requests } = await run(of(answer('a')));
    expect(requests()).toBe(0);
    rate.grant();
    expect(requests()).toBe(1);
    expect(seen.events).toEqual([answer('a')]);
  });

  it('takes the first sign of an answer, a failure too, for the arrival', async () => {
    const events = new Subject<AiEvent>();
    await run(events);
    rate.grant();
    expect(rate.arrivals).toBe(0);
    events.next(part('a'));
    expect(rate.arrivals).toBe(1);
    const failed = await run(throwError(() => new Error('no')));
    rate.grant();
    expect(rate.arrivals).toBeGreaterThan(1);
    expect(failed.seen.error).toEqual(new Error('no'));
  });

  it('leaves the queue with its caller', async () => {
    const { seen } = await run(NEVER);
    expect(rate.asked.observed).toBe(true);
    seen.leave();
    expect(rate.asked.observed).toBe(false);
  });

  it('does not limit a provider in this process', async () => {
    const local = aiCall({ provider: { capabilities: { remote: false, streaming: true } } });
    expect((await run(of(answer('a')), local)).seen.completed).toBe(true);
  });
});

/** A Redis whose methods are these. */
const redis = (clock: ManualClock, aiRate: object): Redis =>
  new Redis({ aiRate, circuit: new CircuitBreaker(250, clock) } as unknown as SharedState);

const ALONE = new Redis(undefined);

describe('AiRate', () => {
  let time: ManualScheduler;
  let rate: AiRate;
  let granted: number[];

  beforeEach(() => {
    time = new ManualScheduler();
    rate = new AiRate(time, ALONE);
    granted = [];
  });

  const ask = (number: number, then: (slot: RateSlot) => void = (slot) => slot.arrived()): Subscription =>
    rate.acquire().subscribe((slot) => {
      granted.push(number);
      then(slot);
    });
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);

  it('grants ten at once and the eleventh a second later, in the order they came', async () => {
    numbers(25).forEach((number) => ask(number));
    await time.advance(999);
    expect(granted).toEqual(numbers(10));
    expect(rate.waitingCount).toBe(15);
    await time.advance(1);
    expect(rate.waitingCount).toBe(5);
    expect(granted).toHaveLength(20);
    await time.advance(1000);
    expect(granted).toEqual(numbers(25));
  });

  it('a slot is free again a whole second after its arrival, and not before', async () => {
    for (const number of numbers(10)) {
      ask(number);
      await time.advance(10);
    }
    // The first arrived at 0, the second at 10.
    await time.advance(899);
    ask(10);
    expect(granted).toHaveLength(10);
    await time.advance(1);
    expect(granted).toEqual(numbers(11));
    ask(11);
    await time.advance(9);
    expect(granted).toHaveLength(11);
    await time.advance(1);
    expect(granted).toEqual(numbers(12));
  });

  it('a free slot is taken at once', async () => {
    numbers(10).forEach((number) => ask(number));
    await time.advance(1000);
    ask(10);
    expect(granted).toEqual(numbers(11));
  });

  it('counts a request from its arrival, but a silent one for no longer than 0.3 s more', async () => {
    numbers(10).forEach((number) => ask(number, () => undefined));
    ask(10);
    await time.advance(1299);
    expect(granted).toHaveLength(10);
    await time.advance(1);
    expect(granted).toHaveLength(11);
  });

  it('counts an arrival once: a late second sign does not hold the slot longer', async () => {
    const slots: RateSlot[] = [];
    numbers(10).forEach((number) => ask(number, (slot) => slots.push(slot)));
    slots.forEach((slot) => slot.arrived());
    await time.advance(500);
    slots.forEach((slot) => slot.arrived());
    ask(10);
    await time.advance(500);
    expect(granted).toHaveLength(11);
  });

  it('lets each in as a part of its own request, whoever made room', async () => {
    const request = new AsyncLocalStorage<number>();
    const contexts: unknown[] = [];
    for (const number of numbers(13)) {
      request.run(number, () => ask(number, (slot) => (contexts.push(request.getStore()), slot.arrived())));
    }
    await time.advance(1000);
    expect(contexts).toEqual(numbers(13));
  });

  it('passes over those who have left', async () => {
    numbers(10).forEach((number) => ask(number));
    const leaver = ask(10);
    ask(11);
    await time.advance(10);
    leaver.unsubscribe();
    await time.advance(1000);
    expect(granted).toEqual([...numbers(10), 11]);
  });

  it('those who have left take no slot from those behind them', async () => {
    numbers(10).forEach((number) => ask(number));
    const leavers = numbers(10).map((number) => ask(100 + number));
    ask(10);
    leavers.forEach((leaver) => leaver.unsubscribe());
    await time.advance(1000);
    expect(granted).toEqual(numbers(11));
  });

  it('never has more than ten arrivals in any sliding second, whenever they are asked for and however long they travel', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pause: fc.nat(400), trip: fc.nat(300) }), { minLength: 11, maxLength: 60 }),
        async (requests) => {
          time = new ManualScheduler();
          rate = new AiRate(time, ALONE);
          const arrivals: number[] = [];
          for (const { pause, trip } of requests) {
            rate.acquire().subscribe((slot) =>
              time.schedule(() => {
                arrivals.push(time.now());
                slot.arrived();
              }, trip),
            );
            await time.advance(pause);
          }
          await time.advance(60_000);
          arrivals.sort((a, b) => a - b);
          expect(arrivals).toHaveLength(requests.length);
          for (const [index, at] of arrivals.entries()) {
            const eleventh = arrivals[index + 10];
            if (eleventh !== undefined) expect(eleventh - at).toBeGreaterThanOrEqual(1000);
          }
        },
      ),
      { numRuns: samples(30) },
    );
  });
});

/** One window for all instances, as Redis keeps it. */
class SharedWindow {
  private taken: number[] = [];
  asked: unknown[][] = [];

  constructor(private readonly time: ManualScheduler) {}

  arrived = () => Promise.resolve();

  take = (limit: number, window: number): Promise<number> => {
    this.asked.push([limit, window]);
    const now = this.time.now();
    this.taken = this.taken.filter((at) => at + window > now);
    if (this.taken.length >= limit) return Promise.resolve(this.taken[0]! + window - now);
    this.taken.push(now);
    return Promise.resolve(0);
  };
}

describe('AiRate with Redis', () => {
  const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  let time: ManualScheduler;
  let clock: ManualClock;
  let sent: number[];

  beforeEach(() => {
    time = new ManualScheduler();
    clock = new ManualClock();
    sent = [];
    failed.mockClear();
  });
  afterAll(() => jest.restoreAllMocks());

  const ask = (rate: AiRate, times = 1) =>
    Array.from({ length: times }, () => rate.acquire().subscribe(() => sent.push(time.now())));
  const pass = async (ms: number) => {
    clock.advance(ms);
    await time.advance(ms);
  };

  it('of two instances together never more than ten are sent in a window, none lost', async () => {
    const store = new SharedWindow(time);
    for (const rate of [1, 2].map(() => new AiRate(time, redis(clock, store)))) ask(rate, 25);
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

  it('a place is named, and told when its request has arrived', async () => {
    const told: unknown[][] = [];
    const answer =
      (word: string) =>
      (...asked: unknown[]) =>
        Promise.resolve(told.push([word, ...asked]) && 0);
    const rate = new AiRate(time, redis(clock, { take: answer('take'), arrived: answer('arrived') }));
    rate.acquire().subscribe((slot) => time.schedule(() => slot.arrived(), 40));
    rate.acquire().subscribe();
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
    const rate = new AiRate(time, redis(clock, new SharedWindow(time)));
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

  it('that fails, our own rate holds', async () => {
    const fail = () => Promise.reject(new Error('down'));
    const rate = new AiRate(time, redis(clock, { take: fail, arrived: fail }));
    ask(rate, 25);
    await pass(900);
    expect(sent).toHaveLength(10);
    await pass(5000);
    expect(sent).toHaveLength(25);
    for (let n = 10; n < 25; n++) expect(sent[n]! - sent[n - 10]!).toBeGreaterThanOrEqual(1000);
    expect(failed).toHaveBeenCalledTimes(1);
  });

  it('that lets everything through loosens nothing', async () => {
    const arrived = () => Promise.resolve();
    const rate = new AiRate(time, redis(clock, { take: () => Promise.resolve(0), arrived }));
    ask(rate, 25);
    await pass(900);
    expect(sent).toHaveLength(10);
  });

  it('asks not more often than a hundred times a second, whatever it is told', async () => {
    const take = jest.fn(() => Promise.resolve(0.001));
    const rate = new AiRate(time, redis(clock, { take }));
    ask(rate);
    await pass(1000);
    expect(take.mock.calls.length).toBeLessThanOrEqual(101);
  });
});
