import { Injectable } from '@nestjs/common';
import { Timers } from '../ai-scheduler';

/** A permission to send one request. */
export interface RateSlot {
  /** Tells that the request has certainly reached the provider: it has begun to answer, or the attempt is over. */
  arrived(): void;
}

/** The rate of requests to AI providers. Behind this one class, so that several instances may come to share it. */
export abstract class AiRate {
  /**
   * Waits for a permission, first come first served.
   *
   * @throws the signal's reason when it aborts while waiting; the place in the queue is given up then
   */
  abstract acquire(signal: AbortSignal): Promise<RateSlot>;
}

const REQUESTS = 10;
const WINDOW_MS = 1_000;
/**
 * A request is counted where the provider counts it: on arrival. That is somewhere between the permission and the first sign of an
 * answer, and a first connection takes longer than the ones after it. So a slot's second starts at that first sign, but not much
 * later than this: slow answers must not hold the rate down. The time is taken in steps, each a turn of the event loop, so a busy
 * process, which sends late, counts late.
 */
const LONGEST_TRIP_MS = 300;
const TRIP_STEPS = 6;

/** At most 10 requests in any sliding second, as the providers see it, over all calls of this instance. */
@Injectable()
export class SlidingWindowRate extends AiRate {
  private readonly slots: Slot[] = [];
  private readonly waiting = new Set<() => void>();
  private cancelWake: (() => void) | undefined;

  constructor(private readonly timers: Timers) {
    super();
  }

  acquire(signal: AbortSignal): Promise<RateSlot> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason as Error);
      const enter = (): void => {
        signal.removeEventListener('abort', leave);
        this.waiting.delete(enter);
        resolve(this.take());
      };
      const leave = (): void => {
        this.waiting.delete(enter);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.waiting.add(enter);
      this.admit();
    });
  }

  private take(): Slot {
    const slot = new Slot(this.timers, () => this.admit());
    this.slots.push(slot);
    return slot;
  }

  private admit(): void {
    this.cancelWake?.();
    this.cancelWake = undefined;
    this.forgetFree();
    for (const enter of this.waiting) {
      if (this.slots.length >= REQUESTS) break;
      enter();
    }
    if (this.waiting.size === 0) return;
    const nextFree = Math.min(...this.slots.map((slot) => slot.freeAt()));
    // With all of them on their way, the first arrival comes back here.
    if (nextFree === Infinity) return;
    this.cancelWake = this.timers.after(Math.max(1, nextFree - this.timers.now()), () => this.admit());
  }

  private forgetFree(): void {
    const now = this.timers.now();
    const occupied = this.slots.filter((slot) => slot.freeAt() > now);
    this.slots.splice(0, this.slots.length, ...occupied);
  }
}

class Slot implements RateSlot {
  private arrivedAt = Infinity;
  private stepsLeft = TRIP_STEPS;
  private cancelStep: () => void;

  constructor(
    private readonly timers: Timers,
    private readonly onArrival: () => void,
  ) {
    this.cancelStep = this.nextStep();
  }

  arrived(): void {
    if (this.arrivedAt !== Infinity) return;
    this.cancelStep();
    this.arrivedAt = this.timers.now();
    this.onArrival();
  }

  /** When the slot can be given again; not known while its request may still be on its way. */
  freeAt(): number {
    return this.arrivedAt + WINDOW_MS;
  }

  private nextStep(): () => void {
    return this.timers.after(LONGEST_TRIP_MS / TRIP_STEPS, () => {
      this.stepsLeft -= 1;
      if (this.stepsLeft === 0) this.arrived();
      else this.cancelStep = this.nextStep();
    });
  }
}
