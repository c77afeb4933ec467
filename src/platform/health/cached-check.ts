import type { Clock } from '../common/clock';
import { within } from '../common/within';

/** Time after which a check counts as down. A client gets its answer within two seconds. */
export const CHECK_TIMEOUT_MS = 1800;

/**
 * A health check whose result requests share for a second: many clients cause no additional load, and only one check
 * runs at a time.
 */
export class CachedCheck {
  private answer: Promise<boolean> = Promise.resolve(false);
  private checkedAt = -Infinity;
  private isUnderWay = false;

  /**
   * @param check resolves if the component is up; the signal is aborted at the timeout
   * @param onResult called with every result, with the error if it is down
   */
  constructor(
    private readonly check: (signal: AbortSignal) => Promise<void>,
    private readonly clock: Clock,
    private readonly onResult: (isUp: boolean, error?: unknown) => void = () => undefined,
  ) {}

  isUp(): Promise<boolean> {
    const now = this.clock.elapsed();
    if (!this.isUnderWay && now - this.checkedAt >= 1000) {
      this.checkedAt = now;
      this.answer = this.run();
    }
    return this.answer;
  }

  private async run(): Promise<boolean> {
    const controller = new AbortController();
    const timeoutError = () => {
      controller.abort();
      return new Error(`No answer within ${CHECK_TIMEOUT_MS} ms`);
    };
    try {
      await within(CHECK_TIMEOUT_MS, timeoutError, () => this.untilItEnds(controller.signal));
      this.onResult(true);
      return true;
    } catch (error) {
      this.onResult(false, error);
      return false;
    }
  }

  private async untilItEnds(signal: AbortSignal): Promise<void> {
    this.isUnderWay = true;
    try {
      await this.check(signal);
    } finally {
      this.isUnderWay = false;
    }
  }
}
