import type { RedisClient } from './redis-connection';
import type { RedisKeys } from './redis-keys';

/**
 * Takes one place in a sliding window, by Redis's clock. With fixed windows, the end of one and the beginning of
 * the next would admit twice the limit.
 */
const TAKE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local window = tonumber(ARGV[2])
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - window)
  -- Left over from before a clock that was set back: as if taken now, or they would stay for as long as that.
  for _, place in ipairs(redis.call('ZRANGEBYSCORE', KEYS[1], string.format('(%.3f', now), '+inf')) do
    redis.call('ZADD', KEYS[1], now, place)
  end
  if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[1]) then
    redis.call('ZADD', KEYS[1], now, ARGV[3])
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 0
  end
  local left = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] + window - now
  return math.max(1, math.ceil(left))`;

/** Extends the place of a request that took long to arrive, and shortens that of a fast one. */
const ARRIVED = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  redis.call('ZADD', KEYS[1], now + ARGV[2] - ARGV[1], ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/** The request rate of all instances together to AI providers. */
export class RedisRate {
  private readonly key: string;

  constructor(
    private readonly client: RedisClient,
    keys: RedisKeys,
  ) {
    this.key = keys.named('ai-rate');
  }

  /**
   * @param place a unique name
   * @returns 0 if the place was taken, otherwise the number of milliseconds until one is free
   */
  async take(limit: number, window: number, place: string): Promise<number> {
    const command = { keys: [this.key], arguments: [String(limit), String(window), place] };
    return (await this.client.eval(TAKE, command)) as number;
  }

  /**
   * Records that a request has reached its provider: from now on its place counts for `counted` milliseconds.
   * @param window the window in which the place was taken
   */
  async arrived(place: string, window: number, counted: number): Promise<void> {
    const command = { keys: [this.key], arguments: [String(window), String(counted), place] };
    await this.client.eval(ARRIVED, command);
  }
}
