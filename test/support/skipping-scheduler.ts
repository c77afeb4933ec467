import { TestScheduler } from './test-scheduler';

interface Limit {
  readonly dueAt: number;
  readonly work: () => void;
}

/**
 * Pauses (before a retry, for the rate) are noted and over at once; limits (an attempt, a whole call) are
 * reached only by `advance`.
 */
export class SkippingScheduler extends TestScheduler {
  /** The pauses that were made, in milliseconds. */
  readonly pauses: number[] = [];
  private time = 0;
  private readonly limits = new Set<Limit>();

  /** @param limitMs from here on a time is a limit; below it is a pause */
  constructor(private readonly limitMs = 25_000) {
    super();
  }

  now(): number {
    return this.time;
  }

  /** Lets time pass; limits that are reached act in their order. */
  advance(ms: number): void {
    this.time += ms;
    const due = [...this.limits].filter(({ dueAt }) => dueAt <= this.time).sort((a, b) => a.dueAt - b.dueAt);
    for (const limit of due) if (this.limits.delete(limit)) limit.work();
  }

  protected after(ms: number, work: () => void): () => void {
    if (ms >= this.limitMs) {
      const limit = { dueAt: this.time + ms, work };
      this.limits.add(limit);
      return () => void this.limits.delete(limit);
    }
    if (ms > 0) this.pauses.push(ms);
    const timer = setImmediate(() => {
      this.time += ms;
      work();
    });
    return () => clearImmediate(timer);
  }
}
