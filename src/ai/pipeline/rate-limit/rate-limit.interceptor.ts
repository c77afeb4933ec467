import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { mergeMap, type Observable, tap } from 'rxjs';
import { type AiEvent } from '../ai-call';
import { aiCallOf } from '../ai-call-context';
import { AiRate } from './ai-rate';

/**
 * Starts an attempt when the rate limit allows it. The wait ends at the call's deadline, or when its
 * caller unsubscribes.
 */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(private readonly rate: AiRate) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    if (!aiCallOf(context).provider.capabilities.remote) return next.handle();
    return this.rate
      .acquire()
      .pipe(
        mergeMap((slot) =>
          next.handle().pipe(tap({ next: () => slot.arrived(), error: () => slot.arrived() })),
        ),
      );
  }
}
