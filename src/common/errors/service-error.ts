import { joinFaults, MAX_FAULTS, shortened } from './fault-text';

/** A fault in one field of a request. */
export interface FieldFault {
  /** Dotted with indexes: `phases.0.ingredients.1.percentage`. */
  field: string;
  message: string;
}

/** Longest path and message told of a field, in UTF-16 units: clients can make both as long as a body. */
const MAX_FIELD = 200;
const MAX_MESSAGE = 250;

/**
 * An error the service knows: it carries its own HTTP status and a text that may be shown to clients.
 * Every one of them becomes `{ error, statusCode, ...details }` in the exception filter.
 */
export abstract class ServiceError extends Error {
  abstract readonly status: number;
  /** Further fields of the error body, e.g. `usageCount`. */
  readonly details: Readonly<Record<string, unknown>> = {};
  /** Response headers that belong to the error, e.g. `Retry-After`. */
  readonly headers: Readonly<Record<string, string>> = {};
}

/** 400: a request that breaks a rule. */
export class InvalidInputError extends ServiceError {
  override readonly name = 'InvalidInputError';
  readonly status = 400;

  /** From field faults: `<field>: <message>` joined by `; `, as `joinFaults` does. */
  static of(faults: readonly FieldFault[]): InvalidInputError {
    const told = faults.slice(0, MAX_FAULTS).map(({ field, message }) => {
      return `${shortened(field, MAX_FIELD)}: ${shortened(message, MAX_MESSAGE)}`;
    });
    return new InvalidInputError(joinFaults(told, faults.length));
  }
}

/** 401: no usable token, or wrong credentials. */
export class UnauthorizedError extends ServiceError {
  override readonly name = 'UnauthorizedError';
  readonly status = 401;

  constructor(
    message = '未登录或登录已过期',
    override readonly headers: Readonly<Record<string, string>> = { 'WWW-Authenticate': 'Bearer' },
  ) {
    super(message);
  }
}

/** 403: signed in, but not allowed to do this. */
export class ForbiddenError extends ServiceError {
  override readonly name = 'ForbiddenError';
  readonly status = 403;

  constructor(message = '无权限执行此操作') {
    super(message);
  }
}

/** 404: the record in the path does not exist. */
export class NotFoundError extends ServiceError {
  override readonly name = 'NotFoundError';
  readonly status = 404;
}

/** 409: the request contradicts what is stored. */
export class ConflictError extends ServiceError {
  override readonly name = 'ConflictError';
  readonly status = 409;

  constructor(
    message: string,
    override readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** 429: more requests than the limit allows. */
export class TooManyRequestsError extends ServiceError {
  override readonly name = 'TooManyRequestsError';
  readonly status = 429;

  /**
   * @param retryAfterSeconds whole seconds until a request is admitted again
   * @param rate how many a window admits, and whole seconds until it ends; absent where no window is full
   */
  constructor(retryAfterSeconds: number, rate?: { limit: number; reset: number }) {
    super('请求过于频繁,请稍后再试');
    this.headers = {
      'Retry-After': String(retryAfterSeconds),
      ...(rate && {
        'X-RateLimit-Limit': String(rate.limit),
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': String(rate.reset),
      }),
    };
  }

  override readonly headers: Readonly<Record<string, string>>;
}

/** 503: something this request needs is out of reach or overloaded at the moment. */
export class UnavailableError extends ServiceError {
  override readonly name = 'UnavailableError';
  readonly status = 503;

  constructor(
    message: string,
    override readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
