import { AiFailure, InvalidAnswer, statusFailure } from '../../../platform/common/errors/ai-failure';
import { AnswerTooLong } from './bounded-fetch';

type ErrorClass = abstract new (...args: never[]) => Error;

/** Error classes that all SDKs export under the same names. */
export interface SdkErrors {
  readonly APIError: ErrorClass;
  readonly APIConnectionError: ErrorClass;
  readonly APIConnectionTimeoutError: ErrorClass;
  readonly APIUserAbortError: ErrorClass;
}

interface ApiErrorFields {
  readonly status?: unknown;
  readonly headers?: { get(name: string): string | null };
  readonly code?: unknown;
  readonly type?: unknown;
}

/** Types of errors inside a stream for which a retry cannot help. */
const LASTING = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'billing_error',
  'not_found_error',
  'request_too_large',
]);

/**
 * Converts an SDK's error into an `AiFailure`, without the text of the error.
 *
 * @param nowMs current time, for an HTTP date in `Retry-After`
 */
export function sdkFailure(error: unknown, provider: string, sdk: SdkErrors, nowMs: number): AiFailure {
  if (error instanceof AiFailure) return error;
  // No repair request: the next answer would be as long.
  if (error instanceof AnswerTooLong) return new AiFailure('invalid-answer', provider, { retryable: false });
  if (error instanceof sdk.APIConnectionTimeoutError)
    return new AiFailure('timeout', provider, { retryable: true });
  if (error instanceof sdk.APIConnectionError || error instanceof sdk.APIUserAbortError) {
    return new AiFailure('connection', provider, { retryable: true });
  }
  if (error instanceof sdk.APIError) {
    return reportedFailure(error, provider, nowMs);
  }
  // Compared by name: an error of the runtime's fetch may belong to another realm.
  const { name } = error as { name?: unknown };
  if (name === 'SyntaxError') return new InvalidAnswer(provider, '', 'The response was not valid JSON.');
  // undici reports a connection that breaks while a body is read as a TypeError ("terminated").
  if (name === 'TypeError') return new AiFailure('connection', provider, { retryable: true });
  return new AiFailure('request', provider, { retryable: false });
}

/** Returns the failure that a provider reports, from its HTTP status, or from `code` or `type` in its body. */
export function reportedFailure(error: unknown, provider: string, nowMs: number): AiFailure {
  const { status, headers, code, type } = error as ApiErrorFields;
  const said = typeof status === 'number' ? status : Number(code);
  if (said === status || (said >= 400 && said <= 599)) {
    return statusFailure(provider, said, (name) => headers?.get(name) ?? null, nowMs);
  }
  const lasting = typeof type === 'string' && LASTING.has(type);
  return new AiFailure(lasting ? 'request' : 'server', provider, { retryable: !lasting });
}
