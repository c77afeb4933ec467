import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { interval, Observable, type Subscription, take } from 'rxjs';
import { CircuitBreaker, StoreFault } from '../../../platform/common/circuit-breaker';
import { Clock } from '../../../platform/common/clock';
import { theOneWith } from '../../../platform/common/extension-tokens';
import { Redis } from '../../../platform/redis/redis.module';
import { AiScheduler } from '../ai-scheduler';

/**
 * Token under which a module provides an `AiRateStore`, which limits the rate of requests to AI
 * providers over all instances, in place of Redis.
 */
export const AI_RATE_STORE = Symbol('AI_RATE_STORE');

export interface AiRateStore {
  /**
   * Takes one place if fewer than `limit` have been taken within the last `window` milliseconds.
   *
   * @returns 0 if it has taken a place, otherwise the milliseconds until one is free, at most `window`
   */
  take(limit: number, window: number): Promise<number>;
}

/** Permission to send one request. */
export interface RateSlot {
  /** Reports that the request has reached the provider: the answer has begun, or the attempt is over. */
  arrived(): void;
}

const REQUESTS = 10;
const WINDOW_MS = 1_000;
/**
 * A provider counts a request on arrival: between the permission and the first sign of an answer. A new
 * connection takes longer than the requests after it. A slot's second therefore starts at that first sign,
 * but at the latest after this time, because slow answers must not reduce the rate. The time is measured
 * in steps, each a turn of the event loop, so that a busy process, which sends late, also counts late.
 */
const LONGEST_TRIP_MS = 300;
const TRIP_STEPS = 6;

/** An extension's store does not know arrivals, so a place counts from the time it is taken. */
const SHARED_WINDOW_MS = WINDOW_MS + LONGEST_TRIP_MS;

const STORE_TIMEOUT_MS = 250;

/** Shortest pause before a store that had no free place is called again. */
const SHORTEST_PAUSE_MS = 10;

/**
 * Limits requests to AI providers to 10 in any sliding second as the providers see it, first come first
 * served. The limit applies to this instance, and through an extension's store or Redis to all instances.
 */
@Injectable()
export class AiRate implements OnModuleInit {
  private slots: Slot[] = [];
  private readonly waiting = new Set<(slot: RateSlot) => void>();
  private isAdmitting = false;
  private wake: () => void = () => undefined;
  private takeShared: ((place: string) => Promise<number>) | undefined;
  private tellArrival: (place: string) => void = () => undefined;

  constructor(
    private readonly scheduler: AiScheduler,
    private readonly discovery: DiscoveryService,
    private readonly clock: Clock,
    private readonly redis: Redis,
  ) {}

  /** Number of requests that wait for the rate limit. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** All modules are loaded at this point. */
  onModuleInit(): void {
    const store = theOneWith<AiRateStore>(AI_RATE_STORE, this.discovery, ['take']);
    if (store) {
      const consequence = 'this process keeps the rate alone';
      const circuit = new CircuitBreaker('AI_RATE_STORE', consequence, STORE_TIMEOUT_MS, this.clock);
      this.takeShared = () =>
        circuit.execute(
          () => store.take(REQUESTS, SHARED_WINDOW_MS),
          pauseOf,
          () => 0,
        );
    } else if (this.redis.state) {
      const { aiRate, circuit } = this.redis.state;
      const nothing = () => undefined;
      this.takeShared = (place) =>
        circuit.execute(
          () => aiRate.take(REQUESTS, SHARED_WINDOW_MS, place),
          pauseOf,
          () => 0,
        );
      this.tellArrival = (place) =>
        void circuit.execute(() => aiRate.arrived(place, SHARED_WINDOW_MS, WINDOW_MS), nothing, nothing);
    }
  }

  /** Emits one permission. Unsubscribing leaves the queue. */
  acquire(): Observable<RateSlot> {
    return new Observable((subscriber) => {
      // The loop runs outside the context of the request.
      const enter = AsyncResource.bind((slot: RateSlot) => {
        subscriber.next(slot);
        subscriber.complete();
      });
      this.waiting.add(enter);
      void this.admit();
      return () => this.waiting.delete(enter);
    });
  }

  private async admit(): Promise<void> {
    if (this.isAdmitting) return;
    this.isAdmitting = true;
    while (this.waiting.size > 0) {
      const place = randomUUID();
      const ownMs = this.msUntilFree();
      const pauseMs = ownMs === 0 && this.takeShared ? await this.takeShared(place) : ownMs;
      if (pauseMs > 0) await this.pause(pauseMs);
      else this.letIn(place);
    }
    this.isAdmitting = false;
  }

  private letIn(place: string): void {
    const [enter] = this.waiting;
    if (!enter) return;
    this.waiting.delete(enter);
    const slot = new Slot(this.scheduler, () => {
      this.tellArrival(place);
      this.wake();
    });
    this.slots.push(slot);
    enter(slot);
  }

  /** Infinity while all slots belong to requests in transit: the next arrival determines when a slot is free. */
  private msUntilFree(): number {
    const now = this.scheduler.now();
    this.slots = this.slots.filter((slot) => slot.freeAt() > now);
    return this.slots.length < REQUESTS ? 0 : Math.min(...this.slots.map((slot) => slot.freeAt())) - now;
  }

  /** Ends early when a request has arrived. */
  private async pause(ms: number): Promise<void> {
    let timer: Subscription | undefined;
    await new Promise<void>((resolve) => {
      this.wake = resolve;
      if (ms !== Infinity) timer = this.scheduler.schedule(() => resolve(), ms);
    });
    timer?.unsubscribe();
  }
}

/** @throws StoreFault if the store's answer is not a time within the window */
function pauseOf(answer: unknown): number {
  if (typeof answer !== 'number' || !(answer >= 0 && answer <= SHARED_WINDOW_MS)) {
    throw new StoreFault('The answer is no time in milliseconds within the window');
  }
  return answer === 0 ? 0 : Math.max(SHORTEST_PAUSE_MS, Math.ceil(answer));
}

class Slot implements RateSlot {
  private arrivedAt = Infinity;
  private readonly trip: Subscription;

  constructor(
    private readonly scheduler: AiScheduler,
    private readonly onArrival: () => void,
  ) {
    this.trip = interval(LONGEST_TRIP_MS / TRIP_STEPS, scheduler)
      .pipe(take(TRIP_STEPS))
      .subscribe({ complete: () => this.arrived() });
  }

  arrived(): void {
    if (this.arrivedAt !== Infinity) return;
    this.trip.unsubscribe();
    this.arrivedAt = this.scheduler.now();
    this.onArrival();
  }

  /** Returns the time at which the slot is free again; Infinity while its request may be in transit. */
  freeAt(): number {
    return this.arrivedAt + WINDOW_MS;
  }
}
