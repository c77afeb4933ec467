import fc from 'fast-check';
import { type RateSlot, SlidingWindowRate } from './ai-rate';
import { Timers } from '../ai-scheduler';

class ManualTimers extends Timers {
  private time = 0;
  private timers: { at: number; work: () => void }[] = [];

  now(): number {
    return this.time;
  }

  after(ms: number, work: () => void): () => void {
    const timer = { at: this.time + ms, work };
    this.timers.push(timer);
    return () => (this.timers = this.timers.filter((other) => other !== timer));
  }

  /** Lets time pass; what waits for a promise runs in between. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await new Promise(setImmediate);
      const next = this.timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((other) => other !== next);
      this.time = next.at;
      next.work();
    }
    this.time = end;
  }
}

describe('SlidingWindowRate', () => {
  const never = () => new AbortController().signal;
  let timers: ManualTimers;
  let rate: SlidingWindowRate;
  let granted: number[];

  beforeEach(() => {
    timers = new ManualTimers();
    rate = new SlidingWindowRate(timers);
    granted = [];
  });

  const ask = (number: number, signal = never(), then: (slot: RateSlot) => void = (slot) => slot.arrived()) =>
    rate.acquire(signal).then((slot) => {
      granted.push(number);
      then(slot);
    });

  it('grants ten at once and the eleventh a second later, in the order they came', async () => {
    for (let number = 0; number < 25; number++) void ask(number);
    await timers.advance(999);
    expect(granted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await timers.advance(1);
    expect(granted).toHaveLength(20);
    await timers.advance(1000);
    expect(granted).toEqual(Array.from({ length: 25 }, (_, number) => number));
  });

  it('counts a request from its arrival, but a silent one for no longer than 0.3 s more', async () => {
    for (let number = 0; number < 10; number++) void ask(number, never(), () => undefined);
    void ask(10);
    await timers.advance(1299);
    expect(granted).toHaveLength(10);
    await timers.advance(1);
    expect(granted).toHaveLength(11);
  });

  it('passes over those who have left, and tells them why', async () => {
    for (let number = 0; number < 10; number++) void ask(number);
    const leaver = new AbortController();
    const left = ask(10, leaver.signal);
    void ask(11);
    await timers.advance(10);
    leaver.abort(new Error('gone'));
    await expect(left).rejects.toThrow('gone');
    await timers.advance(1000);
    expect(granted).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 11]);
    await expect(rate.acquire(leaver.signal)).rejects.toThrow('gone');
  });

  it('never has more than ten arrivals in any sliding second, whenever they are asked for and however long they travel', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ pause: fc.nat(400), trip: fc.nat(300) }), { minLength: 11, maxLength: 60 }),
        async (requests) => {
          timers = new ManualTimers();
          rate = new SlidingWindowRate(timers);
          const arrivals: number[] = [];
          for (const { pause, trip } of requests) {
            void rate.acquire(never()).then((slot) =>
              timers.after(trip, () => {
                arrivals.push(timers.now());
                slot.arrived();
              }),
            );
            await timers.advance(pause);
          }
          await timers.advance(60_000);
          arrivals.sort((a, b) => a - b);
          expect(arrivals).toHaveLength(requests.length);
          for (const [index, at] of arrivals.entries()) {
            const eleventh = arrivals[index + 10];
            if (eleventh !== undefined) expect(eleventh - at).toBeGreaterThanOrEqual(1000);
          }
        },
      ),
      { numRuns: 30 },
    );
  });
});
