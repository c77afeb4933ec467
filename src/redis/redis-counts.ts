import type { ThrottlerStorage } from '@nestjs/throttler';
import { RateLimiterRedis, type RateLimiterRes } from 'rate-limiter-flexible';
import type { RedisClient } from './redis-connection';
import type { RedisKeys } from './redis-keys';

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

const counterOn = (storeClient: RedisClient) =>
  // Without a limit: it counts, and what is too many is decided here.
  new RateLimiterRedis({
    storeClient,
    useRedisPackage: true,
    keyPrefix: '',
    points: Number.MAX_SAFE_INTEGER,
    duration: 60,
  });

/** The counter lives in whole seconds, as the headers that tell of it. */
const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/**
 * Counts one more in a window of `ms` milliseconds from the first on.
 * @param longest milliseconds that it may have left, where a block is longer than the window
 */
async function countOne(counter: RateLimiterRedis, key: string, ms: number, longest = ms) {
  const counted = await counter.consume(key, 1, { customDuration: secondsOf(ms) });
  if (counted.msBeforeNext <= secondsOf(longest) * 1000) return counted;
  // Left over from before Redis's clock was set back: it would count for as long as that.
  return counter.set(key, counted.consumedPoints, secondsOf(ms));
}

/** Counts requests of all instances, each client's in a window that begins with the first. */
export class RedisCounts implements ThrottlerStorage {
  private readonly counter: RateLimiterRedis;

  constructor(
    client: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.counter = counterOn(client);
  }

  async increment(
    key: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    name: string,
  ): Promise<Count> {
    const counted = this.keys.hashed('requests', `${name}|${key}`);
    const longest = Math.max(ttl, blockDuration);
    let { consumedPoints: totalHits, msBeforeNext } = await countOne(this.counter, counted, ttl, longest);
    // Who comes too often is refused for as long as the route says.
    if (totalHits === limit + 1 && blockDuration !== ttl) {
      ({ consumedPoints: totalHits, msBeforeNext } = await this.block(counted, totalHits, blockDuration));
    }
    const seconds = Math.ceil(msBeforeNext / 1000);
    return { totalHits, isBlocked: totalHits > limit, timeToExpire: seconds, timeToBlockExpire: seconds };
  }

  private block(key: string, hits: number, duration: number): Promise<RateLimiterRes> {
    return this.counter.set(key, hits, secondsOf(duration));
  }
}

/**
 * The library would begin a window at less than nothing, in which so many more may fail: whoever has some
 * under way at the end of each one could guess that often.
 */
const TAKE_BACK = `
  local failed = tonumber(redis.call('GET', KEYS[1]) or '0')
  if failed > 0 then redis.call('DECR', KEYS[1]) end`;

/** Failed logins of all instances: one that is under way counts as failed until it is known not to be. */
export class RedisFailedLogins {
  private readonly counter: RateLimiterRedis;

  constructor(
    private readonly client: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.counter = counterOn(client);
  }

  /**
   * Counts one more.
   *
   * @param pair of account and address
   * @param window milliseconds from the first on
   * @returns how many there are with it, and for how many milliseconds they count
   */
  async add(pair: string, window: number): Promise<{ count: number; left: number }> {
    const { consumedPoints, msBeforeNext } = await countOne(this.counter, this.keyOf(pair), window);
    return { count: consumedPoints, left: msBeforeNext };
  }

  /** Takes one back, unless its window has ended. */
  async takeBack(pair: string): Promise<void> {
    await this.client.eval(TAKE_BACK, { keys: [this.keyOf(pair)] });
  }

  /** Counts one that is known to have failed, for `left` milliseconds: what is left of the same window. */
  async fail(pair: string, left: number): Promise<void> {
    await countOne(this.counter, this.failedKeyOf(pair), left);
  }

  /** How many are known to have failed. */
  async failed(pair: string): Promise<number> {
    return Number((await this.client.get(this.failedKeyOf(pair))) ?? 0);
  }

  private keyOf(pair: string): string {
    return this.keys.hashed('logins', pair);
  }

  private failedKeyOf(pair: string): string {
    return this.keys.hashed('logins-failed', pair);
  }
}
