import { HttpException } from '@nestjs/common';
import { AiFailure, type FailureKind } from '../ai/provider/ai-failure';
import { joinFaults, shortened } from '../common/errors/fault-text';
import { ServiceError } from '../common/errors/service-error';

/** Longest text of an error, in UTF-16 units: as JSON at most 6 bytes each, below 64 KB together. */
const MAX_TEXT = 10_000;

/** What a client sees of an error. */
export interface ErrorAnswer {
  status: number;
  body: { error: string; statusCode: number } & Record<string, unknown>;
  headers: Readonly<Record<string, string>>;
  /** True when the cause is not shown to the client and belongs in the log. */
  unexpected: boolean;
}

const answer = (status: number, error: string, details: ServiceError['details'] = {}): ErrorAnswer => ({
  status,
  body: { error: shortened(error, MAX_TEXT), ...details, statusCode: status },
  headers: {},
  unexpected: status === 500,
});

/**
 * The answer to any error whatsoever.
 * @param production hides the difference between unknown errors behind the contract's fixed text
 */
export function errorAnswer(error: unknown, production: boolean): ErrorAnswer {
  if (error instanceof ServiceError) {
    return {
      ...answer(error.status, error.message, error.details),
      headers: error.headers,
      unexpected: false,
    };
  }
  if (error instanceof HttpException) return fromHttpException(error, production);
  if (error instanceof AiFailure) return fromAiFailure(error);
  const status = clientStatusOf(error);
  if (status !== undefined) return answer(status, textOfStatus(status));
  return answer(500, production ? 'Internal Server Error' : '服务器内部错误');
}

/**
 * Nest's own exceptions, thrown by the framework or by extensions; a message array is joined as the contract
 * says.
 */
function fromHttpException(exception: HttpException, production: boolean): ErrorAnswer {
  const status = exception.getStatus();
  // Of one made with a bare text that is the exception's own message.
  const { message: told } = exception.getResponse() as { message?: unknown };
  const message = Array.isArray(told) ? joinFaults(told.map(String)) : told;
  if (status === 500 && production) return { ...answer(500, 'Internal Server Error'), unexpected: true };
  const text = typeof message === 'string' && message ? message : exception.message;
  return { ...answer(status, text), unexpected: status >= 500 };
}

/**
 * A failed AI call that nothing stood in for: that of a capability of an extension, or one that an
 * interceptor refused. Which provider it was and why is for the log.
 */
function fromAiFailure({ kind, retryAfterMs }: AiFailure): ErrorAnswer {
  const headers: Record<string, string> =
    retryAfterMs === undefined ? {} : { 'Retry-After': String(Math.ceil(retryAfterMs / 1000)) };
  return { ...answer(AI_STATUS[kind] ?? 502, 'AI 服务暂时不可用,请稍后重试'), headers, unexpected: true };
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

function textOfStatus(status: number): string {
  switch (status) {
    case 413:
      return '请求体过大';
    case 415:
      return '不支持的请求体格式';
    default:
      return '请求格式错误';
  }
}
