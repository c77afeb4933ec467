/** Why a call to a provider gave no usable answer. */
export type FailureKind =
  | 'connection' // nothing, or not everything, came over the wire
  | 'timeout' // one attempt was silent for too long
  | 'rate-limited' // 429
  | 'server' // 408, 409, 5xx
  | 'key-refused' // 401, 403
  | 'not-found' // 404: wrong base URL or model
  | 'request' // any other 4xx, and redirects, which are not followed
  | 'format' // the way of structured output was refused; the next one is tried
  | 'refused' // the model would not answer, or its answer was cut at its length limit
  | 'invalid-answer' // the answer does not match the schema or is no JSON
  | 'deadline' // the call's total time ran out
  | 'not-configured';

interface FailureDetails {
  readonly retryable: boolean;
  /** The wait that the provider requested, in milliseconds. */
  readonly retryAfterMs?: number;
  readonly status?: number;
}

/**
 * A failed provider call. It knows at birth whether trying again can help. Its message is ours: what a
 * provider wrote into its error may repeat the key or the prompt and is dropped where it is caught.
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

/** An answer that arrived but breaks the schema; it carries what one repair request needs. */
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

/** The failure of an HTTP answer that is no success. */
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
 * Milliseconds that `Retry-After` (seconds or an HTTP date) or `retry-after-ms` ask to wait; undefined when
 * neither says anything usable.
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
