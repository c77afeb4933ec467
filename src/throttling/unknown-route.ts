import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host.js';
import type {
  Application,
  ErrorRequestHandler,
  NextFunction,
  Request,
  RequestHandler,
  Response,
} from 'express';
import { InvalidInputError, NotFoundError } from '../common/errors/service-error';
import { ClientThrottlerGuard } from './client-throttler.guard';

/**
 * What no route takes: Nest runs guards for its routes only, so these requests are counted here before they get
 * their 404 (or the 400 of a path that cannot be decoded). Registered when all routes are, extensions' included.
 */
@Injectable()
export class UnknownRoute implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly throttler: ClientThrottlerGuard,
  ) {}

  onModuleInit(): void {
    // Commands run without HTTP.
    const application = this.adapterHost.httpAdapter?.getInstance<Application>();
    if (!application) return;
    const notFound: RequestHandler = (request, response, next) =>
      void this.refuse(request, response, next, new NotFoundError('接口不存在'));
    // Anything else that arrives as an error has been counted: it was refused above, or came from a route.
    const undecodable: ErrorRequestHandler = (error: unknown, request, response, next) =>
      error instanceof URIError
        ? void this.refuse(request, response, next, new InvalidInputError('请求路径格式错误'))
        : next(error);
    application.use(notFound);
    application.use(undecodable);
  }

  private async refuse(
    request: Request,
    response: Response,
    next: NextFunction,
    error: unknown,
  ): Promise<void> {
    // eslint-disable-next-line @typescript-eslint/unbound-method -- only names the handler to the guard
    const context = new ExecutionContextHost([request, response, next], UnknownRoute, this.refuse);
    try {
      await this.throttler.canActivate(context);
      next(error);
    } catch (refused) {
      next(refused);
    }
  }
}
