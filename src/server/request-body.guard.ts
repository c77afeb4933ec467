import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { json, type Request, type Response } from 'express';
import { InvalidInputError, ServiceError } from '../common/errors/service-error';
import { contentFault } from '../common/http/request-content';

/** Largest request body, in bytes. */
const BODY_LIMIT = 1024 * 1024;

const parseJson = json({ limit: BODY_LIMIT, strict: false });

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
 * Reads the body, once the rate limit and the token check have let the request pass: who is refused there
 * costs no memory and no parsing. Refuses a body that cannot be read or is not JSON, and, in body and query,
 * text no database can store (NUL, unpaired surrogates) or nesting no parser survives.
 */
@Injectable()
export class RequestBodyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<Request>();
    return hasBody(request) ? readAndCheck(request, http.getResponse<Response>()) : check(request);
  }
}

/** Even one of no bytes: its content type and encoding count, too. */
const hasBody = ({ headers }: Request): boolean =>
  headers['transfer-encoding'] !== undefined || headers['content-length'] !== undefined;

async function readAndCheck(request: Request, response: Response): Promise<boolean> {
  await new Promise<void>((resolve, reject) =>
    parseJson(request, response, (error?: unknown) =>
      error === undefined ? resolve() : reject(bodyError(error)),
    ),
  );
  const isEmpty = Number(request.headers['content-length']) === 0;
  if (request.body === undefined && !isEmpty) throw new BodyError(415, '请求体必须是 JSON');
  return check(request);
}

function check(request: Request): true {
  // Express parses the query anew each time it is asked for.
  const fault =
    contentFault(request.body) ?? (request.url.includes('?') ? contentFault(request.query) : undefined);
  if (fault) throw InvalidInputError.of([fault]);
  return true;
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
