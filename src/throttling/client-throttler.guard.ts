import { type ExecutionContext, Injectable } from '@nestjs/common';
import {
  InjectThrottlerOptions,
  InjectThrottlerStorage,
  normalizeIp,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerModuleOptions,
  type ThrottlerRequest,
  type ThrottlerStorage,
} from '@nestjs/throttler';
import type { Request, Response } from 'express';
import { TooManyRequestsError } from '../common/errors/service-error';
import { RouteMetadata } from '../common/http/route-metadata';

/** Many users may share an address, so its ceiling is this many times the limit of one client. */
const ADDRESS_FACTOR = 10;

/** An IPv6 client has a whole /64 of addresses to choose from: all of it counts as one. */
const IPV6_PREFIX = 64;

/** Most addresses whose short form is kept. */
const KEPT_ADDRESSES = 1000;

/** Writing an address in its short form costs more than counting its request. */
const shortForms = new Map<string, string>();

/** The address a request came from; behind a trusted proxy the one the proxy names. */
export function addressOf(request: Record<string, unknown>): string {
  const { ip = '' } = request as unknown as Request;
  let address = shortForms.get(ip);
  if (address === undefined) {
    address = normalizeIp(ip, IPV6_PREFIX);
    if (shortForms.size >= KEPT_ADDRESSES) shortForms.clear();
    shortForms.set(ip, address);
  }
  return address;
}

/** Where a guard looks for decorators of a handler. */
const noHandler = () => undefined;

type Refusal = Pick<ThrottlerLimitDetail, 'limit' | 'timeToExpire' | 'timeToBlockExpire'>;

/**
 * The global request rate: one bucket per client over all endpoints together, before the token is looked at,
 * and a ceiling per address, so that nobody multiplies the limit by registering users.
 */
@Injectable()
export class ClientThrottlerGuard extends ThrottlerGuard {
  constructor(
    @InjectThrottlerOptions() options: ThrottlerModuleOptions,
    @InjectThrottlerStorage() storage: ThrottlerStorage,
    metadata: RouteMetadata,
  ) {
    super(options, storage, metadata);
  }

  /**
   * Counts a request that no route takes, as every other.
   * @throws TooManyRequestsError
   */
  async countUnrouted(request: Request, response: Response): Promise<void> {
    const http = { getRequest: () => request, getResponse: () => response };
    const context = {
      getType: () => 'http',
      getClass: () => ClientThrottlerGuard,
      getHandler: () => noHandler,
      switchToHttp: () => http,
    };
    await this.canActivate(context as unknown as ExecutionContext);
  }

  protected override async handleRequest(props: ThrottlerRequest): Promise<boolean> {
    // First the client's own bucket: what is refused there must not use up what the address's other users
    // share.
    await super.handleRequest(props);
    const { req } = this.getRequestResponse(props.context);
    const limit = props.limit * ADDRESS_FACTOR;
    const ceiling = await this.storageService.increment(
      `ceiling|${addressOf(req)}`,
      props.ttl,
      limit,
      props.blockDuration,
      'ceiling',
    );
    if (ceiling.isBlocked) this.refuse(props.context, { limit, ...ceiling });
    return true;
  }

  protected override throwThrottlingException(
    context: ExecutionContext,
    detail: ThrottlerLimitDetail,
  ): Promise<void> {
    return this.refuse(context, detail);
  }

  /** Express's own `header` looks for a charset to add: none of these has one. */
  protected override setResponseHeader(response: Record<string, unknown>, name: string, value: number): void {
    (response as unknown as Response).setHeader(name, value);
  }

  private refuse(context: ExecutionContext, { limit, timeToExpire, timeToBlockExpire }: Refusal): never {
    // The package tells these with admitted requests only; who is refused needs them most.
    const { res } = this.getRequestResponse(context);
    this.setResponseHeader(res, `${this.headerPrefix}-Limit`, limit);
    this.setResponseHeader(res, `${this.headerPrefix}-Remaining`, 0);
    this.setResponseHeader(res, `${this.headerPrefix}-Reset`, timeToExpire);
    throw new TooManyRequestsError(timeToBlockExpire);
  }
}
