import { HttpException } from '@nestjs/common';
import { AiFailure, type FailureKind } from '../common/errors/ai-failure';
import { ServiceError } from '../common/errors/service-error';
import {
  codeOf,
  codeOfStatus,
  faultsText,
  render,
  isErrorCode,
  shortened,
  type Text,
  text,
} from '../texts/text';

/** Longest text of an error, in UTF-16 units. As JSON they take at most 6 bytes each, together less than 64 KB. */
const MAX_TEXT = 10_000;

/** The answer that a client gets for an error. */
export interface ErrorAnswer {
  status: number;
  body: { error: string; statusCode: number } & Record<string, unknown>;
  headers: Readonly<Record<string, string>>;
  /** Value of the `X-Error-Code` header. */
  code: string;
  /** True if the client does not see the cause, and it must be logged. */
  unexpected: boolean;
}

/** Status, message and details of an error, before the message is rendered in a language. */
type Meaning = Pick<ErrorAnswer, 'status' | 'unexpected'> &
  Partial<Pick<ErrorAnswer, 'headers'>> & {
    message: Text;
    /** Error code, if it is not that of the message. */
    code?: unknown;
    details?: ServiceError['details'];
  };

/** Message for unknown errors in production, in any language: the contract's fixed text. */
const HIDDEN = 'Internal Server Error';
const FAILED = text('server.failed');

/**
 * Returns the answer to any thrown value.
 * @param production hides the difference between unknown errors behind the contract's fixed text
 * @param tell renders the message; by default in the contract's language
 */
export function errorAnswer(
  error: unknown,
  production: boolean,
  tell: (message: Text) => string = render,
): ErrorAnswer {
  const {
    status,
    message,
    code = codeOf(message),
    details,
    headers = {},
    unexpected,
  } = meaningOf(error, production);
  return {
    status,
    body: { error: shortened(tell(message), MAX_TEXT), ...details, statusCode: status },
    headers,
    code: isErrorCode(code) ? code : codeOfStatus(status),
    unexpected,
  };
}

function meaningOf(error: unknown, production: boolean): Meaning {
  if (error instanceof ServiceError) {
    const { status, text: message, errorCode: code, details, headers } = error;
    return { status, message, code, details, headers, unexpected: false };
  }
  if (error instanceof HttpException) return fromHttpException(error, production);
  if (error instanceof AiFailure) return fromAiFailure(error);
  const status = clientStatusOf(error);
  if (status !== undefined) return { status, message: textOfStatus(status), unexpected: false };
  return { status: 500, message: production ? HIDDEN : FAILED, code: FAILED.code, unexpected: true };
}

/**
 * Maps Nest's own exceptions, thrown by the framework or by extensions. An array of messages is joined as the
 * contract requires.
 */
function fromHttpException(exception: HttpException, production: boolean): Meaning {
  const status = exception.getStatus();
  // If the exception was created with a plain text, the message is that text.
  const { message, errorCode } = exception.getResponse() as { message?: unknown; errorCode?: unknown };
  const faults = Array.isArray(message) ? faultsText(message.map(String)) : undefined;
  const shown = faults ?? (typeof message === 'string' && message ? message : exception.message);
  return {
    status,
    message: status === 500 && production ? HIDDEN : shown,
    code: errorCode ?? (status === 500 ? FAILED.code : status === 400 && faults ? faults.code : null),
    unexpected: status >= 500,
  };
}

/**
 * Maps a failed AI call that had no fallback: of an extension's capability, or refused by an interceptor. The
 * provider and the reason are only logged.
 */
function fromAiFailure({ kind, retryAfterMs }: AiFailure): Meaning {
  const headers: Record<string, string> =
    retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) };
  return { status: AI_STATUS[kind] ?? 502, message: text('ai.unavailable'), headers, unexpected: true };
}

/** HTTP status by kind of AI failure. All kinds that are not listed are 502, a fault of the provider. */
const AI_STATUS: Partial<Record<FailureKind, number>> = {
  timeout: 504,
  deadline: 504,
  'rate-limited': 503,
  'not-configured': 503,
};

/**
 * Express marks errors that a client caused with `expose`. A `status` alone does not count, because errors of
 * clients of other services have one too: if a provider refuses our key, our client must not get that 401.
 */
function clientStatusOf(error: unknown): number | undefined {
  const { status, expose } = (error ?? {}) as { status?: unknown; expose?: unknown };
  return expose === true && typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}

function textOfStatus(status: number): Text {
  switch (status) {
    case 413:
      return text('body.too-large');
    case 415:
      return text('body.unsupported-format');
    default:
      return text('request.malformed');
  }
}
