import { createHash } from 'node:crypto';
import type { Clock } from '../common/clock';
import { TooManyRequestsError } from '../common/errors/service-error';
import { RecentMap } from '../common/recent-map';
import { beginWait, type Caller, type Departure } from '../shares/caller';
import { tooLong } from '../shares/patience';

/** Failed logins to an account from one address in a window. */
export const FAILED_LOGINS = 10;

/** Length of the window in milliseconds; it begins with the first attempt. */
export const LOGIN_WINDOW = 60_000;

/** Failed logins to an account, from wherever, before it gets slower. */
const FREE_FAILURES = 5;

/** The first delay, in milliseconds; each further failure doubles it. */
const FIRST_DELAY = 100;

/** The longest delay, in milliseconds. */
const LONGEST_DELAY = 5000;

/** An account whose last failure is as long ago is as fast as ever, in milliseconds. */
const CALM = 15 * 60_000;

/**
 * Most accounts, and pairs of account and address, that are kept; those of least recent use are forgotten.
 */
const KEPT = 50_000;

interface Attempts {
  failed: number;
  /** When the window ends, in milliseconds of the clock. */
  endsAt: number;
  /** Whose outcome is not known yet. */
  underWay: number;
  /** Attempts that wait for an outcome, in the order of their coming. */
  readonly waiting: Set<() => void>;
}

/** What instances count together; nothing of it fails, and undefined is that it is not known. */
export interface SharedFailures {
  /** One more, with `window` milliseconds from the first on: how many there are, for how many more. */
  add(pair: string, window: number): Promise<{ count: number; left: number } | undefined>;
  takeBack(pair: string): Promise<void>;
  /** One of those that were added has failed; `left` milliseconds of the window are left. */
  fail(pair: string, left: number): Promise<void>;
  /** How many have. */
  failed(pair: string): Promise<number | undefined>;
}

/** Others may be under way in other instances: their outcome is waited for so many times, so long in ms. */
const OUTCOME_LOOKS = 50;
const OUTCOME_PAUSE = 200;

interface Failures {
  count: number;
  lastAt: number;
}

/** Ends at once when nobody waits any more. */
const pauseFor = (ms: number, gone?: Departure): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      gone?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    gone?.addEventListener('abort', end);
    if (gone?.aborted) end();
  });

/**
 * Guessing passwords: only what fails counts. From one address an account takes so many failures in a window;
 * over all addresses it gets slower with each failure, up to a bound, but for addresses that have signed in
 * to it before. So nobody keeps anybody else out of an account.
 *
 * Without knowing whether there is such an account. Where instances share a count, the failures from one
 * address hold over all of them; the rest is within this instance.
 */
export class FailedLogins {
  private readonly attempts = new RecentMap<string, Attempts>(KEPT);
  private readonly failures = new RecentMap<string, Failures>(KEPT);
  private readonly known = new RecentMap<string, true>(KEPT);

  constructor(
    private readonly clock: Clock,
    private readonly pause: (ms: number, gone?: Departure) => Promise<unknown> = pauseFor,
    private readonly shared?: SharedFailures,
  ) {}

  /**
   * One login.
   * @param check gives what belongs to good credentials, nothing for wrong ones; what it throws does not
   * count
   * @throws TooManyRequestsError when too many have failed, UnavailableError when others' outcomes are waited
   * for too long
   */
  async attempt<T>(username: string, caller: Caller, check: () => Promise<T | undefined>) {
    const account = accountOf(username);
    const pair = `${account} ${caller.client}`;
    const attempts = await this.admitted(pair, caller);
    try {
      const delay = this.known.get(pair) ? 0 : this.delayOf(account);
      if (delay > 0) await this.pause(delay, caller.gone);
      // The password of somebody who has gone away costs nothing more.
      if (caller.gone?.aborted) return undefined;
      const found = await this.counted(pair, caller, check);
      if (found === undefined) this.failed(account, attempts);
      else this.known.set(pair, true);
      return found;
    } finally {
      attempts.underWay--;
      wakeNext(attempts);
    }
  }

  /**
   * One that is under way counts as failed in all instances, until it is known that it has not: else each of
   * them would try so many.
   */
  private async counted<T>(pair: string, caller: Caller, check: () => Promise<T | undefined>) {
    const { shared } = this;
    if (!shared) return check();
    const left = await this.admittedByAll(shared, pair, caller);
    let hasFailed = false;
    try {
      const found = await check();
      hasFailed = found === undefined;
      return found;
    } finally {
      if (left !== undefined) await (hasFailed ? shared.fail(pair, left) : shared.takeBack(pair));
    }
  }

