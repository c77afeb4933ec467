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
import { AuthStrategies } from '../auth/auth-strategies';
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
} from '../common/http/client';
import { isPublic } from '../common/http/public.decorator';

/** Where the package's `@Throttle` keeps the limit of a route or controller. */
const OWN_LIMIT = 'THROTTLER:LIMITdefault';

type Refusal = Pick<ThrottlerLimitDetail, 'limit' | 'timeToExpire' | 'timeToBlockExpire'>;

/**
 * The global request rate: one bucket per client over all endpoints together, before the token is looked at,
 * and a ceiling per address, so that nobody multiplies the limit by registering users. Registrations and
 * logins with a token count for their address as well as for their user. A route with a limit of its own
 * (`@Throttle`) has a bucket per client, and a ceiling, of its own.
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
   * Counts a request that no route takes, as every other, once.
   * @throws TooManyRequestsError
   */
  async countUnrouted(request: Request, response: Response): Promise<void> {
    if (!isCounted(request)) await this.canActivate(contextWithoutRoute(request, response));
  }

  protected override async handleRequest(props: ThrottlerRequest): Promise<boolean> {
    const { context, throttler, getTracker } = props;
    const { req } = this.getRequestResponse(context);
    // The client is stored with the request, whatever a route counts by.
    if (getTracker !== throttler.getTracker) await throttler.getTracker?.(req, context);
    // First the client's own bucket: what is refused there must not use up what the address's other users
    // share.
    const mayBeOthers = this.strategies.hasOthers && getTracker === throttler.getTracker;
    if (mayBeOthers && (await this.mayBeSomebodys(props, req))) {
      countLater(req, (client) => super.handleRequest({ ...props, getTracker: () => client }));
    } else await super.handleRequest(props);
    const request = req as unknown as Request;
    if (this.takesCredentials(context, request)) await this.countForAddress(props, request);
    await this.count(props, `ceiling|${addressOf(request)}`, props.limit * ADDRESS_FACTOR, 'ceiling');
    return true;
  }

  /** Anybody may try passwords where a public route takes a body. */
  private takesCredentials(context: ExecutionContext, { method }: Request): boolean {
    return method !== 'GET' && method !== 'HEAD' && isPublic(this.reflector, context);
  }

  /** Counts a request with a token for its address, too: a token opens no second bucket for guessing. */
  private async countForAddress(props: ThrottlerRequest, request: Request): Promise<void> {
    const address = addressClient(request);
    if (clientOf(request) === address) return;
    // It also waits as one of the address's.
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
   * No token of ours says whose it is, and the strategy of an extension may: the request counts for the
   * address's ceiling now, and for its user, or as one of the address's, when the strategies have answered.
   */
  private async mayBeSomebodys({ context, getTracker }: ThrottlerRequest, request: object): Promise<boolean> {
    // No strategy decides about such a request.
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
    // Two modules may have classes of one name, at paths of their own.
    const { route } = context.switchToHttp().getRequest<{ route?: { path?: unknown } }>();
    return `${controller.name}.${handler.name} ${String(route?.path)}|`;
  }

  protected override throwThrottlingException(
    _context: ExecutionContext,
    detail: ThrottlerLimitDetail,
  ): Promise<void> {
    return Promise.reject(refusal(detail));
  }

  /** Express's own `header` looks for a charset to add: none of these has one. */
  protected override setResponseHeader(response: Record<string, unknown>, name: string, value: number): void {
    (response as unknown as Response).setHeader(name, value);
  }
}

/** The package sets headers on admitted requests only; a refused client needs them most. */
const refusal = ({ limit, timeToExpire, timeToBlockExpire }: Refusal) =>
  new TooManyRequestsError(timeToBlockExpire, { limit, reset: timeToExpire });

class NoController {}
const noHandler = () => undefined;

/** Of a request that no route of Nest's takes, for guards: no decorator is found there. */
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
