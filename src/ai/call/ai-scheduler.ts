import { Injectable } from '@nestjs/common';

/** Time as the AI pipeline sees it: deadlines, waits and windows. Injected, so that tests own the clock. */
export abstract class Timers {
  /** Milliseconds; only differences mean anything. */
  abstract now(): number;
  /** Runs `work` once after `ms` milliseconds unless the returned function is called before. */
  abstract after(ms: number, work: () => void): () => void;
}

@Injectable()
export class SystemTimers extends Timers {
  now(): number {
    // Monotonic: a corrected wall clock must not empty or stretch a rate window.
    return performance.now();
  }

  after(ms: number, work: () => void): () => void {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  }
}
