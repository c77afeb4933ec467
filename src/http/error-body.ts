import { HttpException } from '@nestjs/common';
import { AiFailure, type FailureKind } from '../ai/provider/ai-failure';
import { ServiceError } from '../common/errors/service-error';
import {
  codeOf,
  codeOfStatus,
  faultsText,
  inWords,
  isErrorCode,
  shortened,
  type Text,
  text,
} from '../common/texts/text';

/** Longest text of an error, in UTF-16 units: as JSON at most 6 bytes each, below 64 KB together. */
const MAX_TEXT = 10_000;

/** What a client sees of an error. */
export interface ErrorAnswer {
  status: number;
  body: { error: string; statusCode: number } & Record<string, unknown>;
  headers: Readonly<Record<string, string>>;
  /** What `X-Error-Code` says. */
  code: string;
  /** True when the cause is not shown to the client and belongs in the log. */
  unexpected: boolean;
}

/** What an error means to a client, before it is put into words. */
type Meaning = Pick<ErrorAnswer, 'status' | 'unexpected'> &
  Partial<Pick<ErrorAnswer, 'headers'>> & {
    message: Text;
    /** Where it is not the text's. */
    code?: unknown;
    details?: ServiceError['details'];
  };

/** What production says of an unknown error, in any language: the contract's fixed text. */
const HIDDEN = 'Internal Server Error';
const FAILED = text('server.failed');

/**
 * The answer to any error whatsoever.
 * @param production hides the difference between unknown errors behind the contract's fixed text
 * @param tell puts the text into words; the contract's unless it is given
 */
export function errorAnswer(
  error: unknown,
  production: boolean,
  tell: (message: Text) => string = inWords,
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
 * Nest's own exceptions, thrown by the framework or by extensions; a message array is joined as the contract
 * says.
 */
function fromHttpException(exception: HttpException, production: boolean): Meaning {
  const status = exception.getStatus();
  // Of one made with a bare text that is the exception's own message.
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
 * A failed AI call that nothing stood in for: that of a capability of an extension, or one that an
 * interceptor refused. Which provider it was and why is for the log.
 */
function fromAiFailure({ kind, retryAfterMs }: AiFailure): Meaning {
  const headers: Record<string, string> =
    retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) };
  return { status: AI_STATUS[kind] ?? 502, message: text('ai.unavailable'), headers, unexpected: true };
}

/** What the provider did wrong is 502. */
const AI_STATUS: Partial<Record<FailureKind, number>> = {
  timeout: 504,
  deadline: 504,
  'rate-limited': 503,
  'not-configured': 503,
};

/**
 * Express's own errors that a client caused say so. A bare `status` does not count: errors of other services'
 * clients carry one too, and that a provider refused our key must not tell our client to sign in again.
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
