import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { Observable } from 'rxjs';
import { Clock } from '../../../common/clock';
import { theOneWith } from '../../../common/extension-tokens';
import { StoreFault, WatchedStore } from '../../../common/watched-store';
import { Redis } from '../../../redis/redis.module';
import type { RedisRate } from '../../../redis/redis-rate';
import { AiScheduler } from '../ai-scheduler';
import { type Arrival, LONGEST_TRIP_MS, REQUESTS, SlidingWindowRate, WINDOW_MS } from './ai-rate';

/**
 * Token under which one module provides an `AiRateStore`, by which all instances together keep the rate of
 * requests to AI providers. Without it each instance keeps it for itself.
 */
export const AI_RATE_STORE = Symbol('AI_RATE_STORE');

export interface AiRateStore {
  /**
   * Takes one place where fewer than `limit` have been taken within the last `window` milliseconds.
   *
   * @returns 0 when it has taken one, else for how many milliseconds at most `window` there will be none
   */
  take(limit: number, window: number): Promise<number>;
}

/** How long one question to the store may take, in milliseconds. */
const PATIENCE_MS = 250;

/** Places are taken before requests are sent; providers count their arrival, up to a trip later. */
const SHARED_WINDOW_MS = WINDOW_MS + LONGEST_TRIP_MS;

/** Shortest time until a store that had no place is asked again, in milliseconds. */
const SHORTEST_PAUSE_MS = 10;

/** A store that has no place for so long, in milliseconds, is not believed. */
const LONGEST_REFUSAL_MS = 10_000;

/**
 * The rate that the store of an extension, else Redis, allows, before the one that this process keeps.
 * Without a store, and while it does not work, there is the latter alone.
 */
@Injectable()
export class SharedRate implements OnModuleInit {
  private readonly waiting = new Set<(place: string) => void>();
  private watched: WatchedStore;
  private store: AiRateStore | undefined;
  /** In place of a store: one that is told of arrivals too. */
  private redisRate: RedisRate | undefined;
  private isAdmitting = false;
  private refusedSince: number | undefined;

  constructor(
    private readonly own: SlidingWindowRate,
    private readonly discovery: DiscoveryService,
    private readonly scheduler: AiScheduler,
    clock: Clock,
    private readonly redis: Redis,
  ) {
    this.watched = new WatchedStore('AI_RATE_STORE', 'this process keeps the rate alone', PATIENCE_MS, clock);
  }

  /** Requests that wait for a place of the store. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** By then all modules are there. */
  onModuleInit(): void {
    this.store = theOneWith<AiRateStore>(AI_RATE_STORE, this.discovery, ['take']);
    const { state } = this.redis;
    if (!this.store && state) {
      this.redisRate = state.aiRate;
      this.watched = state.watched;
    }
    if (this.store ?? this.redisRate) this.own.waitFor(this.places());
  }

  /** One place of the store, first come first served within this instance. */
  private places(): Observable<Arrival | void> {
    return new Observable((subscriber) => {
      // It is let in by whoever asks the store, of whose request it is no part.
      const enter: (place: string) => void = AsyncResource.bind((place: string) => {
        this.waiting.delete(enter);
        subscriber.next(this.arrivalOf(place));
        subscriber.complete();
      });
      this.waiting.add(enter);
      void this.admit();
      return () => this.waiting.delete(enter);
    });
  }

  /** One question at a time: a thousand who wait are no load for the store. */
  private async admit(): Promise<void> {
    if (this.isAdmitting) return;
    this.isAdmitting = true;
    while (this.waiting.size > 0) {
      const place = randomUUID();
      const pause = await this.take(place);
      if (pause > 0) await new Promise<void>((resolve) => this.scheduler.schedule(() => resolve(), pause));
      else firstOf(this.waiting)?.(place);
    }
    this.isAdmitting = false;
    // Nobody is refused while nobody asks; a store that is not believed has to give a place first.
    if (!this.hasRefusedForLong()) this.refusedSince = undefined;
  }

  private hasRefusedForLong(): boolean {
    return this.refusedSince !== undefined && this.scheduler.now() - this.refusedSince >= LONGEST_REFUSAL_MS;
  }

  /** Milliseconds until the store may have a place; 0: it is taken, or the store does not work. */
  private take(place: string): Promise<number> {
    const { redisRate, store } = this;
    return this.watched.ask(
      () =>
        redisRate
          ? redisRate.take(REQUESTS, SHARED_WINDOW_MS, place)
          : store?.take(REQUESTS, SHARED_WINDOW_MS),
      (answer) => this.pauseOf(answer),
      () => 0,
    );
  }

  /** A busy process sends late: the place counts from the arrival on, as the provider counts it. */
  private arrivalOf(place: string): Arrival | undefined {
    const { redisRate } = this;
    if (!redisRate) return undefined;
    const tell = () => redisRate.arrived(place, SHARED_WINDOW_MS, WINDOW_MS);
    return () =>
      void this.watched.ask(
        tell,
        () => undefined,
        () => undefined,
      );
  }

  private pauseOf(answer: unknown): number {
    if (typeof answer !== 'number' || !(answer >= 0 && answer <= SHARED_WINDOW_MS)) {
      throw new StoreFault('The answer is no time in milliseconds within the window');
    }
    if (answer === 0) {
      this.refusedSince = undefined;
      return 0;
    }
    this.refusedSince ??= this.scheduler.now();
    // Redis's refusals are our script's: others were quicker.
    if (!this.redisRate && this.hasRefusedForLong()) {
      throw new StoreFault(`It has had no place for ${LONGEST_REFUSAL_MS} ms`);
    }
    return Math.max(SHORTEST_PAUSE_MS, Math.ceil(answer));
  }
}

const firstOf = <T>(set: ReadonlySet<T>): T | undefined => set.values().next().value;
