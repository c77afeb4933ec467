import { Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Application, ErrorRequestHandler, RequestHandler } from 'express';
import { InvalidInputError, NotFoundError } from '../common/errors/service-error';
import { text } from '../common/texts/text';
import { ClientThrottlerGuard } from '../throttling/client-throttler.guard';
import { HostError } from './prepare-answer';

/**
 * What no route takes: Nest runs guards for its routes only, so these requests are counted here before they
 * get their 404, or the 400 of a path that cannot be decoded or of a missing host. Registered when all
 * routes are, extensions' included.
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
    // Anything else that arrives as an error has been counted: it was refused above, or came from a route.
    // Express tells it from the others by its four parameters.
    const malformed: ErrorRequestHandler = async (error: unknown, request, response, _next) => {
      if (!(error instanceof URIError || error instanceof HostError)) throw error;
      await this.throttler.countUnrouted(request, response);
      throw error instanceof URIError ? new InvalidInputError(text('request.malformed-path')) : error;
    };
    application.use(notFound);
    application.use(malformed);
  }
}
