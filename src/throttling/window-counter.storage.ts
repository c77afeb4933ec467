import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../common/clock';
import { RecentMap } from '../common/recent-map';

interface Window {
  hits: number;
  /** When the window ends, in milliseconds of the clock. */
  endsAt: number;
}

/** Most clients and addresses that are counted; those of least recent use begin anew. */
const KEPT_WINDOWS = 50_000;

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/**
 * One counter per client, in a window that starts at the client's first request. (The package's default
 * storage keeps and filters a list of all hits of the window on every request.) Counts within this instance.
 */
@Injectable()
export class WindowCounterStorage implements ThrottlerStorage {
  private readonly windows = new RecentMap<string, Window>(KEPT_WINDOWS);
  private sweepAt = 0;
  private longest = 0;

  constructor(private readonly clock: Clock) {}

  /**
   * @param ttl length of the window in milliseconds
   * @param blockDuration how long who comes too often is refused; absent or as long as the window: to its end
   */
  increment(key: string, ttl: number, limit: number, blockDuration = ttl): Promise<Count> {
    const now = this.clock.now();
    const longest = Math.max(ttl, blockDuration);
    this.sweep(now, longest);
    let window = this.windows.get(key);
    // A window that ends later than one begun now is left over from before the clock was set back.
    if (!window || window.endsAt <= now || window.endsAt > now + longest) {
      window = { hits: 0, endsAt: now + ttl };
      this.windows.set(key, window);
    }
    window.hits++;
    if (window.hits === limit + 1 && blockDuration !== ttl) window.endsAt = now + blockDuration;
    const secondsLeft = Math.ceil((window.endsAt - now) / 1000);
    return Promise.resolve({
      totalHits: window.hits,
      timeToExpire: secondsLeft,
      isBlocked: window.hits > limit,
      timeToBlockExpire: secondsLeft,
    });
  }

  /**
   * Forgets clients that are gone, once per longest window, so that memory follows the clients of two such.
   */
  private sweep(now: number, duration: number): void {
    this.longest = Math.max(this.longest, duration);
    if (now < this.sweepAt) return;
    this.sweepAt = now + this.longest;
    this.windows.age();
  }
}
