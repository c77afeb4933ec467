import { NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { aiCall, answer, around, part, watch } from '../../../../test/support/ai-calls';
import { type AiCall, type AiEvent } from '../ai-call';
import type { AiRate, RateSlot } from './ai-rate';
import { RateLimitInterceptor } from './rate-limit.interceptor';

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
