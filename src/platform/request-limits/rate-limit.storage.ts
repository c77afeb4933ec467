import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { CircuitBreaker, StoreFault } from '../common/circuit-breaker';
import { Clock } from '../common/clock';
import { theOneWith } from '../common/extension-tokens';
import { StoreKeys } from '../common/store-keys';
import { SigningSecret } from '../config/signing-secret';
import { Redis } from '../redis/redis.module';
import { SharedCounter } from '../redis/shared-counter';

/**
 * Token under which one module provides a `ThrottlerStorage` of @nestjs/throttler, in which all instances count
 * requests together, instead of Redis.
 */
export const THROTTLER_STORAGE = Symbol('THROTTLER_STORAGE');

/** Time that a request waits for one count in an extension's storage, in milliseconds. It needs two. */
const TIMEOUT_MS = 250;

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts requests: in the storage of an extension, otherwise in Redis, otherwise in this process. */
@Injectable()
export class RateLimitStorage implements ThrottlerStorage, OnModuleInit {
  private readonly counter: SharedCounter;
  private readonly keys: StoreKeys;
  private readonly circuit: CircuitBreaker;
  private extension: ThrottlerStorage | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    clock: Clock,
    secret: SigningSecret,
    redis: Redis,
  ) {
    this.counter = new SharedCounter('requests', clock, redis.state);
    this.keys = new StoreKeys(secret.value, 'throttler-storage');
    const consequence = 'requests are counted in this process';
    this.circuit = new CircuitBreaker('THROTTLER_STORAGE', consequence, TIMEOUT_MS, clock);
  }

  /** Runs when all modules are initialised. */
  onModuleInit(): void {
    this.extension = theOneWith<ThrottlerStorage>(THROTTLER_STORAGE, this.discovery, ['increment']);
  }

  increment(key: string, ttl: number, limit: number, blockDuration: number, name: string): Promise<Count> {
    // Windows of different lengths are counted separately.
    const window = `${ttl}|${blockDuration}|${key}`;
    const { extension } = this;
    const count = () => this.count(`${name}|${window}`, ttl, limit, blockDuration);
    if (!extension) return count();
    return this.circuit.execute(
      () => extension.increment(this.keys.of(window), ttl, limit, blockDuration, name),
      (answer) => countOf(answer, limit, Math.max(ttl, blockDuration)),
      count,
    );
  }

  private async count(key: string, ttl: number, limit: number, blockDuration: number): Promise<Count> {
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

/**
 * Converts the result of an extension's storage to the service's own form.
 * @throws StoreFault if it is not a count, or admits a request beyond the limit
 */
function countOf(answer: unknown, limit: number, longestMs: number): Count {
  const { totalHits, timeToExpire, isBlocked, timeToBlockExpire } = (answer ?? {}) as Partial<Count>;
  if (typeof isBlocked !== 'boolean' || !Number.isSafeInteger(totalHits) || totalHits! < 0) {
    throw new StoreFault('The answer is no count');
  }
  if (totalHits! > limit && !isBlocked) throw new StoreFault('What is beyond the limit is not blocked');
  const seconds = isBlocked ? timeToBlockExpire : timeToExpire;
  // One second more, because a storage may round up.
  if (typeof seconds !== 'number' || !(seconds >= 0 && seconds <= longestMs / 1000 + 1)) {
    throw new StoreFault('The time that is left is no time in seconds within the window');
  }
  const left = secondsOf(seconds * 1000);
  return { totalHits: totalHits!, isBlocked, timeToExpire: left, timeToBlockExpire: left };
}
