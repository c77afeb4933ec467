import { randomUUID } from 'node:crypto';
import type { Request, RequestHandler } from 'express';
import { InvalidInputError } from '../common/errors/service-error';
import { runInRequest } from '../common/request-context';
import { text } from '../texts/text';
import type { Answers } from './answers';
import { drainRequest, hasBody } from './request-body';

/** Request and response header that links an answer to its log lines and to the client's own logs. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** Pattern of the request ids that are accepted from clients. Others could forge a log line or break a header. */
const PLAIN = /^[\w.-]{1,64}$/;

/** Refuses blanks, a comma between two hosts that a proxy has joined, and characters that end a host. */
const HOST = /^[^\s,/?#@\\]*$/;

/** A request must have exactly one `Host` header; before HTTP/1.1 it may have none. */
function isHostValid({ rawHeaders, headers, httpVersion }: Request): boolean {
  const hosts = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'host').length;
  if (hosts === 0) return httpVersion !== '1.1';
  return hosts === 1 && HOST.test(headers.host ?? '');
}

/** Thrown for a request without exactly one valid `Host` header. */
export class HostError extends InvalidInputError {
  constructor() {
    super(text('request.malformed'));
  }
}

/** The first middleware: sets headers of every answer, validates `Host`, and sets the request id for the log. */
export function prepareAnswer(answers: Answers): RequestHandler {
  return (request, response, next) => {
    const sentId = request.headers['x-request-id'];
    const id = typeof sentId === 'string' && PLAIN.test(sentId) ? sentId : randomUUID();
    // Every statement of the request adds a listener to the response, to notice its end.
    response.setMaxListeners(0);
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader(REQUEST_ID_HEADER, id);
    if (hasBody(request)) drainRequest(request, response);
    const goOn = isHostValid(request) ? next : () => next(new HostError());
    const followed = answers.isWatched ? answers.begin(request, response, id) : undefined;
    if (followed) followed.run(() => runInRequest(id, response, goOn, followed.traceId));
    else runInRequest(id, response, goOn);
  };
}
