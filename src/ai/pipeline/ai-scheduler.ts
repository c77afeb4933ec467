import { Injectable } from '@nestjs/common';
import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs';

/** The clock of AI calls: their limits, pauses and windows. Injected, so that tests can control it. */
@Injectable()
export class AiScheduler implements SchedulerLike {
  /** Milliseconds; only differences are meaningful. */
  now(): number {
    // Monotonic: a correction of the wall clock must not empty or extend a rate window.
    return performance.now();
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
    return asyncScheduler.schedule(work, delay, state);
  }
}
