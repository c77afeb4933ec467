import { randomUUID } from 'node:crypto';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { AiAnswerStore, AiRateStore } from 'formula-development-service';
import type { RedisClient } from './redis-client';

type Client = NonNullable<RedisClient['client']>;

const HIT = `
  local hits = redis.call('INCR', KEYS[1])
  if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  if hits == ARGV[2] + 1 and ARGV[1] ~= ARGV[3] then redis.call('PEXPIRE', KEYS[1], ARGV[3]) end
  return { hits, redis.call('PTTL', KEYS[1]) }`;

/** Counts the requests of all instances together. */
export const requestCounts = (client: Client): ThrottlerStorage => ({
  async increment(key, ttl, limit, blockDuration, name) {
    const call = { keys: [`hits:${name}:${key}`], arguments: [ttl, limit, blockDuration].map(String) };
    const [totalHits, left] = (await client.eval(HIT, call)) as [number, number];
    const seconds = Math.ceil(left / 1000);
    return { totalHits, isBlocked: totalHits > limit, timeToExpire: seconds, timeToBlockExpire: seconds };
  },
});

// #region answers
/** Answers of AI providers, which need the same care as the database. */
export const aiAnswers = (client: Client): AiAnswerStore => ({
  get: (key) => client.get(`answers:${key}`),
  set: (key, value, ttl) => client.set(`answers:${key}`, value, { expiration: { type: 'PX', value: ttl } }),
});
// #endregion

const TAKE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], 0, now - ARGV[2])
  if redis.call('ZCARD', KEYS[1]) < tonumber(ARGV[1]) then
    redis.call('ZADD', KEYS[1], now, ARGV[3])
    redis.call('PEXPIRE', KEYS[1], ARGV[2])
    return 0
  end
  return redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2] + ARGV[2] - now`;

/** The rate at which all instances together ask AI providers. */
export const aiRate = (client: Client): AiRateStore => ({
  async take(limit, window) {
    const call = { keys: ['ai-rate'], arguments: [String(limit), String(window), randomUUID()] };
    return (await client.eval(TAKE, call)) as number;
  },
});
