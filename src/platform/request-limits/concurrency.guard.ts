import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { isClosed, onceClosed } from '../http/answer-closed';
import { EVENT_STREAM_ROUTE } from '../sse/streams-events.decorator';
import { ConcurrencyLimiter, serverBusy } from './concurrency-limiter';
import { LANE, type RouteLane } from './lanes';

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
