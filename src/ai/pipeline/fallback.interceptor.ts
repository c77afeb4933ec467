import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  Logger,
  type NestInterceptor,
} from '@nestjs/common';
import { catchError, from, type Observable, tap, throwError } from 'rxjs';
import { type AiCall, aiCallOf, type AiEvent } from './ai-call';
import { AiFailure } from '../../platform/common/errors/ai-failure';
import { answerEvents } from './answer/answer';

/**
 * Answers with the capability's preset after the last attempt failed. Passes the failure on if a part
 * has been sent, if the policy demands a failure, or if the preset contains no parts.
 */
@Injectable()
export class FallbackInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  private readonly logger = new Logger('AI');

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const call = aiCallOf(context);
    let partsSent = false;
    return next.handle().pipe(
      tap((event) => {
        if (event.kind === 'part') partsSent = true;
      }),
      catchError((error: unknown) => {
        this.report(call, error);
        if (partsSent || call.policy.whenFailed === 'failure') return throwError(() => error);
        const events = answerEvents(call, call.capability.preset(call.input), 'fallback');
        // A preset without parts would mean that there is nothing to propose, which is not known.
        const isEmpty = call.capability.parts !== undefined && events.length === 1;
        return isEmpty ? throwError(() => error) : from(events);
      }),
    );
  }

  private report(call: AiCall, error: unknown): void {
    // The message of an AiFailure is ours; any other message could contain a provider's text.
    const reason =
      error instanceof AiFailure ? error.message : `${call.provider.name}: unexpected ${nameOf(error)}`;
    this.logger.warn(`${call.capability.name} failed (${reason})`);
  }
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