  /** @returns what is left of the window; undefined where nobody knows, and this instance counts alone */
  private async admittedByAll(shared: SharedFailures, pair: string, { gone }: Caller) {
    for (let look = 0; ; look += 1) {
      const failures = await shared.add(pair, LOGIN_WINDOW);
      if (!failures) return undefined;
      if (failures.count <= FAILED_LOGINS) return failures.left;
      await shared.takeBack(pair);
      const failed = (await shared.failed(pair)) ?? FAILED_LOGINS;
      if (failed >= FAILED_LOGINS || look === OUTCOME_LOOKS || gone?.aborted)
        throw tooManyFailures(failures.left);
      await this.pause(OUTCOME_PAUSE, gone);
    }
  }

  /** An account was made at this address, which counts as signed in to it. */
  signedIn(username: string, { client }: Caller): void {
    this.known.set(`${accountOf(username)} ${client}`, true);
  }

  /** Milliseconds by which a login to the account is delayed now. */
  private delayOf(account: string): number {
    const failures = this.failures.get(account);
    if (!failures || failures.count < FREE_FAILURES || !this.isRecent(failures)) return 0;
    return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** (failures.count - FREE_FAILURES));
  }

  private failed(account: string, attempts: Attempts): void {
    attempts.failed++;
    let failures = this.failures.get(account);
    if (!failures || !this.isRecent(failures)) {
      failures = { count: 0, lastAt: 0 };
      this.failures.set(account, failures);
    }
    failures.count++;
    failures.lastAt = this.clock.now();
  }

  private isRecent({ lastAt }: Failures): boolean {
    return this.clock.now() - lastAt < CALM;
  }

  /**
   * Attempts that are under way may still fail: no more are let in than may fail, and the next ones wait for
   * their outcome. Else a hundred guesses sent at once would all be tried.
   */
  private async admitted(pair: string, caller: Caller): Promise<Attempts> {
    for (;;) {
      const attempts = this.attemptsOf(pair);
      if (attempts.failed >= FAILED_LOGINS) {
        wakeNext(attempts);
        throw this.refusal(attempts);
      }
      if (attempts.failed + attempts.underWay < FAILED_LOGINS) {
        attempts.underWay++;
        return attempts;
      }
      if (caller.gone?.aborted) throw tooLong();
      await outcome(attempts, caller);
    }
  }

  private attemptsOf(pair: string): Attempts {
    const now = this.clock.now();
    let attempts = this.attempts.get(pair);
    if (!attempts) {
      attempts = { failed: 0, endsAt: now + LOGIN_WINDOW, underWay: 0, waiting: new Set() };
      this.attempts.set(pair, attempts);
    } else if (attempts.endsAt <= now || attempts.endsAt > now + LOGIN_WINDOW) {
      // The second: left over from before the clock was set back.
      attempts.failed = 0;
      attempts.endsAt = now + LOGIN_WINDOW;
    }
    return attempts;
  }

  private refusal({ endsAt }: Attempts): TooManyRequestsError {
    return tooManyFailures(endsAt - this.clock.now());
  }
}

/** @param left milliseconds until the window ends */
function tooManyFailures(left: number): TooManyRequestsError {
  const seconds = Math.max(1, Math.ceil(left / 1000));
  return new TooManyRequestsError(seconds, { limit: FAILED_LOGINS, reset: seconds });
}

/** Resolves when an attempt has ended, for the one that has waited longest. */
function outcome({ waiting }: Attempts, caller: Caller): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = beginWait(caller, () => {
      waiting.delete(wake);
      reject(tooLong());
    });
    const wake = () => {
      end();
      resolve();
    };
    waiting.add(wake);
  });
}

function wakeNext({ waiting }: Attempts): void {
  const [wake] = waiting;
  if (!wake) return;
  waiting.delete(wake);
  wake();
}

/**
 * Spellings that look the same are one account. Hashed: a name may be long, and what is guessed at as a name
 * may be a password.
 */
const accountOf = (username: string): string =>
  createHash('sha256').update(username.normalize('NFKC')).digest('base64');
