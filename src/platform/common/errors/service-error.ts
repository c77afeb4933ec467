import { codeOf, faultsText, render, text, type FieldFault, type Text } from '../../texts/text';

export type { FieldFault };

/**
 * An error that the service expects. It has an HTTP status and a text that clients may see. The exception filter
 * answers it with `{ error, statusCode, ...details }`.
 */
export abstract class ServiceError extends Error {
  abstract readonly status: number;
  /** Value of the `X-Error-Code` header; by default `error.<status>`. */
  readonly errorCode?: string;
  /** Further fields of the error body, for example `usageCount`. */
  readonly details: Readonly<Record<string, unknown>> = {};
  /** Response headers of the error, for example `Retry-After`. */
  readonly headers: Readonly<Record<string, string>> = {};

  /** @param text a plain string is sent unchanged; `message` contains the text in the contract's language */
  constructor(
    readonly text: Text = '',
    options?: ErrorOptions,
  ) {
    super(render(text), options);
    this.errorCode = codeOf(text);
  }
}

/** 400: the request breaks a rule. */
export class InvalidInputError extends ServiceError {
  override readonly name = 'InvalidInputError';
  readonly status = 400;

  /** Creates an error from field faults: `<field>: <message>` joined by `; `, the first 20 and the total number. */
  static of(faults: readonly FieldFault[]): InvalidInputError {
    return new InvalidInputError(faultsText(faults));
  }
}

/** 401: no usable token, or wrong credentials. */
export class UnauthorizedError extends ServiceError {
  override readonly name = 'UnauthorizedError';
  readonly status = 401;

  constructor(
    message: Text = text('auth.required'),
    override readonly headers: Readonly<Record<string, string>> = { 'WWW-Authenticate': 'Bearer' },
  ) {
    super(message);
  }
}

/** 403: signed in, but not allowed to do this. */
export class ForbiddenError extends ServiceError {
  override readonly name = 'ForbiddenError';
  readonly status = 403;

  constructor(message: Text = text('access.denied')) {
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
    message: Text,
    override readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}

/** 412: the record does not match the request's `If-Match`. */
export class PreconditionFailedError extends ServiceError {
  override readonly name = 'PreconditionFailedError';
  readonly status = 412;

  /** @param headers the `ETag` of the record's current state */
  constructor(
    message: Text,
    override readonly headers: Readonly<Record<string, string>> = {},
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
   * @param rate limit of the window, and whole seconds until it ends; absent if no window is full
   * @param message replaces the default message if the limit is not on the number of requests
   */
  constructor(
    retryAfterSeconds: number,
    rate?: { limit: number; reset: number },
    message: Text = text('rate.limited'),
  ) {
    super(message);
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

/** 503: a resource that the request needs is currently unreachable or overloaded. */
export class UnavailableError extends ServiceError {
  override readonly name = 'UnavailableError';
  readonly status = 503;

  constructor(
    message: Text,
    override readonly headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}
