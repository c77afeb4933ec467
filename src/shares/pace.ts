/** Work is quick while it takes no longer than this on average, in milliseconds. */
const QUICK_MS = 5;

/** How much the latest turn counts in the average: a few long ones are enough, many short ones are needed. */
const SHARE_OF_LATEST = 1 / 16;

/** Whether a kind of work has been quick lately; not before it has shown so. */
export class Pace {
  private mean = 2 * QUICK_MS;

  get isQuick(): boolean {
    return this.mean <= QUICK_MS;
  }

  /** @param ms that a turn has lasted */
  took(ms: number): void {
    this.mean += (ms - this.mean) * SHARE_OF_LATEST;
  }
}
