import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { concatMap, defer, from, type Observable, of } from 'rxjs';
import { AnswerCache } from './answer-cache';
import { type AiEvent } from '../ai-call';
import { aiCallOf } from '../ai-call-context';
import { answerEvents } from '../answer/answer-events';
import { SharedCalls } from './shared-calls';

/**
 * Answers a repeated prompt from the cache. Equal calls that run at the same time share one request.
 */
@Injectable()
export class AiCacheInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  private readonly shared = new SharedCalls();

  constructor(private readonly cache: AnswerCache) {}

  async intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Promise<Observable<AiEvent>> {
    const call = aiCallOf(context);
    if (!call.policy.cache || !call.provider.capabilities.remote) return next.handle();
    const key = call.cacheKey;
    const hit = await this.cache.get(key, call.capability.schema);
    call.cacheAnswer = hit === undefined ? 'miss' : 'hit';
    if (hit !== undefined) return from(answerEvents(call, hit, 'cache'));
    const { generation } = this.cache;
    // A call that began under an older configuration is not shared: newer calls need the new
    // configuration. `defer`: a caller that disconnects before subscribing starts no request.
    return defer(() => {
      const { leader, events } = this.shared.join(`${generation}:${key}`, call, () =>
        next.handle().pipe(concatMap((event) => this.remember(key, event, generation))),
      );
      call.usage = leader.usage;
      return events;
    });
  }

  private remember(key: string, event: AiEvent, generation: number): Observable<AiEvent> {
    if (event.kind !== 'answer' || !event.cacheable) return of(event);
    return from(this.cache.keep(key, event.answer, generation).then(() => event));
  }
}
