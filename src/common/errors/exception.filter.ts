import { randomUUID } from 'node:crypto';
import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorAnswer } from './error-body';
import { loggedError } from './logged-error';

/** A caller's id joins its log lines with ours; anything but a short plain word is replaced. */
const requestIdOf = (given: unknown): string =>
  typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : randomUUID();

/** Makes every error, from wherever it comes, the contract's body. Details of unknown ones are only in the log, under the id the answer's `X-Request-Id` names. */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  private readonly logger = new Logger(AllExceptionsFilter.name);

  /** @param production true hides unknown errors behind the contract's fixed text */
  constructor(private readonly production: boolean) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    const answer = errorAnswer(error, this.production);
    if (answer.unexpected) {
      const { method, path, headers } = http.getRequest<Request>();
      const requestId = requestIdOf(headers['x-request-id']);
      response.set('X-Request-Id', requestId);
      this.logger.error({ requestId, method, path, err: loggedError(error) }, 'Unexpected error');
    }
    if (response.headersSent) {
      // Too late for an answer: what was begun must not look complete.
      response.destroy();
      return;
    }
    response.status(answer.status).set(answer.headers).json(answer.body);
  }
}
