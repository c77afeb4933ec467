const nothing = () => undefined;

/** Work that is asked for often: one run is under way, and one comes after it for all who ask meanwhile. */
export class OneAtATime<T> {
  private last: Promise<unknown> = Promise.resolve();
  private next: Promise<T> | undefined;

  constructor(private readonly work: () => Promise<T>) {}

  /** What comes of a run that has not begun yet. */
  run(): Promise<T> {
    this.next ??= this.last.then(() => {
      this.next = undefined;
      const run = this.work();
      this.last = run.then(nothing, nothing);
      return run;
    });
    return this.next;
  }
}
