import type { RedisClient } from './redis-connection';
import type { RedisKeys } from './redis-keys';

/** Most answers that all instances store together; the least recently used one is removed first. */
const KEPT_ANSWERS = 200;

/**
 * Notes that an answer is used now, and removes answers beyond the limit. An answer is noted before it is stored,
 * so there is no answer without a note. A note may outlive its answer: it is removed as the least recent one, or
 * with all notes if no answer is stored for the longest lifetime.
 */
const USE = `
  local time = redis.call('TIME')
  redis.call('ZADD', KEYS[1], time[1] * 1000000 + time[2], ARGV[1])
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[3]) then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  local beyond = redis.call('ZCARD', KEYS[1]) - tonumber(ARGV[2])
  if beyond > 0 then
    for _, key in ipairs(redis.call('ZRANGE', KEYS[1], 0, beyond - 1)) do redis.call('UNLINK', key) end
    redis.call('ZREMRANGEBYRANK', KEYS[1], 0, beyond - 1)
  end
  return redis.call('ZCARD', KEYS[1])`;

/** Texts of answers of AI providers, which are as confidential as the database. */
export class RedisAnswers {
  private readonly recent: string;

  constructor(
    private readonly client: RedisClient,
    private readonly keys: RedisKeys,
  ) {
    this.recent = keys.named('answers');
  }

  async get(key: string): Promise<string | undefined> {
    const name = this.nameOf(key);
    const value = await this.client.get(name);
    if (value === null) return undefined;
    await this.use(name, 1);
    return value;
  }

  /** @param ttl lifetime in milliseconds */
  async set(key: string, value: string, ttl: number): Promise<void> {
    const name = this.nameOf(key);
    await this.use(name, ttl);
    await this.client.set(name, value, { expiration: { type: 'PX', value: ttl } });
  }

  private async use(name: string, ttl: number): Promise<void> {
    await this.client.eval(USE, {
      keys: [this.recent],
      arguments: [name, String(KEPT_ANSWERS), String(ttl)],
    });
  }

  private nameOf(key: string): string {
    return this.keys.hashed('answer', key);
  }
}
