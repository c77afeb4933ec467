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
import { AccessTokens, bearerToken } from '../authentication/access-tokens';
import { AuthStrategies } from '../authentication/auth-strategies';
import { Clock } from '../common/clock';
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
  userClient,
} from '../http/client';
import { isPublic } from '../http/route-decorators';
import { Redis } from '../redis/redis.module';
import { SharedCounter } from '../redis/shared-counter';

/** Metadata key in which the package's `@Throttle` stores the limit of a route or controller. */
const OWN_LIMIT = 'THROTTLER:LIMITdefault';

type Count = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts requests: in Redis, or without it in this process. */
@Injectable()
export class RateLimitStorage implements ThrottlerStorage {
  private readonly counter: SharedCounter;

  constructor(clock: Clock, redis: Redis) {
    this.counter = new SharedCounter('requests', clock, redis.state);
  }

  async increment(
    client: string,
    ttl: number,
    limit: number,
    blockDuration: number,
    name: string,
  ): Promise<Count> {
    // Windows of different lengths are counted separately.
    const key = `${name}|${ttl}|${blockDuration}|${client}`;
    const longest = Math.max(secondsOf(ttl), secondsOf(blockDuration));
    let counted = await this.counter.add(key, secondsOf(ttl), longest);
    const totalHits = counted.count;
    if (totalHits === limit + 1 && blockDuration !== ttl) {
      counted = await this.counter.extend(key, totalHits, secondsOf(blockDuration));
    }
    const left = secondsOf(counted.leftMs);
    return { totalHits, isBlocked: totalHits > limit, timeToExpire: left, timeToBlockExpire: left };
  }
}

const secondsOf = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

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
    private readonly tokens: AccessTokens,
    private readonly strategies: AuthStrategies,
  ) {
    super(options, storage, reflector);
  }

  /** Decides which client a request counts for, and stores it on the request. Invented tokens count for nobody. */
  protected override getTracker(request: Request): Promise<string> {
    const subject = this.tokens.signedSubject(bearerToken(request));
    return Promise.resolve(keepClient(request, subject ? userClient(subject) : addressClient(request)));
  }

  /**
   * Counts a request that matches no route, once.
   * @throws TooManyRequestsError
   */
  async countUnrouted(request: Request, response: Response): Promise<void> {
    if (!isCounted(request)) await this.canActivate(contextWithoutRoute(request, response));
  }

  protected override async handleRequest(props: ThrottlerRequest): Promise<boolean> {
    const { context, getTracker } = props;
    const request = context.switchToHttp().getRequest<Request>();
    const hasOwnTracker = getTracker !== this.commonOptions.getTracker;
    // The client is stored on the request, even if the route counts by another key.
    if (hasOwnTracker) await this.commonOptions.getTracker?.(request, context);
    // The client's own bucket is checked first: a request refused there must not use up the ceiling of the address.
    if (!hasOwnTracker && this.strategies.hasOthers && (await this.mayBeSomebodys(props, request))) {
      countLater(request, (client) => super.handleRequest({ ...props, getTracker: () => client }));
    } else await super.handleRequest(props);
    // A token must not provide a second bucket for guessing, nor further concurrency permits.
    if (this.takesCredentials(context, request) && !isAddressClient(clientOf(request))) {
      const address = keepClient(request, addressClient(request));
      if (!hasOwnTracker) await this.count(props, address, props.limit);
    }
    await this.count(props, `ceiling|${addressOf(request)}`, props.limit * ADDRESS_FACTOR, 'ceiling');
    return true;
  }

  /** Returns true for a public route with a body, because clients may try passwords there. */
  private takesCredentials(context: ExecutionContext, { method }: Request): boolean {
    return method !== 'GET' && method !== 'HEAD' && isPublic(this.reflector, context);
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
