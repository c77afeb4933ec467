import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { type Subscription } from 'rxjs';
import { ManualScheduler } from '../../../../test/support/manual-scheduler';
import { samples } from '../../../../test/support/random-numbers';
import { type RateSlot, SlidingWindowRate } from './ai-rate';

describe('SlidingWindowRate', () => {
  let time: ManualScheduler;
  let rate: SlidingWindowRate;
  let granted: number[];

  beforeEach(() => {
    time = new ManualScheduler();
    rate = new SlidingWindowRate(time);
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

  it('sleeps until a slot is free, and while none will be known to be', async () => {
    const schedule = jest.spyOn(time, 'schedule');
    const slots: RateSlot[] = [];
    numbers(10).forEach((number) => ask(number, (slot) => slots.push(slot)));
    ask(10);
    expect(schedule).not.toHaveBeenCalledWith(expect.anything(), Infinity);
    slots.forEach((slot) => slot.arrived());
    expect(schedule).toHaveBeenLastCalledWith(expect.anything(), 1000);
    const wakes = schedule.mock.calls.length;
    await time.advance(999);
    expect(schedule).toHaveBeenCalledTimes(wakes);
  });

  it('wakes once for all who wait, and leaves nothing scheduled when nobody does', async () => {
    numbers(15).forEach((number) => ask(number));
    expect(time.scheduled).toBe(1);
    await time.advance(2000);
    granted.length = 0;
    numbers(10).forEach((number) => ask(number));
    expect(time.scheduled).toBe(0);
    ask(10).unsubscribe();
    await time.advance(2000);
    expect(granted).toEqual(numbers(10));
    expect(time.scheduled).toBe(0);
  });

  it('never has more than ten arrivals in any sliding second, whenever they are asked for and however long they travel', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pause: fc.nat(400), trip: fc.nat(300) }), { minLength: 11, maxLength: 60 }),
        async (requests) => {
          time = new ManualScheduler();
          rate = new SlidingWindowRate(time);
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
