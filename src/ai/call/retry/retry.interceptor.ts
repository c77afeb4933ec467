import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { Observable, type Subscriber, type Subscription } from 'rxjs';
import { type AiCall, type AiEvent } from '../ai-call';
import { aiCallOf } from '../ai-call-context';
import { Timers } from '../ai-scheduler';
import { AiFailure, InvalidAnswer } from '../../provider/ai-failure';
import { pauseBeforeRetry } from './retry-policy';

/**
 * Tries again where that can help, inside the call's total deadline. Three reasons, counted apart: a failure (at most the policy's
 * retries, with pauses), an invalid answer (one repair request), a way of structured output that the server refused (the provider
 * goes on to its next one). Once a part has been handed on nothing is repeated: the receiver would see it twice.
 */
@Injectable()
export class RetryInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  constructor(private readonly timers: Timers) {}

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const call = aiCallOf(context);
    return new Observable((subscriber) => {
      const run = new RepeatedCall(call, next, this.timers, subscriber);
      run.start();
      return () => run.stop();
    });
  }
}

class RepeatedCall {
  private attempt: Subscription | undefined;
  private cancelPause: (() => void) | undefined;
  private cancelDeadline: (() => void) | undefined;
  private endsAt = Infinity;
  private retries = 0;
  private partsSent = false;

  constructor(
    private readonly call: AiCall,
    private readonly next: CallHandler<AiEvent>,
    private readonly timers: Timers,
    private readonly subscriber: Subscriber<AiEvent>,
  ) {}

  start(): void {
    const { deadlineMs } = this.call.policy;
    this.endsAt = this.timers.now() + deadlineMs;
    this.cancelDeadline = this.timers.after(deadlineMs, () => this.fail(this.deadline()));
    this.try();
  }

  stop(): void {
    this.cancelDeadline?.();
    this.cancelPause?.();
    this.attempt?.unsubscribe();
  }

  private try(): void {
    this.attempt = this.next.handle().subscribe({
      next: (event) => {
        if (event.kind === 'part') this.partsSent = true;
        this.subscriber.next(event);
      },
      error: (error: unknown) => this.afterFailure(error),
      complete: () => this.subscriber.complete(),
    });
  }

  private afterFailure(error: unknown): void {
    if (!(error instanceof AiFailure) || this.partsSent) return this.fail(error);
    if (error.kind === 'format' && error.retryable) return this.tryAfter(0);
    if (error instanceof InvalidAnswer && this.call.repair === undefined && this.call.policy.retries > 0) {
      this.call.repair = { answer: error.answer, problem: error.problem };
      return this.tryAfter(0);
    }
    const pause = pauseBeforeRetry(error, this.retries, this.call.policy.retries, Math.random());
    if (pause === undefined) return this.fail(error);
    // Waiting past the deadline would only make the caller wait for the same failure.
    if (this.timers.now() + pause >= this.endsAt) return this.fail(error);
    this.retries += 1;
    this.tryAfter(pause);
  }

  /** Never at once: a synchronous failure in a synchronous attempt must not grow the stack. */
  private tryAfter(pauseMs: number): void {
    this.cancelPause = this.timers.after(pauseMs, () => this.try());
  }

  private deadline(): AiFailure {
    return new AiFailure('deadline', this.call.provider.name, { retryable: false });
  }

  private fail(error: unknown): void {
    this.stop();
    this.subscriber.error(error);
  }
}
