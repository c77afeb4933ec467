import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { isClosed, onceClosed, onceHandled } from '../http/answer-closed';
import { EVENT_STREAM_ROUTE } from '../sse/event-stream.interceptor';
import { ConcurrencyLimiter, serverBusy } from './concurrency-limiter';
import { LANE, laneOf, type RouteLane } from './lanes';
import { requestContext } from '../common/request-context';

/**
 * Limits the concurrent requests of a client; event streams have a separate limit. Further requests wait here,
 * before the token is checked and the body is read. A permit is released when the answer has been sent, or can no
 * longer be sent.
 */
@Injectable()
export class ConcurrencyGuard implements CanActivate {
  constructor(
    private readonly limiter: ConcurrencyLimiter,
    private readonly reflector: Reflector,
  ) {}

  /** @throws TooManyRequestsError if the client's queue is full, UnavailableError if the wait is too long */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<RouteLane>(LANE, route) === 'none') return true;
    const streams = this.reflector.getAllAndOverride<boolean>(EVENT_STREAM_ROUTE, route);
    await this.admit(context.switchToHttp().getResponse<Response>(), streams ? 'streams' : 'requests');
    return true;
  }

  /** Applies the limit to a request that matches no Nest route. */
  async admit(response: Response, lane: 'requests' | 'streams' = 'requests'): Promise<void> {
    const release = await this.limiter.acquire(lane, response);
    if (!isClosed(response)) return onceClosed(response, release);
    release();
    throw serverBusy();
  }
}

/**
 * Makes a request wait for a permit of its lane, after its body has been read. The permit is released when the
 * handler has ended, even if the client has disconnected before: reconnecting must not start more work. An event
 * stream in its route's own lane keeps the permit until it has been sent.
 *
 * This is a guard and not an interceptor, because on Node.js 20 each Nest interceptor takes a third of the time of
 * a short request.
 */
@Injectable()
export class LaneGuard implements CanActivate {
  constructor(
    private readonly limiter: ConcurrencyLimiter,
    private readonly reflector: Reflector,
  ) {}

  /** @throws UnavailableError if there is no permit in time, or the client has disconnected */
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
