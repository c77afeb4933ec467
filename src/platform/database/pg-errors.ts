import {
  QueryFailedError,
  QueryRunnerAlreadyReleasedError,
  QueryRunnerProviderAlreadyReleasedError,
} from 'typeorm';
import { ConflictError, ServiceError, UnavailableError } from '../common/errors/service-error';
import { text } from '../texts/text';

export type ConstraintKind = 'unique' | 'foreign-key' | 'check' | 'exclusion';

const KINDS: Record<string, ConstraintKind> = {
  '23505': 'unique',
  '23503': 'foreign-key',
  '23514': 'check',
  '23P01': 'exclusion',
};

/**
 * A statement violated a constraint. Callers that know its meaning convert the error to an answer by the
 * constraint's name.
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

/** Returns true if `error` is a violation of the named constraint. */
export const violates = (error: unknown, constraint: string): error is ConstraintViolation =>
  error instanceof ConstraintViolation && error.constraint === constraint;

export const DATABASE_UNAVAILABLE = text('database.unavailable');

/** Connection refused, reset, timed out, or host name not found. */
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
 * Serialization failure, deadlock, lock or statement timeout, a transaction that was idle for too long: the same
 * request may succeed when it is repeated.
 */
const BUSY_STATE = new Set(['40001', '40P01', LOCK_TIMEOUT_STATE, '57014', '25P03']);

/** The database answers, but could not complete the request in time. */
export const busyDatabase = (cause?: unknown) =>
  new UnavailableError(text('database.busy'), { 'Retry-After': '1' }, { cause });

/** Returns true for an SQL data exception: a value does not have its column's type, or is too long or too large. */
export function isDataException(error: unknown): boolean {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' && code.startsWith('22');
}

/** Returns true if `error`, the driver's or TypeORM's copy of it, is a lock timeout. */
export const isLockTimeout = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === LOCK_TIMEOUT_STATE;

/** `pg` and its pool report a lost or refused connection only by these messages. */
const LOST_CONNECTION =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Client was closed|Cannot use a pool after calling end|Connection ended|Query read timeout)/;

/**
 * Translates an error of the database: a violated constraint by its name, an unreachable database to 503. Any other
 * error is a fault of the service and is returned unchanged.
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
    // TypeORM releases a connection that is lost during a transaction.
    error instanceof QueryRunnerAlreadyReleasedError ||
    error instanceof QueryRunnerProviderAlreadyReleasedError ||
    UNREACHABLE.has(code) ||
    UNAVAILABLE_STATE.test(code) ||
    LOST_CONNECTION.test(typeof cause?.message === 'string' ? cause.message : '');
  return unreachable ? new UnavailableError(DATABASE_UNAVAILABLE, { 'Retry-After': '5' }, { cause }) : error;
}

/**
 * Answers 409 if a row of an extension refers to the deleted record and its foreign key defines no action for that
 * case.
 * @param own a foreign key whose violation the caller handles itself
 * @throws ConflictError
 */
export async function rejectIfReferenced<T>(deletion: Promise<T>, own?: string): Promise<T> {
  try {
    return await deletion;
  } catch (error) {
    const isReferenced = error instanceof ConstraintViolation && error.kind === 'foreign-key';
    throw isReferenced && error.constraint !== own ? new ConflictError(text('record.in-use')) : error;
  }
}
