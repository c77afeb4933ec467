import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import type { ThrottlerStorage } from '@nestjs/throttler';
import { Clock } from '../common/clock';
import { theOneWith } from '../common/extension-tokens';
import { StoreKeys } from '../common/store-keys';
import { StoreFault, WatchedStore } from '../common/watched-store';
import { SigningSecret } from '../environment/signing-secret';
import { Redis } from '../redis/redis.module';
import { WindowCounterStorage } from './window-counter.storage';

/**
 * Token under which one module provides a `ThrottlerStorage` of @nestjs/throttler, in which all instances
 * count requests together. Without it each instance counts for itself.
 */
export const THROTTLER_STORAGE = Symbol('THROTTLER_STORAGE');

/** How long a request waits for one count, in milliseconds; it needs two. */
const PATIENCE_MS = 250;

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Where requests are counted: in the storage of an extension, else in Redis, else in this process. */
@Injectable()
export class RequestCounts implements ThrottlerStorage, OnModuleInit {
  private storage: ThrottlerStorage;

  constructor(
    private readonly own: WindowCounterStorage,
    private readonly discovery: DiscoveryService,
    private readonly clock: Clock,
    private readonly secret: SigningSecret,
    private readonly redis: Redis,
  ) {
    this.storage = own;
  }

  /** By then all modules are there. */
  onModuleInit(): void {
    const extensions = theOneWith<ThrottlerStorage>(THROTTLER_STORAGE, this.discovery, ['increment']);
    const { state } = this.redis;
    const shared = extensions ?? state?.requests;
    if (!shared) return;
    const keys = new StoreKeys(this.secret.value, 'throttler-storage');
    const watched = extensions ? watchedStorage(this.clock) : state!.watched;
    this.storage = new SharedCounts(shared, this.own, keys, watched);
  }

  increment(key: string, ttl: number, limit: number, blockDuration: number, name: string): Promise<Count> {
    return this.storage.increment(key, ttl, limit, blockDuration, name);
  }
}

const watchedStorage = (clock: Clock) =>
  new WatchedStore('THROTTLER_STORAGE', 'requests are counted in this process', PATIENCE_MS, clock);

/** Counts in a shared storage, and in this process what that does not count. */
class SharedCounts implements ThrottlerStorage {
  constructor(
    private readonly shared: ThrottlerStorage,
    private readonly own: WindowCounterStorage,
    private readonly keys: StoreKeys,
    private readonly watched: WatchedStore,
  ) {}

  increment(key: string, ttl: number, limit: number, blockDuration: number, name: string): Promise<Count> {
    // A window of another length is another one: what is left of a longer one would be nonsense in it.
    const hashed = this.keys.of(`${ttl}|${blockDuration}|${key}`);
    return this.watched.ask(
      () => this.shared.increment(hashed, ttl, limit, blockDuration, name),
      (answer) => countOf(answer, limit, Math.max(ttl, blockDuration)),
      () => this.own.increment(key, ttl, limit, blockDuration),
    );
  }
}

/**
 * The answer as our own storage gives it: times are whole seconds, and who is blocked reads the same in both.
 *
 * @param longest milliseconds that may be left
 * @throws StoreFault where it is no count, or admits what is beyond the limit
 */
function countOf(answer: unknown, limit: number, longest: number): Count {
  const { totalHits, timeToExpire, isBlocked, timeToBlockExpire } = (answer ?? {}) as Partial<Count>;
  if (typeof isBlocked !== 'boolean') throw new StoreFault('isBlocked is not told');
  if (!Number.isSafeInteger(totalHits) || totalHits! < (isBlocked ? 0 : 1)) {
    throw new StoreFault('totalHits is no count');
  }
  if (totalHits! > limit && !isBlocked) throw new StoreFault('What is beyond the limit is not blocked');
  const left = secondsOf(isBlocked ? timeToBlockExpire : timeToExpire, longest);
  return { totalHits: totalHits!, isBlocked, timeToExpire: left, timeToBlockExpire: left };
}

function secondsOf(time: unknown, longest: number): number {
  // One more: a storage may round up what has just begun.
  if (typeof time !== 'number' || !(time >= 0 && time <= longest / 1000 + 1)) {
    throw new StoreFault('The time that is left is no time in seconds within the window');
  }
  return Math.max(1, Math.ceil(time));
}
