import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { json, type Application, type ErrorRequestHandler, type Request } from 'express';
import { InvalidInputError, ServiceError } from '../errors/service-error';
import { contentFault } from './request-content';

/** Largest request body, in bytes. */
const BODY_LIMIT = 1024 * 1024;

const BODY_ERROR = Symbol('body error');
type RequestWithBodyError = Request & { [BODY_ERROR]?: unknown };

/** 413 or 415: a body the service does not read. */
class BodyError extends ServiceError {
  override readonly name = 'BodyError';
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Gives the application its JSON parser, whoever booted it: Nest's own stops at 100 kB and would answer a bad
 * body before the rate limit and the token were looked at. A parser's error is kept for `RequestBodyGuard`.
 * To be called after Nest registered its parsers and before the routes.
 */
export function takeOverBodyParsing(application: Application): void {
  const stack = (application.router as unknown as { stack: { handle: { name?: string } }[] }).stack;
  for (let i = stack.length - 1; i >= 0; i--) {
    const name = stack[i]?.handle.name;
    if (name === 'jsonParser' || name === 'urlencodedParser') stack.splice(i, 1);
  }
  application.use(json({ limit: BODY_LIMIT, strict: false }));
  const keepError: ErrorRequestHandler = (error, request: RequestWithBodyError, _response, next) => {
    request[BODY_ERROR] = error;
    next();
  };
  application.use(keepError);
}

/**
 * Runs after the rate limit and the token check: refuses a body that could not be read, one that is not JSON, and
 * text no database can store (NUL, unpaired surrogates) or nesting no parser survives, in body and query.
 */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<RequestWithBodyError>();
    if (request[BODY_ERROR] !== undefined) throw bodyError(request[BODY_ERROR]);
    const body: unknown = request.body;
    if (body === undefined && hasBody(request)) throw new BodyError(415, '请求体必须是 JSON');
    // Express parses the query anew each time it is asked for.
    const fault = contentFault(body) ?? (request.url.includes('?') ? contentFault(request.query) : undefined);
    if (fault) throw InvalidInputError.of([fault]);
    return true;
  }
}

function hasBody(request: Request): boolean {
  return request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
}

function bodyError(error: unknown): ServiceError {
  switch ((error as { status?: unknown }).status) {
    case 413:
      return new BodyError(413, '请求体过大');
    case 415:
      return new BodyError(415, '不支持的请求体编码');
    default:
      return new InvalidInputError('请求体不是有效的 JSON');
  }
}
