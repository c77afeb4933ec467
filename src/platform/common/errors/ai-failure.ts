/** Reason why a call to a provider gave no usable answer. */
export type FailureKind =
  | 'connection' // no response, or an incomplete one
  | 'timeout' // one attempt received no data for too long
  | 'rate-limited' // 429
  | 'server' // 408, 409, 5xx
  | 'key-refused' // 401, 403
  | 'not-found' // 404: wrong base URL or model
  | 'request' // any other 4xx, and redirects, which are not followed
  | 'format' // the provider refused the output format; the next format is tried
  | 'refused' // the model refused to answer, or its answer was cut at its length limit
  | 'invalid-answer' // the answer is not JSON or does not match the schema
  | 'deadline' // the time limit of the call is reached
  | 'not-configured';

interface FailureDetails {
  readonly retryable: boolean;
  /** The wait that the provider requested, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly status?: number;
}

/**
 * A failed provider call. `retryable` states whether another attempt can succeed. The message never
 * contains the provider's own error text, which may repeat the key or the prompt.
 */
export class AiFailure extends Error {
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly status: number | undefined;

  constructor(
    readonly kind: FailureKind,
    readonly provider: string,
    details: FailureDetails,
  ) {
    super(`${provider}: ${kind}${details.status === undefined ? '' : ` (HTTP ${details.status})`}`);
    this.name = 'AiFailure';
    this.retryable = details.retryable;
    this.retryAfterMs = details.retryAfterMs;
    this.status = details.status;
  }
}

/** The provider's answer does not match the schema. Contains the data for one repair request. */
export class InvalidAnswer extends AiFailure {
  constructor(
    provider: string,
    readonly answer: string,
    readonly problem: string,
  ) {
    super('invalid-answer', provider, { retryable: false });
    this.name = 'InvalidAnswer';
  }
}

/** Returns the failure for an HTTP response whose status is not a success. */
export function statusFailure(
  provider: string,
  status: number,
  header: (name: string) => string | null,
  nowMs: number,
): AiFailure {
  const retryAfterMs = readRetryAfter(header, nowMs);
  if (status === 429)
    return new AiFailure('rate-limited', provider, { retryable: true, retryAfterMs, status });
  if (status === 408 || status === 409 || status >= 500) {
    return new AiFailure('server', provider, { retryable: true, retryAfterMs, status });
  }
  if (status === 401 || status === 403)
    return new AiFailure('key-refused', provider, { retryable: false, status });
  if (status === 404) return new AiFailure('not-found', provider, { retryable: false, status });
  return new AiFailure('request', provider, { retryable: false, status });
}

/**
 * Returns the milliseconds to wait according to `Retry-After` (seconds or an HTTP date) or
 * `retry-after-ms`, or undefined if neither is usable.
 */
export function readRetryAfter(header: (name: string) => string | null, nowMs: number): number | undefined {
  const milliseconds = Number(header('retry-after-ms') ?? NaN);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  const value = header('retry-after')?.trim();
  if (!value) return undefined;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
