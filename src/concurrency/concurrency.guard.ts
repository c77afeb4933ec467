import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Response } from 'express';
import { isClosed, onceClosed } from '../common/http/answer-closed';
import { EVENT_STREAM_ROUTE } from '../common/sse/streams-events.decorator';
import { ConcurrencyLimiter, serverBusy } from './concurrency-limiter';
import { LANE, type RouteLane } from './lanes';

/**
 * Lets so many requests of a client be in progress at once, event streams apart. The others wait here, before
 * the token is checked and the body read. A permit is given back when the answer has been sent, or can no
 * longer be.
 */
@Injectable()
export class ConcurrencyGuard implements CanActivate {
  constructor(
    private readonly limiter: ConcurrencyLimiter,
    private readonly reflector: Reflector,
  ) {}

  /** @throws TooManyRequestsError when the client's queue is full, UnavailableError after too long a wait */
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const route = [context.getHandler(), context.getClass()];
    if (this.reflector.getAllAndOverride<RouteLane>(LANE, route) === 'none') return true;
    const streams = this.reflector.getAllAndOverride<boolean>(EVENT_STREAM_ROUTE, route);
    await this.admit(context.switchToHttp().getResponse<Response>(), streams ? 'streams' : 'requests');
    return true;
  }

  /** The same for a request that no route of Nest's takes. */
  async admit(response: Response, lane: 'requests' | 'streams' = 'requests'): Promise<void> {
    const release = await this.limiter.acquire(lane, response);
    if (!isClosed(response)) return onceClosed(response, release);
    release();
    throw serverBusy();
  }
}
