import { Clock } from '../../src/common/clock';

/** A clock that stands still until a test moves it. */
export class ManualClock extends Clock {
  constructor(private time = Date.UTC(2026, 0, 2, 3, 4, 5, 678)) {
    super();
  }

  override now(): number {
    return this.time;
  }

  /** @param milliseconds how far to move; negative turns it back */
  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}
