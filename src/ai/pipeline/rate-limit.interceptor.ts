import { AsyncResource } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { interval, mergeMap, Observable, type Subscription, take, tap } from 'rxjs';
import { aiCallOf, type AiEvent, AiScheduler } from './ai-call';
import { Redis } from '../../platform/redis/redis.module';
import type { SharedState } from '../../platform/redis/shared-state';

/**
 * Limits requests to AI providers to 10 in any sliding second as the providers see it, first come first
 * served. The limit applies to this instance, and through Redis to all instances.
 */
@Injectable()
export class AiRate {
  private slots: Slot[] = [];
  private readonly waiting = new Set<(slot: RateSlot) => void>();
  private isAdmitting = false;
  private wake: () => void = () => undefined;

  constructor(
    private readonly scheduler: AiScheduler,
    private readonly redis: Redis,
  ) {}

  /** Number of requests that wait for the rate limit. */
  get waitingCount(): number {
    return this.waiting.size;
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
      const { state } = this.redis;
      const pauseMs = ownMs === 0 && state ? await takeShared(state, place) : ownMs;
      if (pauseMs > 0) await this.pause(pauseMs);
      else this.letIn(place);
    }
    this.isAdmitting = false;
  }

  private reportArrival(place: string): void {
    const { state } = this.redis;
    void state?.circuit.execute(
      () => state.aiRate.arrived(place, SHARED_WINDOW_MS, WINDOW_MS),
      () => undefined,
    );
  }

  private letIn(place: string): void {
    const [enter] = this.waiting;
    if (!enter) return;
    this.waiting.delete(enter);
    const slot = new Slot(this.scheduler, () => {
      this.reportArrival(place);
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

/**
 * Starts an attempt when the rate limit allows it. The wait ends at the call's deadline, or when its
 * caller unsubscribes.
 */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(private readonly rate: AiRate) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    if (!aiCallOf(context).provider.capabilities.remote) return next.handle();
    return this.rate
      .acquire()
      .pipe(
        mergeMap((slot) =>
          next.handle().pipe(tap({ next: () => slot.arrived(), error: () => slot.arrived() })),
        ),
      );
  }
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

/** A place in Redis counts from the time it is taken, until the arrival of its request is known. */
const SHARED_WINDOW_MS = WINDOW_MS + LONGEST_TRIP_MS;

/** Returns 0 if all instances together have a free place, otherwise the milliseconds until they may have one. */
async function takeShared({ aiRate, circuit }: SharedState, place: string): Promise<number> {
  const pauseMs = await circuit.execute(
    () => aiRate.take(REQUESTS, SHARED_WINDOW_MS, place),
    () => 0,
  );
  // Redis is not asked again at once after it had no free place.
  return pauseMs === 0 ? 0 : Math.max(10, pauseMs);
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
