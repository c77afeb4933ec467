import { CacheModule, type CacheModuleOptions } from '@nestjs/cache-manager';
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createKeyv } from 'cacheable';
import { EventStreamInterceptor, StreamPatience } from '../common/http/event-stream';
import { Environment } from '../environment/environment';
import { RuntimeConfigModule } from '../runtime-config/runtime-config.module';
import { AiController } from './ai.controller';
import { AiService } from './ai.service';
import { AiAuditLogEntity } from './audit/ai-audit-log.entity';
import { AiAuditRepository } from './audit/ai-audit.repository';
import { AuditTrail } from './audit/audit-trail';
import { BaseFormulaRepository } from './base-formula.repository';
import { CacheRelease } from './cache-release';
import { ConnectionTest } from './connection-test';
import { ConnectionTestController } from './connection-test.controller';
import { CatalogueRepository } from './extraction/catalogue.repository';
import { FormulaExtraction } from './extraction/formula-extraction';
import { FormulaExploration } from './formula-exploration';
import { AuditInterceptor } from './interceptors/audit.interceptor';
import { AiCacheInterceptor } from './interceptors/cache.interceptor';
import { FallbackInterceptor } from './interceptors/fallback.interceptor';
import { RateLimitInterceptor } from './interceptors/rate-limit.interceptor';
import { RetryInterceptor } from './interceptors/retry.interceptor';
import { AiLimits } from './pipeline/ai-limits';
import { AiPipeline } from './pipeline/ai-pipeline';
import { AiRate, SlidingWindowRate } from './pipeline/ai-rate';
import { AnswerCache } from './pipeline/answer-cache';
import { SystemTimers, Timers } from './pipeline/timers';
import { AlphaProvider } from './providers/alpha.provider';
import { BetaProvider } from './providers/beta.provider';
import { MockProvider } from './providers/mock.provider';
import { ProviderRegistry } from './providers/provider-registry';
import { Embedder } from './semantic/embedder';
import { EmbeddingKeeper } from './semantic/embedding-keeper';
import { EmbeddingsRepository } from './semantic/embeddings.repository';
import { FormulaSearch } from './semantic/formula-search';
import { FormulaSearchRepository } from './semantic/formula-search.repository';

/** Answers that are kept; the least recently used one goes first. */
const CACHED_ANSWERS = 200;

@Module({
  imports: [
    DiscoveryModule,
    RuntimeConfigModule,
    TypeOrmModule.forFeature([AiAuditLogEntity]),
    CacheModule.registerAsync({
      inject: [Environment],
      useFactory: ({ aiCacheTtlSeconds }: Environment) => {
        // 0 seconds would mean for ever.
        const ttl = Math.max(1, aiCacheTtlSeconds * 1000);
        // cache-manager itself bounds nothing; its store does.
        const store: unknown = createKeyv({ ttl, lruSize: CACHED_ANSWERS, useClone: false });
        // Nest's package may see keyv's types for ES modules, which are others than those for CommonJS.
        return { ttl, stores: [store] as CacheModuleOptions['stores'] };
      },
    }),
  ],
  controllers: [AiController, ConnectionTestController],
  providers: [
    AiService,
    AiPipeline,
    AiLimits,
    AuditInterceptor,
    AiCacheInterceptor,
    FallbackInterceptor,
    RetryInterceptor,
    RateLimitInterceptor,
    AnswerCache,
    CacheRelease,
    { provide: Timers, useClass: SystemTimers },
    { provide: AiRate, useClass: SlidingWindowRate },
    ProviderRegistry,
    AlphaProvider,
    BetaProvider,
    MockProvider,
    AuditTrail,
    AiAuditRepository,
    ConnectionTest,
    FormulaExploration,
    BaseFormulaRepository,
    FormulaExtraction,
    CatalogueRepository,
    FormulaSearch,
    FormulaSearchRepository,
    Embedder,
    EmbeddingKeeper,
    EmbeddingsRepository,
    EventStreamInterceptor,
    { provide: StreamPatience, useFactory: () => new StreamPatience() },
  ],
  exports: [AiService],
})
export class AiModule {}
