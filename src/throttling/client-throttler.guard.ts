import { type ExecutionContext, Injectable } from '@nestjs/common';
import { ThrottlerGuard, type ThrottlerLimitDetail } from '@nestjs/throttler';
import { TooManyRequestsError } from '../common/errors/service-error';

/** The global request rate: one bucket per client over all endpoints together, before the token is looked at. */
@Injectable()
export class ClientThrottlerGuard extends ThrottlerGuard {
  protected override throwThrottlingException(
    _: ExecutionContext,
    detail: ThrottlerLimitDetail,
  ): Promise<void> {
    throw new TooManyRequestsError(detail.timeToBlockExpire);
  }
}
