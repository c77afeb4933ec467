import type { RedisClient } from './redis-connection';
import type { RedisKeys } from './redis-keys';

/**
 * One place among those of the last milliseconds, by the clock of Redis. It slides: of a window that begins
 * again each second, the end of one and the beginning of the next would let twice as many through.
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

/** Of a request that was long on its way, the place is longer taken; of a quick one shorter. */
const ARRIVED = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  redis.call('ZADD', KEYS[1], now + ARGV[2] - ARGV[1], ARGV[3])
  redis.call('PEXPIRE', KEYS[1], ARGV[1])`;

/** The rate at which all instances together ask AI providers. */
export class RedisRate {
  private readonly key: string;

  constructor(
    private readonly client: RedisClient,
    keys: RedisKeys,
  ) {
    this.key = keys.named('ai-rate');
  }

  /**
   * @param place a name that no other one has
   * @returns 0 where it has been taken, else for how many milliseconds there is none
   */
  async take(limit: number, window: number, place: string): Promise<number> {
    const command = { keys: [this.key], arguments: [String(limit), String(window), place] };
    return (await this.client.eval(TAKE, command)) as number;
  }

  /**
   * The request of a place has reached its provider: it counts for `counted` milliseconds from now on.
   * @param window that it was taken in
   */
  async arrived(place: string, window: number, counted: number): Promise<void> {
    const command = { keys: [this.key], arguments: [String(window), String(counted), place] };
    await this.client.eval(ARRIVED, command);
  }
}
