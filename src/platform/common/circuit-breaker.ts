import { Logger } from '@nestjs/common';
import type { Clock } from './clock';

/** A store gave an unusable answer. The message is logged, so it must not contain any of the answer. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/**
 * After this many failures, the store is not called for `OPEN_MS` milliseconds. Then one call tries it. Ten good
 * calls cancel one failure.
 */
const FAILURES = 3;
const OPEN_MS = 5_000;

/**
 * Calls a store outside this process, in Redis or of an extension. The store may hang, fail, throw or return
 * nonsense. Every call ends in time, and after some failures only the fallback is used for a while.
 */
export class CircuitBreaker {
  private readonly logger = new Logger('Stores');
  private failures = 0;
  private openUntil = -Infinity;
  private isFailing = false;
  private failed = 0;

  /**
   * @param consequence for the log: the effect on the service while the store fails
   * @param describe for the log: returns the part of an error's message that contains no data of a call
   */
  constructor(
    private readonly name: string,
    private readonly consequence: string,
    private readonly timeoutMs: number,
    private readonly clock: Clock,
    private readonly describe: (error: unknown) => string | undefined = () => undefined,
  ) {}

  /** Figures for metrics. */
  get figures(): { readonly isFailing: boolean; readonly failed: number } {
    return { isFailing: this.isFailing, failed: this.failed };
  }

  /** Lets the next call try the store. */
  close(): void {
    this.openUntil = -Infinity;
  }

  /**
   * Returns the store's answer, or that of the fallback.
   * @param read converts the store's answer; throws if it is nonsense, preferably a `StoreFault`
   */
  async execute<T>(
    call: () => unknown,
    read: (answer: unknown) => T,
    fallback: () => T | Promise<T>,
  ): Promise<T> {
    const isProbe = this.failures >= FAILURES;
    if (isProbe && this.clock.elapsed() < this.openUntil) return fallback();
    if (isProbe) this.openUntil = this.clock.elapsed() + OPEN_MS;
    let answer: T;
    try {
      answer = read(await this.inTime(call));
    } catch (error) {
      this.fail(error);
      return fallback();
    }
    // A store that fails only in some of its calls has not recovered after the next good call.
    if (isProbe || this.clock.elapsed() >= this.openUntil) this.recover();
    else this.failures = Math.max(0, this.failures - 0.1);
    return answer;
  }

  private recover(): void {
    if (this.isFailing) this.logger.log(`${this.name} works again`);
    this.isFailing = false;
    this.failures = 0;
  }

  private inTime(call: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const timeout = () => reject(new StoreFault(`No answer within ${this.timeoutMs} ms`));
      // `setImmediate`: after a busy time, an answer that has arrived is read before the timeout counts.
      const timer = setTimeout(() => setImmediate(timeout), this.timeoutMs).unref();
      // A call that throws counts as one that rejects.
      const answer = new Promise((settle) => settle(call()));
      answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  }

  private fail(error: unknown): void {
    this.failed += 1;
    this.failures += 1;
    this.openUntil = this.clock.elapsed() + OPEN_MS;
    const reason = this.describe(error) ?? reasonOf(error);
    if (!this.isFailing) this.logger.error(`${this.name} fails (${reason}): ${this.consequence}`);
    this.isFailing = true;
  }
}

/** Leaves out messages of foreign errors, because clients of stores put commands with keys and values into them. */
function reasonOf(error: unknown): string {
  if (error instanceof StoreFault) return error.message;
  if (!(error instanceof Error)) return 'a failure that is no Error';
  const { code } = error as { code?: unknown };
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,39}$/.test(code);
  return isCode ? `${error.constructor.name} ${code}` : error.constructor.name;
}
