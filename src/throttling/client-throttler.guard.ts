import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail, type ThrottlerRequest } from '@nestjs/throttler';
import type { Request } from 'express';
import { TooManyRequestsError } from '../common/errors/service-error';

/** Many users may share an address, so its ceiling is this many times the limit of one client. */
const ADDRESS_FACTOR = 10;

/** The address a request came from; behind a trusted proxy the one the proxy names. */
export const addressOf = (request: Record<string, unknown>): string =>
  (request as unknown as Request).ip ?? '';

/**
 * The global request rate: one bucket per client over all endpoints together, before the token is looked at, and a
 * ceiling per address, so that nobody multiplies the limit by registering users.
 */
@Injectable()
export class ClientThrottlerGuard extends ThrottlerGuard {
  protected override async handleRequest(props: ThrottlerRequest): Promise<boolean> {
    const { req } = this.getRequestResponse(props.context);
    const { isBlocked, timeToBlockExpire } = await this.storageService.increment(
      `ceiling|${addressOf(req)}`,
      props.ttl,
      props.limit * ADDRESS_FACTOR,
      props.blockDuration,
      'ceiling',
    );
    if (isBlocked) throw new TooManyRequestsError(timeToBlockExpire);
    return super.handleRequest(props);
  }

  protected override throwThrottlingException(
    _: ExecutionContext,
    detail: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new TooManyRequestsError(detail.timeToBlockExpire);
  }
}
