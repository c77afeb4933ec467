import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { isClosed, onceClosed, onceHandled } from '../common/http/answer-closed';
import { requestContext } from '../common/request-context';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { LANE, laneOf, type RouteLane } from './lanes';

/**
 * Lets a request wait for a permit of its lane, after its body has been read. The permit is given back when the
 * handler has ended, even if the client has gone before: leaving and coming again must not start more work. An
 * event stream in the lane that its route names keeps the permit until it has been sent.
 *
 * A guard and not an interceptor: on Node.js 20 each interceptor of Nest's takes a third of a short request.
 */
@Injectable()
export class LaneGuard implements CanActivate {
  constructor(
    private readonly limiter: ConcurrencyLimiter,
    private readonly reflector: Reflector,
  ) {}

  /** @throws UnavailableError where there is no permit in time, or the client has gone */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = this.reflector.getAllAndOverride<RouteLane | undefined>(LANE, [
      context.getHandler(),
      context.getClass(),
    ]);
    const http = context.switchToHttp();
    const lane = route && laneOf(route, http.getRequest<Request>());
    if (!lane) return true;
    const response = http.getResponse<Response>();
    const release = await this.limiter.acquire(lane, response);
    const request = requestContext.getStore();
    if (request) request.lane = lane;
    const end = () => {
      if (request) request.lane = undefined;
      release();
    };
    onceHandled(response, (isStream) =>
      isStream && lane === route && !isClosed(response) ? onceClosed(response, end) : end(),
    );
    return true;
  }
}
