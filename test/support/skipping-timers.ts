import { Timers } from '../../src/ai/call/ai-scheduler';

interface Held {
  readonly dueAt: number;
  readonly work: () => void;
}

/**
 * The AI pipeline's time in the hands of a test: pauses (before a retry, for the rate) are noted and over at once, limits (an attempt,
 * a whole call) are reached only by `advance`.
 */
export class SkippingTimers extends Timers {
  /** The pauses that were made, in milliseconds. */
  readonly pauses: number[] = [];
  private time = 0;
  private readonly held = new Set<Held>();

  /** @param limitMs from here on a time is a limit; below it is a pause */
  constructor(private readonly limitMs = 25_000) {
    super();
  }

  now(): number {
    return this.time;
  }

  after(ms: number, work: () => void): () => void {
    if (ms >= this.limitMs) {
      const limit = { dueAt: this.time + ms, work };
      this.held.add(limit);
      return () => void this.held.delete(limit);
    }
    if (ms > 0) this.pauses.push(ms);
    const timer = setImmediate(() => {
      this.time += ms;
      work();
    });
    return () => clearImmediate(timer);
  }

  /** Lets time pass; limits that are reached act in their order. */
  advance(ms: number): void {
    this.time += ms;
    const due = [...this.held].filter(({ dueAt }) => dueAt <= this.time).sort((a, b) => a.dueAt - b.dueAt);
    for (const limit of due) if (this.held.delete(limit)) limit.work();
  }
}
