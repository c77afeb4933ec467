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
import { isUuid } from '../../../common/validation/uuid';
import { type AiCall, type AiEvent } from '../ai-call';
import { aiCallOf } from '../ai-call-context';
import { AiScheduler } from '../ai-scheduler';
import { AuditTrail } from './audit-trail';

/** A database that hangs must not hang the answers. */
const LONGEST_WAIT_MS = 1_000;

/**
 * One row for each call, however it ends: answered, failed, or left by its caller. The call ends after its
 * row is written, so who has seen the end finds the row; the answer itself goes out before.
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
      // An id of another strategy's that the column cannot hold must not cost the row, nor those beside it.
      userId: isUuid(userId) ? userId : null,
      capability: call.capability.name,
      modelName: call.model,
      promptHash: call.promptHash,
      tokensUsed,
      durationMs: Math.round(this.scheduler.now() - startedAt),
    });
  }
}
