import { Clock } from '../platform/common/clock';

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

  /** @param milliseconds time that passes; a negative value sets the clock back */
  advance(milliseconds: number): void {
    this.time += milliseconds;
    if (milliseconds > 0) this.passed += milliseconds;
  }

  /** Changes the time of day, as an administrator does, without time passing. */
  step(milliseconds: number): void {
    this.time += milliseconds;
  }
}
