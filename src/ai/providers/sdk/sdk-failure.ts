import { AiFailure, InvalidAnswer, statusFailure } from '../../provider/ai-failure';
import { AnswerTooLong } from './bounded-fetch';

type ErrorClass = abstract new (...args: never[]) => Error;

/** The error classes that the SDKs have under the same names. */
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

/** Errors that a provider reports inside a stream and that a repetition does not cure. */
const LASTING = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'billing_error',
  'not_found_error',
  'request_too_large',
]);

/**
 * What an SDK threw, as a failure of ours; nothing of its text stays.
 *
 * @param nowMs the time of day, to which an HTTP date in `Retry-After` is compared
 */
export function sdkFailure(error: unknown, provider: string, sdk: SdkErrors, nowMs: number): AiFailure {
  if (error instanceof AiFailure) return error;
  // Nothing that could be repaired: the next answer would be as long.
  if (error instanceof AnswerTooLong) return new AiFailure('invalid-answer', provider, { retryable: false });
  if (error instanceof sdk.APIConnectionTimeoutError)
    return new AiFailure('timeout', provider, { retryable: true });
  if (error instanceof sdk.APIConnectionError || error instanceof sdk.APIUserAbortError) {
    return new AiFailure('connection', provider, { retryable: true });
  }
  if (error instanceof sdk.APIError) {
    return reportedFailure(error, provider, nowMs);
  }
  // By name: an error of the runtime's own fetch need not be of this realm's class.
  const { name } = error as { name?: unknown };
  if (name === 'SyntaxError') return new InvalidAnswer(provider, '', 'The response was not valid JSON.');
  // undici reports a connection that broke while a body was being read as a TypeError ("terminated").
  if (name === 'TypeError') return new AiFailure('connection', provider, { retryable: true });
  return new AiFailure('request', provider, { retryable: false });
}

/** A failure that a provider reports: by its status, else by the code or type that its body has. */
export function reportedFailure(error: unknown, provider: string, nowMs: number): AiFailure {
  const { status, headers, code, type } = error as ApiErrorFields;
  const said = typeof status === 'number' ? status : Number(code);
  if (said === status || (said >= 400 && said <= 599)) {
    return statusFailure(provider, said, (name) => headers?.get(name) ?? null, nowMs);
  }
  const lasting = typeof type === 'string' && LASTING.has(type);
  return new AiFailure(lasting ? 'request' : 'server', provider, { retryable: !lasting });
}
