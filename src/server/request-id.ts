import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import { runInRequest } from '../common/request-context';
import type { Answers } from './answers';

/** Request and response header that joins an answer, its log lines and the caller's own. */
export const REQUEST_ID_HEADER = 'X-Request-Id';

/** What is taken over from a caller. Anything else could forge a log line or break a header. */
const PLAIN = /^[\w.-]{1,64}$/;

/** The caller's id where it is plain, else a new one. */
const requestIdOf = (header: unknown): string =>
  typeof header === 'string' && PLAIN.test(header) ? header : randomUUID();

/** Names every request: in its answer, whatever that will be, and for the log lines written on its way. */
export function nameRequest(answers: Answers): RequestHandler {
  return (request, response, next) => {
    const id = requestIdOf(request.headers['x-request-id']);
    response.setHeader(REQUEST_ID_HEADER, id);
    const followed = answers.isWatched ? answers.begin(request, response, id) : undefined;
    if (followed) followed.run(() => runInRequest(id, response, next, followed.traceId));
    else runInRequest(id, response, next);
  };
}
