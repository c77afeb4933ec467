import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, ErrorRequestHandler, RequestHandler } from 'express';
import { InvalidInputError, NotFoundError } from '../common/errors/service-error';
import { text } from '../texts/text';
import { ClientThrottlerGuard } from '../request-limits/client-throttler.guard';
import { HostError } from './prepare-answer';

/**
 * Answers requests that match no route. Nest runs guards for its routes only, so these requests are counted here
 * before they get their 404, or the 400 for a path that cannot be decoded or an invalid host. Registered after all
 * routes, including those of extensions.
 */
@Injectable()
export class UnknownRoutes implements OnModuleInit {
  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly throttler: ClientThrottlerGuard,
  ) {}

  onModuleInit(): void {
    // Commands run without HTTP.
    const application = this.adapterHost.httpAdapter?.getInstance<Application>();
    if (!application) return;
    const notFound: RequestHandler = async (request, response) => {
      await this.throttler.countUnrouted(request, response);
      throw new NotFoundError(text('route.not-found'));
    };
    // All other errors have been counted: they were refused above or thrown by a route. Express recognises an error
    // handler by its four parameters.
    const malformed: ErrorRequestHandler = async (error: unknown, request, response, _next) => {
      if (!(error instanceof URIError || error instanceof HostError)) throw error;
      await this.throttler.countUnrouted(request, response);
      throw error instanceof URIError ? new InvalidInputError(text('request.malformed-path')) : error;
    };
    application.use(notFound);
    application.use(malformed);
  }
}
