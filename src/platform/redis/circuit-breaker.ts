import { Logger } from '@nestjs/common';
import type { Clock } from '../common/clock';

class TimeoutError extends Error {}

/**
 * After this many failures, Redis is not called for `OPEN_MS` milliseconds. Then one call tries it. Ten good
 * calls cancel one failure.
 */
const FAILURES = 3;
const OPEN_MS = 5_000;

const CONSEQUENCE = 'each instance keeps its own limits, and AI providers are asked anew';

/**
 * Calls Redis, which may hang or fail. Every call ends in time, and after some failures only the fallback is used
 * for a while.
 */
export class CircuitBreaker {
  private readonly logger = new Logger('Stores');
  private failures = 0;
  private openUntil = -Infinity;
  private isFailing = false;
  private failed = 0;

  /** @param describe returns the part of an error's message that contains no data of a call, for the log */
  constructor(
    private readonly timeoutMs: number,
    private readonly clock: Clock,
    private readonly describe: (error: unknown) => string | undefined = () => undefined,
  ) {}

  /** Figures for metrics. */
  get figures(): { readonly isFailing: boolean; readonly failed: number } {
    return { isFailing: this.isFailing, failed: this.failed };
  }

  /** Lets the next call try Redis. */
  close(): void {
    this.openUntil = -Infinity;
  }

  /** Returns Redis's answer, or that of the fallback. */
  async execute<T, F = T>(call: () => Promise<T>, fallback: () => F): Promise<T | F> {
    const isProbe = this.failures >= FAILURES;
    if (isProbe && this.clock.elapsed() < this.openUntil) return fallback();
    if (isProbe) this.openUntil = this.clock.elapsed() + OPEN_MS;
    let answer: T;
    try {
      answer = await this.inTime(call);
    } catch (error) {
      this.fail(error);
      return fallback();
    }
    // One that fails only in some of its calls has not recovered after the next good call.
    if (isProbe || this.clock.elapsed() >= this.openUntil) this.recover();
    else this.failures = Math.max(0, this.failures - 0.1);
    return answer;
  }

  private recover(): void {
    if (this.isFailing) this.logger.log('Redis works again');
    this.isFailing = false;
    this.failures = 0;
  }

  private inTime<T>(call: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timeout = () => reject(new TimeoutError(`No answer within ${this.timeoutMs} ms`));
      // `setImmediate`: after a busy time, an answer that has arrived is read before the timeout counts.
      const timer = setTimeout(() => setImmediate(timeout), this.timeoutMs).unref();
      call()
        .then(resolve, reject)
        .finally(() => clearTimeout(timer));
    });
  }

  private fail(error: unknown): void {
    this.failed += 1;
    this.failures += 1;
    this.openUntil = this.clock.elapsed() + OPEN_MS;
    const reason = this.describe(error) ?? reasonOf(error);
    if (!this.isFailing) this.logger.error(`Redis fails (${reason}): ${CONSEQUENCE}`);
    this.isFailing = true;
  }
}

/** Leaves out messages of foreign errors, because clients put commands with keys and values into them. */
function reasonOf(error: unknown): string {
  if (error instanceof TimeoutError) return error.message;
  if (!(error instanceof Error)) return 'a failure that is no Error';
  const { code } = error as { code?: unknown };
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,39}$/.test(code);
  return isCode ? `${error.constructor.name} ${code}` : error.constructor.name;
}
