import { type CanActivate, type ExecutionContext, Injectable, SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { Request, Response } from 'express';
import { requestContext } from '../common/request-context';
import { isClosed, onceClosed, onceHandled } from '../http/answer-closed';
import { EVENT_STREAM_ROUTE } from '../sse/event-stream.interceptor';
import { ConcurrencyLimiter, type DatabaseLane, type Lane, serverBusy } from './concurrency-limiter';

/** Metadata key of a route's lane. */
export const LANE = 'formula:lane';

/** Requests of a route with `none` never wait, not even for other requests of their client. */
export type RouteLane = DatabaseLane | 'files' | 'ai' | 'solver' | 'none';

/** Lanes in which the request itself determines if it is short. */
const LIGHT_LANES: ReadonlySet<RouteLane> = new Set(['short', 'formulas', 'catalogue'] as const);

/**
 * Limits the concurrent requests of a client, before the token is checked and the body is read; event streams have a
 * separate limit. A permit is released when the answer has been sent, or can no longer be sent. After the body has
 * been read, a request also waits for a permit of its lane.
 *
 * This is a guard and not an interceptor, because on Node.js 20 each Nest interceptor takes a third of the time of
 * a short request.
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

  /**
   * Waits for a permit of the request's lane. The permit is released when the handler has ended, even if the client has
   * disconnected before: reconnecting must not start more work. An event stream in its route's own lane keeps the
   * permit until it has been sent.
   * @throws UnavailableError if there is no permit in time, or the client has disconnected
   */
  async enterLane(context: ExecutionContext): Promise<void> {
    const route = this.reflector.getAllAndOverride<RouteLane | undefined>(LANE, [
      context.getHandler(),
      context.getClass(),
    ]);
    const http = context.switchToHttp();
    const lane = route && laneOf(route, http.getRequest<Request>());
    if (!lane) return;
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
  }
}

/** Returns the lane of a request on a route: see `UseLane`. */
export function laneOf(route: RouteLane, request: Request): Lane | undefined {
  if (route === 'none') return undefined;
  if (!LIGHT_LANES.has(route)) return route;
  const heavy = request.method === 'GET' ? heavyLaneOfRead(request) : heavyLaneOfWrite(request);
  if (route === 'catalogue' && heavy !== 'write') return heavy ? 'catalogue' : 'short';
  return heavy ?? route;
}

function heavyLaneOfRead(request: Request): DatabaseLane | undefined {
  if (!request.url.includes('?')) return undefined;
  const { search, page, limit } = request.query;
  // The first pages of a list, and pages of the usual size, are short work.
  if (search || Number(page) > 10) return 'search';
  return Number(limit) > 20 ? 'reading' : undefined;
}

function heavyLaneOfWrite({ headers }: Request): DatabaseLane | undefined {
  const isChunked = headers['transfer-encoding'] !== undefined;
  // A composition of about a hundred lines has 8 KB.
  return isChunked || Number(headers['content-length']) > 8 * 1024 ? 'write' : undefined;
}

/**
 * Sets the lane of a route or controller, see `Lane`. With `short`, `formulas` and `catalogue` the request
 * determines the lane: searches, pages far behind, long pages and large bodies have separate lanes. Routes without
 * a lane must not use database connections for long.
 */
export const UseLane = (lane: RouteLane) => SetMetadata(LANE, lane);
