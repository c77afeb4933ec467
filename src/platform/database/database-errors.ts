import { Injectable, Logger } from '@nestjs/common';
import { loggedError } from '../common/errors/logged-error';
import { ServiceError } from '../common/errors/service-error';
import { DATABASE_UNAVAILABLE, translatePgError } from './pg-errors';

/** The service cannot start. The message tells the operator what to do. */
export class DatabaseSetupError extends Error {
  override readonly name = 'DatabaseSetupError';
}

/** Why a statement ended early. */
export type CancelReason =
  | 'timeout' // PostgreSQL's statement_timeout
  | 'lock' // lock_timeout
  | 'idle' // idle_in_transaction_session_timeout
  | 'cancelled' // its client disconnected
  | 'silent'; // the server did not answer, and the connection was closed

const REASONS: Readonly<Record<string, CancelReason>> = {
  '55P03': 'lock',
  '25P03': 'idle',
  '57014': 'timeout',
};

/** The message of `pg` when its `query_timeout` has passed. */
const READ_TIMEOUT = 'Query read timeout';

const DISK_FULL_STATE = '53100';

/** Translates errors of the database. Logs once when the database becomes unreachable, and when it answers again. */
@Injectable()
export class DatabaseErrors {
  private readonly logger = new Logger('Database');
  /** True from a statement that could not reach the database until one succeeds. */
  isLost = false;
  private onCancelled: (reason: CancelReason) => void = () => undefined;

  /** @param listener called for each statement that ended early; must not throw */
  watchCancelled(listener: (reason: CancelReason) => void): void {
    this.onCancelled = listener;
  }

  /** @param error error of the driver, or TypeORM's copy of it */
  translate(error: unknown): unknown {
    const reason = cancelReason(error);
    if (reason) this.onCancelled(reason);
    const translated = translatePgError(error);
    if (translated instanceof ServiceError && translated.errorCode === DATABASE_UNAVAILABLE.code) {
      this.logLost(translated);
    }
    return translated;
  }

  cancelled(): void {
    this.onCancelled('cancelled');
  }

  answered(): void {
    this.isLost = false;
    this.logger.log('The database answers again');
  }

  private logLost({ cause }: Error): void {
    if (this.isLost) return;
    this.isLost = true;
    const isFull = (cause as { code?: unknown } | undefined)?.code === DISK_FULL_STATE;
    const what = isFull ? 'The disk of the database is full' : 'The database is out of reach';
    this.logger.error({ err: loggedError(cause) }, what);
  }
}

function cancelReason(error: unknown): CancelReason | undefined {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (message === READ_TIMEOUT) return 'silent';
  return typeof code === 'string' ? REASONS[code] : undefined;
}

/**
 * Returns the kinds of records whose policy conditions are part of a statement, by the comments that `RowFilter`
 * inserts: an error of the statement may come from the policy.
 */
export const filteredKinds = (statement: string): string[] => [
  ...new Set([...statement.matchAll(/\/\* CUSTOM_ACCESS_POLICY: (\S+) \*\//g)].map(([, kind]) => kind!)),
];
