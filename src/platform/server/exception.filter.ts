import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { markHandled } from '../http/answer-closed';
import { loggedError } from '../common/errors/logged-error';
import type { SecurityLog } from '../common/security-log';
import { renderFor } from '../texts/languages';
import { ERROR_CODE_HEADER, render } from '../texts/text';
import { errorAnswer } from './error-body';
import { REQUEST_ID_HEADER } from './prepare-answer';

/**
 * Turns every error into the contract's error body. Details of unknown errors are only logged, under the id in the
 * answer's `X-Request-Id`.
 */
@Catch()
export class AllExceptionsFilter implements ExceptionFilter {
  private readonly logger = new Logger(AllExceptionsFilter.name);

  /** @param production true hides unknown errors behind the contract's fixed text */
  constructor(
    private readonly production: boolean,
    private readonly security: SecurityLog,
  ) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    markHandled(response);
    const { method, path } = http.getRequest<Request>();
    const answer = errorAnswer(error, this.production, (message) =>
      response.headersSent ? render(message) : renderFor(response, message),
    );
    if (answer.status === 403) this.security.record('access.denied', { method, path });
    if (answer.unexpected) {
      const requestId = response.getHeader(REQUEST_ID_HEADER);
      this.logger.error({ requestId, method, path, err: loggedError(error) }, 'Unexpected error');
    }
    if (response.headersSent) {
      // The answer has already begun. The connection is closed, so that the answer cannot look complete.
      response.destroy();
      return;
    }
    response
      .status(answer.status)
      .set({ ...answer.headers, [ERROR_CODE_HEADER]: answer.code })
      .json(answer.body);
  }
}
