import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { AuthStrategies } from '../authentication/auth-strategies';
import { TooManyRequestsError } from '../common/errors/service-error';
import {
  ADDRESS_FACTOR,
  addressClient,
  addressOf,
  clientOf,
  countLater,
  isAddressClient,
  isCounted,
  keepClient,
} from '../http/client';
import { isPublic } from '../http/route-decorators';

/** Metadata key in which the package's `@Throttle` stores the limit of a route or controller. */
const OWN_LIMIT = 'THROTTLER:LIMITdefault';

type Refusal = Pick<ThrottlerLimitDetail, 'limit' | 'timeToExpire' | 'timeToBlockExpire'>;

/**
 * The global rate limit: one bucket per client for all endpoints, checked before the token, and a ceiling per
 * address, so that registering users does not multiply the limit. Registrations and logins with a token count for
 * their address as well as for their user. A route with its own limit (`@Throttle`) has its own bucket per client,
 * and its own ceiling.
 */
@Injectable()
export class ClientThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    reflector: Reflector,
    private readonly strategies: AuthStrategies,
  ) {
    super(options, storage, reflector);
  }

  /**
   * Counts a request that matches no route, once.
   * @throws TooManyRequestsError
   */
  async countUnrouted(request: Request, response: Response): Promise<void> {
    if (!isCounted(request)) await this.canActivate(contextWithoutRoute(request, response));
  }

  protected override async handleRequest(props: ThrottlerRequest): Promise<boolean> {
    const { context, throttler, getTracker } = props;
    const { req } = this.getRequestResponse(context);
    // The client is stored on the request, even if the route counts by another key.
    if (getTracker !== throttler.getTracker) await throttler.getTracker?.(req, context);
    // The client's own bucket is checked first: a request refused there must not use up the ceiling of the address.
    const mayBeOthers = this.strategies.hasOthers && getTracker === throttler.getTracker;
    if (mayBeOthers && (await this.mayBeSomebodys(props, req))) {
      countLater(req, (client) => super.handleRequest({ ...props, getTracker: () => client }));
    } else await super.handleRequest(props);
    const request = req as unknown as Request;
    if (this.takesCredentials(context, request)) await this.countForAddress(props, request);
    await this.count(props, `ceiling|${addressOf(request)}`, props.limit * ADDRESS_FACTOR, 'ceiling');
    return true;
  }

  /** Returns true for a public route with a body, because clients may try passwords there. */
  private takesCredentials(context: ExecutionContext, { method }: Request): boolean {
    return method !== 'GET' && method !== 'HEAD' && isPublic(this.reflector, context);
  }

  /** Counts a request with a token for its address too: a token must not provide a second bucket for guessing. */
  private async countForAddress(props: ThrottlerRequest, request: Request): Promise<void> {
    const address = addressClient(request);
    if (clientOf(request) === address) return;
    // The request also waits for concurrency permits as one of the address.
    keepClient(request, address);
    if (props.getTracker === props.throttler.getTracker) await this.count(props, address, props.limit);
  }

  private async count(
    { context, ttl, blockDuration }: ThrottlerRequest,
    tracker: string,
    limit: number,
    name = 'default',
  ): Promise<void> {
    const key = this.generateKey(context, tracker);
    const counted = await this.storageService.increment(key, ttl, limit, blockDuration, name);
    if (counted.isBlocked) throw refusal({ limit, ...counted });
  }

  /**
   * Returns true if the request has no token of ours, but a strategy of an extension may authenticate it. It counts
   * for the address's ceiling now, and for its user, or its address, after the strategies have decided.
   */
  private async mayBeSomebodys({ context, getTracker }: ThrottlerRequest, request: object): Promise<boolean> {
    // No strategy is called for such a request.
    if (isWithoutRoute(context) || isPublic(this.reflector, context)) return false;
    return isAddressClient(await getTracker(request, context));
  }

  protected override generateKey(context: ExecutionContext, tracker: string): string {
    return this.bucketOf(context) + tracker;
  }

  private bucketOf(context: ExecutionContext): string {
    const [handler, controller] = [context.getHandler(), context.getClass()];
    const own = this.reflector.getAllAndOverride<unknown>(OWN_LIMIT, [handler, controller]);
    if (own === undefined) return '';
    // Classes of two modules may have the same name, but their paths differ.
    const { route } = context.switchToHttp().getRequest<{ route?: { path?: unknown } }>();
    return `${controller.name}.${handler.name} ${String(route?.path)}|`;
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    detail: ThrottlerLimitDetail,
  ): Promise<void> {
    return Promise.reject(refusal(detail));
  }

  /** Express's own `header` would check if a charset must be added. None of these headers has one. */
  protected override setResponseHeader(response: Record<string, unknown>, name: string, value: number): void {
    (response as unknown as Response).setHeader(name, value);
  }
}

/** The package sets headers on admitted requests only, but a refused client needs them most. */
const refusal = ({ limit, timeToExpire, timeToBlockExpire }: Refusal) =>
  new TooManyRequestsError(timeToBlockExpire, { limit, reset: timeToExpire });

class NoController {}
const noHandler = () => undefined;

/** Context for guards of a request that matches no Nest route. It has no decorators. */
function contextWithoutRoute(request: Request, response: Response): ExecutionContext {
  const http = { getRequest: () => request, getResponse: () => response };
  const context = {
    getType: () => 'http',
    getClass: () => NoController,
    getHandler: () => noHandler,
    switchToHttp: () => http,
  };
  return context as unknown as ExecutionContext;
}

const isWithoutRoute = (context: ExecutionContext): boolean => context.getHandler() === noHandler;
