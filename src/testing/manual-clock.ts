import { Clock } from '../common/clock';

/** A clock that stands still until a test moves it. */
export class ManualClock extends Clock {
  private passed = 0;

  /** @param time milliseconds since 1970-01-01 UTC */
  constructor(private time = Date.UTC(2026, 0, 2, 3, 4, 5, 678)) {
    super();
  }

  override now(): number {
    return this.time;
  }

  override elapsed(): number {
    return this.passed;
  }

  /** @param milliseconds how much time passes; negative turns the clock back */
  advance(milliseconds: number): void {
    this.time += milliseconds;
    if (milliseconds > 0) this.passed += milliseconds;
  }

  /** Sets the time of day, as an administrator does: no time passes. */
  step(milliseconds: number): void {
    this.time += milliseconds;
  }
}
