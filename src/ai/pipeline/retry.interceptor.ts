import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { defer, map, type Observable, retry, takeUntil, tap, throwError, timer } from 'rxjs';
import { AiFailure, InvalidAnswer } from '../../platform/common/errors/ai-failure';
import { type AiCall, aiCallOf, type AiEvent, AiScheduler } from './ai-call';

/**
 * Retries within the call's deadline. There are three reasons, counted separately: a failure (at most
 * the policy's retries, with pauses), an invalid answer (one repair request), and an output format
 * that the server refused (the provider uses its next one). After a part has been sent there are no
 * retries, because the client would receive the part twice.
 */
@Injectable()
export class RetryInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(private readonly scheduler: AiScheduler) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const call = aiCallOf(context);
    const { deadlineMs } = call.policy;
    const deadline = timer(deadlineMs, this.scheduler).pipe(
      map(() => {
        throw new AiFailure('deadline', call.provider.name, { retryable: false });
      }),
    );
    return defer(() => {
      const endsAt = this.scheduler.now() + deadlineMs;
      let partsSent = false;
      let retries = 0;
      const pauseAfter = (error: unknown): number | undefined => {
        if (!(error instanceof AiFailure) || partsSent) return undefined;
        if (canAskOtherwise(error, call)) return 0;
        const pause = pauseBeforeRetry(error, retries++, call.policy.retries, Math.random());
        // Waiting past the deadline would only delay the same failure.
        return pause !== undefined && this.scheduler.now() + pause < endsAt ? pause : undefined;
      };
      return next.handle().pipe(
        tap((event) => (partsSent ||= event.kind === 'part')),
        retry({
          delay: (error: unknown) => {
            const pause = pauseAfter(error);
            return pause === undefined ? throwError(() => error) : timer(pause, this.scheduler);
          },
        }),
        takeUntil(deadline),
      );
    });
  }
}

/**
 * Returns true if the next request differs, and may therefore be sent at once: it uses another output format, or
 * names the faults of the last answer.
 */
function canAskOtherwise(failure: AiFailure, call: AiCall): boolean {
  if (failure.kind === 'format') return failure.retryable;
  if (!(failure instanceof InvalidAnswer) || call.repair || call.policy.retries === 0) return false;
  call.repair = { answer: failure.answer, problem: failure.problem };
  return true;
}

/**
 * Returns the milliseconds to wait before the next attempt, or undefined if there is none.
 *
 * Exponential backoff from half a second, with jitter between half and all of it, so that callers
 * that failed together do not retry together. A provider's `Retry-After` is used instead, up to 20 s.
 *
 * @param retriesDone attempts already made after the first
 * @param random a number in [0, 1)
 */
export function pauseBeforeRetry(
  failure: AiFailure,
  retriesDone: number,
  maxRetries: number,
  random: number,
): number | undefined {
  if (!failure.retryable || retriesDone >= maxRetries) return undefined;
  // Providers may ask for minutes.
  if (failure.retryAfterMs !== undefined) return Math.min(failure.retryAfterMs, 20_000);
  const pause = Math.min(8_000, 500 * 2 ** retriesDone);
  return pause * (0.5 + random / 2);
}
