import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { InvalidInputError } from '../common/errors/service-error';
import { runInRequest } from '../common/request-context';
import { text } from '../common/texts/text';
import type { Answers } from './answers';
import { drainRequest } from './drain-request';
import { hasBody } from './json-body';

/** Request and response header that joins an answer, its log lines and the caller's own. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What is taken over from a caller. Anything else could forge a log line or break a header. */
const PLAIN = /^[\w.-]{1,64}$/;

/** HTTP/1.1 without a `Host` header. */
export class MissingHostError extends InvalidInputError {
  constructor() {
    super(text('request.malformed'));
  }
}

/** The first middleware: sets what every answer needs, and names the request for the log. */
export function prepareAnswer(answers: Answers): RequestHandler {
  return (request, response, next) => {
    const { host, 'x-request-id': sentId } = request.headers;
    const id = typeof sentId === 'string' && PLAIN.test(sentId) ? sentId : randomUUID();
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader(REQUEST_ID_HEADER, id);
    if (hasBody(request)) drainRequest(request, response);
    const isHostMissing = host === undefined && request.httpVersion === '1.1';
    const goOn = isHostMissing ? () => next(new MissingHostError()) : next;
    const followed = answers.isWatched ? answers.begin(request, response, id) : undefined;
    if (followed) followed.run(() => runInRequest(id, response, goOn, followed.traceId));
    else runInRequest(id, response, goOn);
  };
}
