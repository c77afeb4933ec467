import type { CallHandler, ExecutionContext, NestInterceptor } from '@nestjs/common';
import { finalize, Observable, tap } from 'rxjs';
import type { AiCall, AiEvent } from '../ai/call/ai-call';
import { aiCallOf } from '../ai/call/ai-call-context';

/** What became of an AI call; `abandoned`: whoever asked has gone. */
export type AiOutcome = 'answered' | 'cached' | 'fallback' | 'failed' | 'abandoned';

/** Somebody follows one AI call. */
export interface FollowedAiCall {
  /** Makes the call by `work`, at once. */
  run<T>(work: () => T): T;
  /** Called once, when the call has what it says of its cost; must not throw. */
  ended(outcome: AiOutcome, error?: unknown): void;
}

/**
 * An interceptor for `AiPipeline.surround`.
 * @param follow called when a call begins; must not throw
 */
export function followedAiCalls(follow: (call: AiCall) => FollowedAiCall): NestInterceptor<AiEvent, AiEvent> {
  return {
    intercept: (context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> => {
      const call = aiCallOf(context);
      return new Observable((subscriber) => {
        const followed = follow(call);
        let outcome: AiOutcome = 'abandoned';
        let failure: unknown;
        const events = () =>
          next.handle().pipe(
            tap({
              next: (event) => {
                if (event.kind === 'answer') outcome = outcomeOf(event.source);
              },
              error: (error: unknown) => {
                outcome = 'failed';
                failure = error;
              },
            }),
            finalize(() => followed.ended(outcome, failure)),
          );
        return followed.run(() => events().subscribe(subscriber));
      });
    },
  };
}

const outcomeOf = (source: string): AiOutcome =>
  source === 'cache' ? 'cached' : source === 'fallback' ? 'fallback' : 'answered';
