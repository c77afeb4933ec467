import { TestScheduler } from './test-scheduler';

interface Due {
  readonly at: number;
  readonly work: () => void;
}

/** Time passes only by `advance`. */
export class ManualScheduler extends TestScheduler {
  private time = 0;
  private readonly waiting = new Set<Due>();

  now(): number {
    return this.time;
  }

  /** How much is scheduled at the moment. */
  get scheduled(): number {
    return this.waiting.size;
  }

  /** Lets time pass; what waits for a promise runs in between. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    for (;;) {
      await new Promise(setImmediate);
      const [next] = [...this.waiting].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (!next) break;
      this.waiting.delete(next);
      this.time = next.at;
      next.work();
    }
    this.time = end;
  }

  protected after(ms: number, work: () => void): () => void {
    const due = { at: this.time + ms, work };
    this.waiting.add(due);
    return () => void this.waiting.delete(due);
  }
}
