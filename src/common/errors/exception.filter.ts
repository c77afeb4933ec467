import { type ArgumentsHost, Catch, type ExceptionFilter, Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { errorAnswer } from './error-body';

/** Makes every error, from wherever it comes, the contract's body. Details of unknown ones are only in the log. */
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
      const { method, path, id } = http.getRequest<Request & { id?: unknown }>();
      this.logger.error({ err: error, requestId: id, method, path }, 'Unexpected error');
    }
    if (response.headersSent) {
      // Too late for an answer: what was begun must not look complete.
      response.destroy();
      return;
    }
    response.status(answer.status).set(answer.headers).json(answer.body);
  }
}
