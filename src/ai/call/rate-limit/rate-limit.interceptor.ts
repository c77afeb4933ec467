import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Observable, type Subscription } from 'rxjs';
import { type AiEvent } from '../ai-call';
import { aiCallOf } from '../ai-call-context';
import { AiRate, type RateSlot } from './ai-rate';

/** Lets an attempt start when the rate of requests allows it. Waiting ends with the call: its deadline, or its caller's leaving. */
@Injectable()
export class RateLimitInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(private readonly rate: AiRate) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    if (!aiCallOf(context).provider.capabilities.remote) return next.handle();
    return new Observable((subscriber) => {
      const left = new AbortController();
      let attempt: Subscription | undefined;
      const send = (slot: RateSlot): void => {
        if (left.signal.aborted) return;
        attempt = next.handle().subscribe({
          next: (event) => {
            slot.arrived();
            subscriber.next(event);
          },
          error: (error: unknown) => {
            slot.arrived();
            subscriber.error(error);
          },
          complete: () => subscriber.complete(),
        });
      };
      this.rate.acquire(left.signal).then(send, (error: unknown) => {
        if (!left.signal.aborted) subscriber.error(error);
      });
      return () => {
        left.abort();
        attempt?.unsubscribe();
      };
    });
  }
}
