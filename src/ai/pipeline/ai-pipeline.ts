import { type CallHandler, Injectable, type NestInterceptor, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { defer, from, mergeAll, type Observable } from 'rxjs';
import { placedUnder, requireMethods } from '../../platform/common/extension-tokens';
import { RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import { AuditInterceptor } from './audit/audit.interceptor';
import { AiCacheInterceptor } from './cache.interceptor';
import { FallbackInterceptor } from './fallback.interceptor';
import { RateLimitInterceptor } from './rate-limit.interceptor';
import { RetryInterceptor } from './retry.interceptor';
import { type AiCall, AiCallContext, type AiEvent, AiScheduler } from './ai-call';
import { ProviderCall } from './provider-call';
import { AI_CAPABILITY } from '../../platform/access/access.module';
import { checkCapabilities } from './capability';
import { AiTelemetryInterceptor } from './ai-telemetry.interceptor';

/**
 * Token under which a module adds an interceptor around every AI call. Several modules may each provide
 * one. It runs inside the audit, so its effects are recorded, and outside the cache, so it sees every call.
 */
export const AI_INTERCEPTOR = Symbol('AI_INTERCEPTOR');

/**
 * The only way to a provider: audit → (interceptors of extensions) → cache → fallback → retry → rate
 * limit → provider.
 */
@Injectable()
export class AiPipeline implements OnModuleInit {
  private interceptors: readonly NestInterceptor<AiEvent, AiEvent>[] | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scheduler: AiScheduler,
    private readonly telemetry: AiTelemetryInterceptor,
    private readonly audit: AuditInterceptor,
    private readonly cache: AiCacheInterceptor,
    private readonly fallback: FallbackInterceptor,
    private readonly retry: RetryInterceptor,
    private readonly rateLimit: RateLimitInterceptor,
    private readonly configuration: RuntimeConfiguration,
  ) {}

  /** @throws ExtensionError for an invalid interceptor of an extension, or a preset that violates its schema */
  onModuleInit(): void {
    checkCapabilities(placedUnder(AI_CAPABILITY, this.discovery));
    this.all();
  }

  /** Subscribing starts the call, unsubscribing aborts it. */
  run(call: AiCall): Observable<AiEvent> {
    const context = new AiCallContext(call);
    // Each interceptor wraps the next one, as Nest does for a controller's method.
    return this.all()
      .reduceRight<CallHandler<AiEvent>>(
        (next, interceptor) => ({
          handle: () =>
            defer(() => {
              const events = interceptor.intercept(context, next);
              return events instanceof Promise ? from(events).pipe(mergeAll()) : events;
            }),
        }),
        new ProviderCall(call, this.scheduler, this.configuration),
      )
      .handle();
  }

  /** Ready once modules are initialised. */
  private all(): readonly NestInterceptor<AiEvent, AiEvent>[] {
    this.interceptors ??= [
      this.telemetry,
      this.audit,
      ...this.fromOutside(),
      this.cache,
      this.fallback,
      this.retry,
      this.rateLimit,
    ];
    return this.interceptors;
  }

  private fromOutside(): NestInterceptor<AiEvent, AiEvent>[] {
    return placedUnder(AI_INTERCEPTOR, this.discovery).map(({ place, value }) => {
      requireMethods(`AI_INTERCEPTOR in ${place}`, value, ['intercept']);
      return value as NestInterceptor<AiEvent, AiEvent>;
    });
  }
}
