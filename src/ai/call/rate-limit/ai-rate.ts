import { AsyncResource } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { interval, mergeMap, Observable, type Subscription, take } from 'rxjs';
import { AiScheduler } from '../ai-scheduler';

/** A permission to send one request. */
export interface RateSlot {
  /** The request has certainly reached the provider: it has begun to answer, or the attempt is over. */
  arrived(): void;
}

/** Told that a request has reached its provider. */
export type Arrival = () => void;

/** The rate of requests to AI providers. */
export abstract class AiRate {
  /**
   * One permission, first come first served. Who unsubscribes while waiting gives up the place in the queue.
   */
  abstract acquire(): Observable<RateSlot>;
}

export const REQUESTS = 10;
export const WINDOW_MS = 1_000;
/**
 * A request is counted where the provider counts it: on arrival. That is somewhere between the permission and
 * the first sign of an answer, and a first connection takes longer than the ones after it. So a slot's second
 * starts at that first sign, but not much later than this: slow answers must not hold the rate down. The time
 * is taken in steps, each a turn of the event loop, so a busy process, which sends late, counts late.
 */
export const LONGEST_TRIP_MS = 300;
const TRIP_STEPS = 6;

/** At most 10 requests in any sliding second, as the providers see it, over all calls of this instance. */
@Injectable()
export class SlidingWindowRate extends AiRate {
  private slots: Slot[] = [];
  private readonly waiting = new Set<() => void>();
  private wake: Subscription | undefined;
  private before: Observable<Arrival | void> | undefined;

  constructor(private readonly scheduler: AiScheduler) {
    super();
  }

  /** Requests that wait for the rate. */
  get waitingCount(): number {
    return this.waiting.size;
  }

  /** Every call waits for this too, before it enters the queue here. What it gives is told the arrival. */
  waitFor(before: Observable<Arrival | void>): void {
    this.before = before;
  }

  acquire(): Observable<RateSlot> {
    return this.before ? this.before.pipe(mergeMap((arrival) => this.slot(arrival))) : this.slot();
  }

  private slot(arrival: Arrival | void): Observable<RateSlot> {
    return new Observable((subscriber) => {
      // It is let in by whoever made room, of whose request it is no part.
      const enter: () => void = AsyncResource.bind(() => {
        this.waiting.delete(enter);
        const slot = new Slot(this.scheduler, () => {
          arrival?.();
          this.admit();
        });
        this.slots.push(slot);
        subscriber.next(slot);
        subscriber.complete();
      });
      this.waiting.add(enter);
      this.admit();
      return () => this.waiting.delete(enter);
    });
  }

  private admit(): void {
    const now = this.scheduler.now();
    this.slots = this.slots.filter((slot) => slot.freeAt() > now);
    for (const enter of this.waiting) {
      if (this.slots.length >= REQUESTS) break;
      enter();
    }
    this.wake?.unsubscribe();
    if (this.waiting.size === 0) return;
    const nextFree = Math.min(...this.slots.map((slot) => slot.freeAt()));
    // With all of them on their way, the first arrival comes back here.
    if (nextFree === Infinity) return;
    this.wake = this.scheduler.schedule(() => this.admit(), Math.max(1, nextFree - now));
  }
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

  /** When the slot can be taken again; not known while its request may still be on its way. */
  freeAt(): number {
    return this.arrivedAt + WINDOW_MS;
  }
}
