import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { finalize, Observable, tap } from 'rxjs';
import { isClosed, onceClosed } from '../common/http/answer-closed';
import { requestContext } from '../common/request-context';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { LANE, laneOf, type RouteLane } from './lanes';

/**
 * Lets a request wait for a permit of its lane. The permit is given back when the handler has ended, even if
 * the client has gone before: leaving and coming again must not start more work. A stream in a lane that the
 * route names keeps it until it has been sent.
 */
@Injectable()
export class ConcurrencyInterceptor implements NestInterceptor {
  constructor(
    private readonly limiter: ConcurrencyLimiter,
    private readonly reflector: Reflector,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<unknown>): Observable<unknown> {
    const route = this.reflector.getAllAndOverride<RouteLane>(LANE, [
      context.getHandler(),
      context.getClass(),
    ]);
    const http = context.switchToHttp();
    const lane = laneOf(route, http.getRequest<Request>());
    const request = requestContext.getStore();
    // A controller and its route may both have the decorator.
    if (!lane || request?.lane) return next.handle();
    const response = http.getResponse<Response>();
    return new Observable((subscriber) => {
      const start = (release: () => void) => {
        // An interceptor around this one has unsubscribed meanwhile: nobody else would give the permit back.
        if (subscriber.closed) return release();
        if (request) request.lane = lane;
        let isStream = false;
        const end = () => {
          if (request) request.lane = undefined;
          release();
        };
        const answer = next.handle().pipe(
          tap((value) => (isStream = lane === route && value instanceof StreamableFile)),
          finalize(() => (isStream && !isClosed(response) ? onceClosed(response, end) : end())),
        );
        answer.subscribe(subscriber);
      };
      this.limiter.acquire(lane, response).then(start, (error: unknown) => subscriber.error(error));
    });
  }
}
