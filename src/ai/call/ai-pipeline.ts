import { type CallHandler, Injectable, type NestInterceptor } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { defer, from, mergeAll, type Observable } from 'rxjs';
import { providedUnder } from '../../common/extension-tokens';
import { AuditInterceptor } from './audit/audit.interceptor';
import { AiCacheInterceptor } from './cache/cache.interceptor';
import { FallbackInterceptor } from './fallback/fallback.interceptor';
import { RateLimitInterceptor } from './rate-limit/rate-limit.interceptor';
import { RetryInterceptor } from './retry/retry.interceptor';
import { type AiCall, type AiEvent } from './ai-call';
import { AiCallContext } from './ai-call-context';
import { ProviderCall } from './provider-call';
import { AiScheduler } from './ai-scheduler';

/**
 * Token under which modules outside add an interceptor around every AI call; several modules may each provide
 * one. It runs inside the audit, so what it does shows there, and outside the cache, so it sees every call.
 */
export const AI_INTERCEPTOR = Symbol('AI_INTERCEPTOR');

/**
 * The one way to a provider: audit → (interceptors from outside) → cache → fallback → retry → rate limit →
 * provider.
 */
@Injectable()
export class AiPipeline {
  private interceptors: readonly NestInterceptor<AiEvent, AiEvent>[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scheduler: AiScheduler,
    private readonly audit: AuditInterceptor,
    private readonly cache: AiCacheInterceptor,
    private readonly fallback: FallbackInterceptor,
    private readonly retry: RetryInterceptor,
    private readonly rateLimit: RateLimitInterceptor,
  ) {}

  /** Nothing happens until somebody subscribes; who unsubscribes gives the call up. */
  run(call: AiCall): Observable<AiEvent> {
    // Found with the first call: by then all modules are there.
    this.interceptors ??= [
      this.audit,
      ...providedUnder<NestInterceptor<AiEvent, AiEvent>>(AI_INTERCEPTOR, this.discovery),
      this.cache,
      this.fallback,
      this.retry,
      this.rateLimit,
    ];
    const context = new AiCallContext(call);
    // Each around the next, as Nest puts them around a controller's method; run anew whenever it is asked.
    return this.interceptors
      .reduceRight<CallHandler<AiEvent>>(
        (next, interceptor) => ({
          handle: () =>
            defer(() => {
              const events = interceptor.intercept(context, next);
              return events instanceof Promise ? from(events).pipe(mergeAll()) : events;
            }),
        }),
        new ProviderCall(call, this.scheduler),
      )
      .handle();
  }
}
