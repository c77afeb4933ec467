import type { RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Clock } from '../common/clock';
import type { SharedState } from './shared-state';

export interface Count {
  readonly count: number;
  /** Milliseconds until the window ends. */
  readonly leftMs: number;
}

/**
 * Counts by key, each in a window that begins with the first count: in Redis and also in this process, whose count
 * is used without Redis and while Redis fails. So an outage of Redis does not reset the counts of a client.
 */
export class SharedCounter {
  private readonly memory: MemoryCounter;

  /** @param kind prefix that no other counter uses */
  constructor(
    private readonly kind: string,
    clock: Clock,
    private readonly shared?: SharedState,
  ) {
    this.memory = new MemoryCounter(clock);
  }

  /**
   * Adds one to the count. A window that begins now lasts `seconds`.
   * @param longestSeconds longest possible window, if `extend` makes some longer
   */
  add(key: string, seconds: number, longestSeconds = seconds): Promise<Count> {
    return this.run(
      key,
      async (counter, name) => {
        const found = await counter.penalty(name, 1, { customDuration: seconds });
        // Redis's clock was set back since the window began.
        const isTooLong = found.msBeforeNext > longestSeconds * 1000;
        return isTooLong ? counter.set(name, found.consumedPoints, seconds) : found;
      },
      () => this.memory.add(key, 1, seconds),
    );
  }

  get(key: string): Promise<Count> {
    return this.run(
      key,
      (counter, name) => counter.get(name),
      () => this.memory.get(key),
    );
  }

  /** Subtracts one from the count. */
  takeBack(key: string, seconds: number): Promise<Count> {
    return this.run(
      key,
      async (counter, name) => {
        const found = await counter.get(name);
        // After the end of the window there is nothing to subtract.
        if (!found || found.consumedPoints <= 0) return found;
        return counter.reward(name, 1, { customDuration: seconds });
      },
      () => this.memory.add(key, -1, seconds),
    );
  }

  /** Makes the window last `seconds` from now on. */
  extend(key: string, count: number, seconds: number): Promise<Count> {
    return this.run(
      key,
      (counter, name) => counter.set(name, count, seconds),
      () => this.memory.set(key, count, seconds),
    );
  }

  private async run(
    key: string,
    redis: (counter: RateLimiterRedis, name: string) => Promise<RateLimiterRes | null>,
    memory: () => Count,
  ): Promise<Count> {
    const { shared } = this;
    const own = memory();
    if (!shared) return own;
    return shared.circuit.execute(
      async () => countOf(await redis(shared.counter, shared.keys.hashed(this.kind, key))),
      () => own,
    );
  }
}

const NONE: Count = { count: 0, leftMs: 0 };

const countOf = (found: RateLimiterRes | null): Count =>
  found ? { count: found.consumedPoints, leftMs: found.msBeforeNext } : NONE;

interface Window {
  count: number;
  readonly endsAt: number;
  readonly lengthMs: number;
}

/** Most keys in memory; beyond them the oldest is removed. */
const MAX_WINDOWS = 50_000;

/** Longer than any window. A sweep planned for later was planned before the clock was set back. */
const DAY_MS = 86_400_000;

/** Uses the service's clock, unlike `RateLimiterMemory`, so that tests need not wait. */
class MemoryCounter {
  private readonly windows = new Map<string, Window>();
  private sweepAt = 0;

  constructor(private readonly clock: Clock) {}

  add(key: string, by: number, seconds: number): Count {
    const window = this.current(key);
    // The window may have ended before its count is reduced.
    if (!window && by < 0) return NONE;
    if (!window) return this.set(key, by, seconds);
    window.count += by;
    return this.get(key);
  }

  get(key: string): Count {
    const window = this.current(key);
    return window ? { count: window.count, leftMs: window.endsAt - this.clock.now() } : NONE;
  }

  set(key: string, count: number, seconds: number): Count {
    const now = this.clock.now();
    const lengthMs = seconds * 1000;
    // Sweeping once per window limits the memory to the clients of two windows.
    if (now >= this.sweepAt || this.sweepAt - now > DAY_MS) {
      for (const old of this.windows.keys()) if (!this.current(old)) this.windows.delete(old);
      this.sweepAt = now + lengthMs;
    }
    this.windows.delete(key);
    if (this.windows.size >= MAX_WINDOWS) this.windows.delete(this.windows.keys().next().value!);
    this.windows.set(key, { count, endsAt: now + lengthMs, lengthMs });
    return { count, leftMs: lengthMs };
  }

  /** A window that ends later than one begun now is ignored: the clock was set back. */
  private current(key: string): Window | undefined {
    const window = this.windows.get(key);
    const leftMs = window ? window.endsAt - this.clock.now() : 0;
    return window && leftMs > 0 && leftMs <= window.lengthMs ? window : undefined;
  }
}
