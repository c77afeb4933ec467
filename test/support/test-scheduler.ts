import { type SchedulerAction, type SchedulerLike, Subscription } from 'rxjs';

/** The time of AI calls in the hands of a test: what is due when is decided by `after`. */
export abstract class TestScheduler implements SchedulerLike {
  abstract now(): number;

  /** Runs `work` when `ms` have passed, unless the returned function is called before. */
  protected abstract after(ms: number, work: () => void): () => void;

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return new Action(work, (ms, run) => this.after(ms, run)).schedule(state, delay);
  }
}

/** Work that may schedule itself again, as RxJS's own actions do. */
class Action<T> extends Subscription implements SchedulerAction<T> {
  private cancel = (): void => undefined;

  constructor(
    private readonly work: (this: SchedulerAction<T>, state?: T) => void,
    private readonly after: (ms: number, work: () => void) => () => void,
  ) {
    super();
    this.add(() => this.cancel());
  }

  schedule(state?: T, delay = 0): Subscription {
    this.cancel();
    if (!this.closed) this.cancel = this.after(delay, () => this.work(state));
    return this;
  }
}
