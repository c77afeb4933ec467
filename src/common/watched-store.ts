import { Logger } from '@nestjs/common';
import type { Clock } from './clock';

/** What is wrong with a store's answer. The message goes to the log: it holds nothing of the answer. */
export class StoreFault extends Error {
  override readonly name = 'StoreFault';
}

/** What a failed call counts; a good one takes one off. */
const FAILURE = 10;

/** From here on a store is left alone: five failures in a row, or for long more than one call in eleven. */
const TOO_MANY = 5 * FAILURE;

/** How long it is left alone, in milliseconds; then one call tries it. */
const PAUSE_MS = 5_000;

/** Calls that may be unended at once, those that nobody waits for any more included. */
const MOST_CALLS = 1_000;

/**
 * A store that is not in this process, of an extension or in Redis. It may hang, fail, throw and answer
 * nonsense: each call ends within a time, and one that fails too often is left alone for some seconds, so
 * that it does not cost every request that time.
 */
export class WatchedStore {
  private readonly logger = new Logger('Stores');
  private failures = 0;
  private failed = 0;
  private underWay = 0;
  private failedAt = -Infinity;
  private pausedUntil = -Infinity;
  private triedAt = -Infinity;
  private isFailing = false;

  /**
   * @param name for the log
   * @param meanwhile for the log: what is done without it
   * @param patience milliseconds for one call
   */
  constructor(
    private readonly name: string,
    private readonly meanwhile: string,
    private readonly patience: number,
    private readonly clock: Clock,
    /** Called before each call: throws where none is worth making, best a `StoreFault`. */
    private readonly check: () => void = () => undefined,
    /** Told each error. For the log: what it says that is nothing of a call, where there is such. */
    private readonly wordOf: (error: unknown) => string | undefined = () => undefined,
  ) {}

  /** For who measures: whether it has failed and not worked again since, and how many calls have failed. */
  get figures(): { readonly isFailing: boolean; readonly failed: number } {
    return { isFailing: this.isFailing, failed: this.failed };
  }

  /** There is reason to believe that it works again: the next call tries it, however many have failed. */
  tryAgain(): void {
    if (this.failures < TOO_MANY) return;
    this.triedAt = -Infinity;
    this.pausedUntil = -Infinity;
  }

  /**
   * What the store answers, or what is done without it.
   *
   * @param read makes something of its answer; throws where it is none, best a `StoreFault`
   * @param patience milliseconds for this call, where it is another than usual
   */
  async ask<T>(
    call: () => unknown,
    read: (answer: unknown) => T,
    otherwise: () => T | PromiseLike<T>,
    patience = this.patience,
  ): Promise<T> {
    if (!this.mayBeAsked()) return otherwise();
    let answer: T;
    try {
      this.check();
      answer = read(await this.inTime(call, patience));
    } catch (error) {
      this.fail(error);
      return otherwise();
    }
    this.answered();
    return answer;
  }

  private mayBeAsked(): boolean {
    if (this.underWay >= MOST_CALLS) return false;
    if (this.failures < TOO_MANY) return true;
    const now = this.clock.elapsed();
    if (now < Math.max(this.pausedUntil, this.triedAt + PAUSE_MS)) return false;
    this.triedAt = now;
    return true;
  }

  private inTime(call: () => unknown, ms: number): Promise<unknown> {
    this.underWay++;
    return new Promise((resolve, reject) => {
      const silence = () => reject(new StoreFault(`No answer within ${ms} ms`));
      // After a busy time an answer that has arrived is read before the silence is believed.
      const patience = setTimeout(() => setImmediate(silence), ms).unref();
      const end = () => {
        this.underWay--;
        clearTimeout(patience);
      };
      // Behind a promise one that throws has failed as one that rejects.
      const answer = new Promise((settle) => settle(call()));
      answer.then(resolve, reject);
      answer.then(end, end);
    });
  }

  private answered(): void {
    this.failures = Math.max(0, this.failures - 1);
    if (!this.isFailing || this.clock.elapsed() - this.failedAt < PAUSE_MS) return;
    this.isFailing = false;
    this.logger.log(`${this.name} works again`);
  }

  private fail(error: unknown): void {
    this.failed += 1;
    this.failures = Math.min(TOO_MANY, this.failures + FAILURE);
    this.failedAt = this.clock.elapsed();
    this.pausedUntil = this.failedAt + PAUSE_MS;
    const reason = this.wordOf(error) ?? reasonOf(error);
    if (this.isFailing) return;
    this.isFailing = true;
    this.logger.error(`${this.name} fails (${reason}): ${this.meanwhile}`);
  }
}

/** Without the message of a foreign error: clients of stores put commands with keys and values into it. */
function reasonOf(error: unknown): string {
  if (error instanceof StoreFault) return error.message;
  if (!(error instanceof Error)) return 'a failure that is no Error';
  const { code } = error as { code?: unknown };
  const isCode = typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,39}$/.test(code);
  return isCode ? `${error.constructor.name} ${code}` : error.constructor.name;
}
