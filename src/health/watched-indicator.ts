import { Logger } from '@nestjs/common';
import type { Clock } from '../common/clock';
import { loggedError } from '../common/errors/logged-error';
import type { HealthIndicator } from './health-indicator';

/** How long one answer of an indicator counts, in milliseconds. */
const ANSWER_AGE = 1000;

/** How long an indicator has, in milliseconds: as long as the database. */
export const INDICATOR_PATIENCE = 1800;

/** Requests share one check of an indicator, as they share one ping of the database. */
export class WatchedIndicator {
  private readonly logger = new Logger('Health');
  private answer: Promise<boolean> = Promise.resolve(false);
  private checkedAt = -Infinity;
  private underWay = false;
  private wasUp = true;

  constructor(
    readonly indicator: HealthIndicator,
    private readonly clock: Clock,
  ) {}

  isUp(): Promise<boolean> {
    const now = this.clock.elapsed();
    if (!this.underWay && now - this.checkedAt >= ANSWER_AGE) {
      this.checkedAt = now;
      this.answer = this.ask();
    }
    return this.answer;
  }

  private async ask(): Promise<boolean> {
    const giveUp = new AbortController();
    let patience: NodeJS.Timeout | undefined;
    const silence = new Promise<never>((_, reject) => {
      patience = setTimeout(() => {
        reject(new Error(`No answer within ${INDICATOR_PATIENCE} ms`));
        giveUp.abort();
      }, INDICATOR_PATIENCE).unref();
    });
    try {
      await Promise.race([this.check(giveUp.signal), silence]);
      this.tell(true);
      return true;
    } catch (error) {
      this.tell(false, error);
      return false;
    } finally {
      clearTimeout(patience);
    }
  }

  private async check(signal: AbortSignal): Promise<void> {
    this.underWay = true;
    try {
      await this.indicator.check(signal);
    } finally {
      this.underWay = false;
    }
  }

  /** Changes only: checks come every few seconds. */
  private tell(isUp: boolean, error?: unknown): void {
    if (isUp === this.wasUp) return;
    this.wasUp = isUp;
    const { name } = this.indicator;
    if (isUp) this.logger.log(`${name} is up again`);
    else this.logger.error({ err: loggedError(error) }, `${name} is down`);
  }
}
