import { Injectable } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../common/clock';
import { Redis } from '../redis/redis.module';
import { SharedCounter } from '../redis/shared-counter';

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts requests: in Redis, or without it in this process. */
@Injectable()
export class RateLimitStorage implements ThrottlerStorage {
  private readonly counter: SharedCounter;

  constructor(clock: Clock, redis: Redis) {
    this.counter = new SharedCounter('requests', clock, redis.state);
  }

  async increment(
    client: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    name: string,
  ): Promise<Count> {
    // Windows of different lengths are counted separately.
    const key = `${name}|${ttl}|${blockDuration}|${client}`;
    const longest = Math.max(secondsOf(ttl), secondsOf(blockDuration));
    let counted = await this.counter.add(key, secondsOf(ttl), longest);
    const totalHits = counted.count;
    if (totalHits === limit + 1 && blockDuration !== ttl) {
      counted = await this.counter.extend(key, totalHits, secondsOf(blockDuration));
    }
    const left = secondsOf(counted.leftMs);
    return { totalHits, isBlocked: totalHits > limit, timeToExpire: left, timeToBlockExpire: left };
  }
}

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));
