import { type ExecutionContext, Injectable } from '@nestjs/common';
import {
  normalizeIp,
  ThrottlerGuard,
  type ThrottlerLimitDetail,
  type ThrottlerRequest,
} from '@nestjs/throttler';
import type { Request } from 'express';
import { TooManyRequestsError } from '../common/errors/service-error';

/** Many users may share an address, so its ceiling is this many times the limit of one client. */
const ADDRESS_FACTOR = 10;

/** An IPv6 client has a whole /64 of addresses to choose from: all of it counts as one. */
const IPV6_PREFIX = 64;

/** The address a request came from; behind a trusted proxy the one the proxy names. */
export const addressOf = (request: Record<string, unknown>): string =>
  normalizeIp((request as unknown as Request).ip ?? '', IPV6_PREFIX);

type Refusal = Pick<ThrottlerLimitDetail, 'limit' | 'timeToExpire' | 'timeToBlockExpire'>;

/**
 * The global request rate: one bucket per client over all endpoints together, before the token is looked at, and a
 * ceiling per address, so that nobody multiplies the limit by registering users.
 */
@Injectable()
export class ClientThrottlerGuard extends ThrottlerGuard {
  protected override async handleRequest(props: ThrottlerRequest): Promise<boolean> {
    // First the client's own bucket: what is refused there must not use up what the address's other users share.
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

  private refuse(context: ExecutionContext, { limit, timeToExpire, timeToBlockExpire }: Refusal): never {
    // The package tells these with admitted requests only; who is refused needs them most.
    const { res } = this.getRequestResponse(context);
    this.setResponseHeader(res, `${this.headerPrefix}-Limit`, limit);
    this.setResponseHeader(res, `${this.headerPrefix}-Remaining`, 0);
    this.setResponseHeader(res, `${this.headerPrefix}-Reset`, timeToExpire);
    throw new TooManyRequestsError(timeToBlockExpire);
  }
}
