import { AsyncResource } from 'node:async_hooks';
import { CACHE_MANAGER } from '@nestjs/cache-manager';
import {
  type CallHandler,
  type ExecutionContext,
  Inject,
  Injectable,
  Logger,
  type NestInterceptor,
  type OnModuleDestroy,
  type OnModuleInit,
} from '@nestjs/common';
import type { Cache } from 'cache-manager';
import { concatMap, defer, finalize, from, Observable, of, ReplaySubject, share } from 'rxjs';
import type { z } from 'zod';
import { type AiCall, aiCallOf, type AiEvent } from './ai-call';
import { answerEvents } from './answer/answer';
import { ConfigurationChanges } from '../../platform/runtime-config/runtime-configuration';
import { SharedAnswers } from './shared-answers';

/** Cached answers of providers: in Redis, or without it in the memory of this process. */
@Injectable()
export class AnswerCache implements OnModuleInit, OnModuleDestroy {
  private readonly logger = new Logger('AI');
  private current = 0;
  private unsubscribe: (() => void) | undefined;

  constructor(
    @Inject(CACHE_MANAGER) private readonly cache: Cache,
    private readonly shared: SharedAnswers,
    private readonly changes: ConfigurationChanges,
  ) {}

  /** Empties the cache when the configuration changes, before the change is acknowledged. */
  onModuleInit(): void {
    this.unsubscribe = this.changes.subscribe(() => this.clear());
  }

  onModuleDestroy(): void {
    this.unsubscribe?.();
  }

  /** Increases each time the cache is emptied. An answer requested in an earlier generation is not cached. */
  get generation(): number {
    return this.current;
  }

  /** Returns the stored answer, or undefined if there is none or the store does not work. */
  async get(key: string, schema: z.ZodType): Promise<unknown> {
    if (this.shared.isUsed) return this.shared.get(key, schema);
    try {
      return await this.cache.get(key);
    } catch {
      this.logger.warn('The answer cache cannot be read');
      return undefined;
    }
  }

  async keep(key: string, answer: unknown, generation: number): Promise<void> {
    if (generation !== this.current) return;
    if (this.shared.isUsed) return this.shared.keep(key, answer);
    try {
      await this.cache.set(key, answer);
      // The configuration may have changed while the store was writing.
      if (generation !== this.current) await this.cache.del(key);
    } catch {
      this.logger.warn('The answer cache cannot be written');
    }
  }

  async clear(): Promise<void> {
    this.current += 1;
    if (this.shared.isUsed) return this.shared.empty();
    await this.cache.clear();
  }
}

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

interface SharedCall {
  /** The call that sends the request; the others wait for its answer. */
  readonly leader: AiCall;
  readonly events: Observable<AiEvent>;
}

/**
 * Equal calls that run at the same time share the request of the first one and receive all of its
 * events. When the last call unsubscribes, the request is aborted.
 */
export class SharedCalls {
  private readonly underWay = new Map<string, SharedCall>();

  join(key: string, call: AiCall, start: () => Observable<AiEvent>): SharedCall {
    const joined = this.underWay.get(key);
    if (joined) return { leader: joined.leader, events: inContextOfNow(joined.events) };
    const shared: SharedCall = {
      leader: call,
      events: start().pipe(
        finalize(() => {
          if (this.underWay.get(key) === shared) this.underWay.delete(key);
        }),
        share({
          connector: () => new ReplaySubject<AiEvent>(),
          resetOnComplete: false,
          resetOnError: false,
          resetOnRefCountZero: true,
        }),
      ),
    };
    this.underWay.set(key, shared);
    return shared;
  }
}

/** RxJS emits in the async context of the source, here the request of the first caller; this restores each caller's. */
function inContextOfNow<T>(events: Observable<T>): Observable<T> {
  const handed = AsyncResource.bind((hand: () => void) => hand());
  return new Observable((subscriber) =>
    events.subscribe({
      next: (event) => handed(() => subscriber.next(event)),
      error: (error: unknown) => handed(() => subscriber.error(error)),
      complete: () => handed(() => subscriber.complete()),
    }),
  );
}
