import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { ServiceError, UnavailableError } from '../common/errors/service-error';
import { text } from '../common/texts/text';

export type ConstraintKind = 'unique' | 'foreign-key' | 'check' | 'exclusion';

const KINDS: Record<string, ConstraintKind> = {
  '23505': 'unique',
  '23503': 'foreign-key',
  '23514': 'check',
  '23P01': 'exclusion',
};

/**
 * A statement broke a constraint. Whoever knows what the constraint means turns it into an answer by its
 * name.
 */
export class ConstraintViolation extends Error {
  override readonly name = 'ConstraintViolation';

  constructor(
    readonly constraint: string,
    readonly kind: ConstraintKind,
    options?: ErrorOptions,
  ) {
    super(`constraint ${constraint} violated`, options);
  }
}

/** True when `error` says that the named constraint was violated. */
export const violates = (error: unknown, constraint: string): error is ConstraintViolation =>
  error instanceof ConstraintViolation && error.constraint === constraint;

export const DATABASE_UNAVAILABLE = text('database.unavailable');

/** Connection refused, reset, timed out, name not found. */
const UNREACHABLE = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
]);

/**
 * SQLSTATE classes and codes: connection exception, insufficient resources, operator intervention, invalid
 * authorisation, read-only, no such database, a database that accepts no connections.
 */
const UNAVAILABLE_STATE = /^(08|53|57P|28|25006|3D|55000)/;

const LOCK_TIMEOUT_STATE = '55P03';

/**
 * Serialization failure, deadlock, lock or statement timeout, a transaction that was idle for too long: the
 * same request may succeed when repeated.
 */
const BUSY_STATE = new Set(['40001', '40P01', LOCK_TIMEOUT_STATE, '57014', '25P03']);

/** The database answers, but could not do this in time. */
export const busyDatabase = (cause?: unknown) =>
  new UnavailableError(text('database.busy'), { 'Retry-After': '1' }, { cause });

/**
 * True when `error` says that a value is none of its column's type, or too long or too great for it: a data
 * exception of SQL.
 */
export function isDataException(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('22');
}

/** True when `error`, the driver's or TypeORM's copy of it, says that a lock was not to be had in time. */
export const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === LOCK_TIMEOUT_STATE;

/** pg and its pool report a lost or refused connection by text only. */
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Connection ended|Query read timeout)/;

/**
 * An error of the database in the service's own terms: a broken constraint by its name, a database out of
 * reach as 503. Anything else is a fault of ours and passes unchanged.
 */
export function translatePgError(error: unknown): unknown {
  if (error instanceof ServiceError || error instanceof ConstraintViolation) return error;
  const cause = (error instanceof QueryFailedError ? error.driverError : error) as {
    code?: unknown;
    constraint?: unknown;
    message?: unknown;
  };
  const code = typeof cause?.code === 'string' ? cause.code : '';
  const kind = KINDS[code];
  if (kind && typeof cause.constraint === 'string') {
    return new ConstraintViolation(cause.constraint, kind, { cause });
  }
  if (BUSY_STATE.has(code)) {
    return busyDatabase(cause);
  }
  const unreachable =
    // TypeORM lets go of a connection that is lost in the middle of a transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError ||
    UNREACHABLE.has(code) ||
    UNAVAILABLE_STATE.test(code) ||
    LOST_CONNECTION.test(typeof cause?.message === 'string' ? cause.message : '');
  return unreachable ? new UnavailableError(DATABASE_UNAVAILABLE, { 'Retry-After': '5' }, { cause }) : error;
}
