import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { CacheableMemory } from 'cacheable';
import { Clock } from '../platform/common/clock';
import { TooManyRequestsError } from '../platform/common/errors/service-error';
import { currentAddress } from '../platform/http/client';
import { ConcurrencyLimiter } from '../platform/request-limits/concurrency-limiter';
import { Redis } from '../platform/redis/redis.module';
import { SharedCounter } from '../platform/redis/shared-counter';

/** Most failed logins to an account from one client, in a window that begins with the first. */
export const FAILED_LOGINS = 10;
export const LOGIN_WINDOW_SECONDS = 60;

/** Failed logins to an account from all clients, in a window of this many seconds, before its logins are delayed. */
const FREE_FAILURES = 5;
const ACCOUNT_WINDOW_SECONDS = 15 * 60;

/** Each further failure doubles the delay. */
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5_000;

/** Number of checks, and the pause between them, for whether concurrent attempts have succeeded. */
const RESERVE_LOOKS = 5;
const RESERVE_PAUSE_MS = 100;

/** Most pairs of account and client that are remembered as having signed in. */
const KNOWN_PAIRS = 50_000;

/**
 * Protects passwords against guessing. Only failures count. An account accepts a limited number of them from one
 * client in a window, over all instances. Over all clients, each failure delays further logins, except from clients
 * that have signed in to the account before: nobody can lock another user out. It makes no difference whether the
 * account exists.
 */
@Injectable()
export class FailedLogins {
  private readonly byClient: SharedCounter;
  private readonly byAccount: SharedCounter;
  private readonly known = new CacheableMemory({ lruSize: KNOWN_PAIRS, useClone: false });

  constructor(
    private readonly limiter: ConcurrencyLimiter,
    clock: Clock,
    redis: Redis,
  ) {
    this.byClient = new SharedCounter('logins', clock, redis.state);
    this.byAccount = new SharedCounter('accounts', clock);
  }

  /**
   * Runs one login of the current request's client.
   * @param verify returns a result for valid credentials and undefined for wrong ones; an error does not count
   * @throws TooManyRequestsError after too many failures
   */
  async attempt<T>(username: string, verify: () => Promise<T | undefined>): Promise<T | undefined> {
    const account = accountOf(username);
    const pair = pairOf(account);
    const failures = await this.byClient.get(pair);
    // A longer window was stored before the clock was set back. Adding to the counter corrects it.
    const isCurrent = failures.leftMs <= LOGIN_WINDOW_SECONDS * 1000;
    if (isCurrent && failures.count >= FAILED_LOGINS) throw tooManyFailures(failures.leftMs);
    const delay = this.known.has(pair) ? 0 : await this.delayMs(account);
    if (delay > 0) await sleep(delay);
    // Inside the lane, few logins are verified at once. Each counts as failed until it has succeeded.
    return this.limiter.run('password', async () => {
      await this.reserve(pair);
      let hasFailed = false;
      try {
        const found = await verify();
        hasFailed = found === undefined;
        if (!hasFailed) this.known.set(pair, true);
        return found;
      } finally {
        if (hasFailed) await this.byAccount.add(account, ACCOUNT_WINDOW_SECONDS);
        else await this.byClient.takeBack(pair, LOGIN_WINDOW_SECONDS);
      }
    });
  }

  /** Counts an attempt as failed. If too many are in progress, it tries again, because the others may succeed. */
  private async reserve(pair: string): Promise<void> {
    for (let looks = 1; ; looks += 1) {
      const { count, leftMs } = await this.byClient.add(pair, LOGIN_WINDOW_SECONDS);
      if (count <= FAILED_LOGINS) return;
      if (looks === RESERVE_LOOKS) throw tooManyFailures(leftMs);
      await this.byClient.takeBack(pair, LOGIN_WINDOW_SECONDS);
      await sleep(RESERVE_PAUSE_MS);
    }
  }

  /** Records that the current request's client has created the account, which counts as a login. */
  signedIn(username: string): void {
    this.known.set(pairOf(accountOf(username)), true);
  }

  private async delayMs(account: string): Promise<number> {
    const { count } = await this.byAccount.get(account);
    if (count < FREE_FAILURES) return 0;
    return Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** (count - FREE_FAILURES));
  }
}

const pairOf = (account: string): string => `${account} ${currentAddress()}`;

function tooManyFailures(leftMs: number): TooManyRequestsError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new TooManyRequestsError(seconds, { limit: FAILED_LOGINS, reset: seconds });
}

/**
 * Names that look the same count as one account. The name is hashed, because it may be long, and because a user may
 * type the password in its place.
 */
const accountOf = (username: string): string =>
  createHash('sha256').update(username.normalize('NFKC')).digest('base64');
