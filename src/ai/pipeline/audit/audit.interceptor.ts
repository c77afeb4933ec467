import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import {
  catchError,
  concat,
  defer,
  finalize,
  from,
  ignoreElements,
  type Observable,
  race,
  throwError,
  timer,
} from 'rxjs';
import { isUuid } from '../../../platform/validation/uuid';
import { type AiCall, type AiEvent } from '../ai-call';
import { aiCallOf } from '../ai-call-context';
import { AiScheduler } from '../ai-scheduler';
import { AuditTrail } from './audit-trail';

/** Maximum time that an answer waits for its row, so that a database that hangs does not block answers. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Writes one row for each call: answered, failed or aborted. The answer is emitted first; the observable
 * completes after the row is written.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(
    private readonly trail: AuditTrail,
    private readonly scheduler: AiScheduler,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const call = aiCallOf(context);
    return defer(() => {
      const startedAt = this.scheduler.now();
      let written: Promise<void> | undefined;
      const write = () => (written ??= this.write(call, startedAt));
      const recorded = defer(() => race(from(write()), timer(LONGEST_WAIT_MS)).pipe(ignoreElements()));
      return concat(next.handle(), recorded).pipe(
        catchError((error: unknown) =>
          concat(
            recorded,
            throwError(() => error),
          ),
        ),
        finalize(() => void write()),
      );
    });
  }

  private write(call: AiCall, startedAt: number): Promise<void> {
    const userId = call.user?.id;
    const tokensUsed = call.usage.take() ?? null;
    call.countedTokens = tokensUsed ?? 0;
    return this.trail.write({
      // If another authentication strategy has ids that the column cannot store, the row is written without it.
      userId: isUuid(userId) ? userId : null,
      capability: call.capability.name,
      modelName: call.model,
      promptHash: call.promptHash,
      tokensUsed,
      durationMs: Math.round(this.scheduler.now() - startedAt),
    });
  }
}
