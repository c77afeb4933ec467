import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Observable } from 'rxjs';
import { AuditTrail } from './audit-trail';
import { type AiCall, type AiEvent } from '../ai-call';
import { aiCallOf } from '../ai-call-context';
import { Timers } from '../ai-scheduler';

/** A database that hangs must not hang the answers. */
const LONGEST_WAIT_MS = 1_000;

/**
 * One row for each call, however it ends: answered, failed, or left by its caller. The call ends after its row is written, so who
 * has seen the end finds the row; the answer itself goes out before.
 */
@Injectable()
export class AuditInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(
    private readonly trail: AuditTrail,
    private readonly timers: Timers,
  ) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const call = aiCallOf(context);
    return new Observable((subscriber) => {
      const startedAt = this.timers.now();
      let ended = false;
      const end = (then: () => void): void => {
        if (ended) return;
        ended = true;
        const patience = setTimeout(then, LONGEST_WAIT_MS);
        void this.record(call, startedAt).then(() => {
          clearTimeout(patience);
          then();
        });
      };
      const inner = next.handle().subscribe({
        next: (event) => subscriber.next(event),
        error: (error: unknown) => end(() => subscriber.error(error)),
        complete: () => end(() => subscriber.complete()),
      });
      return () => {
        inner.unsubscribe();
        end(() => undefined);
      };
    });
  }

  private record(call: AiCall, startedAt: number): Promise<void> {
    return this.trail.write({
      capability: call.capability.name,
      modelName: call.model,
      promptHash: call.promptHash,
      tokensUsed: call.usage.take() ?? null,
      durationMs: Math.round(this.timers.now() - startedAt),
    });
  }
}
