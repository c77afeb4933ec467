import { CacheModule, type CacheModuleOptions } from '@nestjs/cache-manager';
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createKeyv } from 'cacheable';
import { Environment } from '../platform/config/environment';
import { RuntimeConfigModule } from '../platform/runtime-config/runtime-config.module';
import { AiLimits } from './call/ai-limits';
import { AiPipeline } from './call/ai-pipeline';
import { AiScheduler } from './call/ai-scheduler';
import { AiTelemetryInterceptor } from './call/ai-telemetry.interceptor';
import { AiService } from './call/ai.service';
import { AiAuditLogEntity } from './call/audit/ai-audit-log.entity';
import { AiAuditRepository } from './call/audit/ai-audit.repository';
import { AuditRetention } from './call/audit/audit-retention';
import { AuditTrail } from './call/audit/audit-trail';
import { AuditInterceptor } from './call/audit/audit.interceptor';
import { AnswerCache } from './call/cache/answer-cache';
import { CacheRelease } from './call/cache/cache-release';
import { AiCacheInterceptor } from './call/cache/cache.interceptor';
import { SharedAnswers } from './call/cache/shared-answers';
import { FallbackInterceptor } from './call/fallback/fallback.interceptor';
import { AiRate } from './call/rate-limit/ai-rate';
import { RateLimitInterceptor } from './call/rate-limit/rate-limit.interceptor';
import { RetryInterceptor } from './call/retry/retry.interceptor';
import { Embedder } from './capabilities/embed-texts/embedder';
import { EmbeddingUpdater } from './capabilities/embed-texts/embedding-updater';
import { EmbeddingsRepository } from './capabilities/embed-texts/embeddings.repository';
import { BaseFormulaRepository } from './capabilities/explore-formula/base-formula.repository';
import { FormulaExploration } from './capabilities/explore-formula/formula-exploration';
import { FormulaExtraction } from './capabilities/extract-formula/formula-extraction';
import { IngredientNamesRepository } from './capabilities/extract-formula/ingredient-names.repository';
import { CatalogueNamesRepository } from './ingredient-names/catalogue-names.repository';
import { FormulaPrediction } from './capabilities/predict-formula/formula-prediction';
import { FormulaSearch } from './capabilities/search-keywords/formula-search';
import { FormulaSearchRepository } from './capabilities/search-keywords/formula-search.repository';
import { SearchQuestions } from './capabilities/search-keywords/search-questions';
import { ConnectionTest } from './capabilities/test-connection/connection-test';
import { AiController } from './http/ai.controller';
import { ConnectionTestController } from './http/connection-test.controller';
import { ProviderFields } from './http/provider-fields';
import { AiStrategy } from './provider/ai-strategy';
import { ConfigurableProviders } from './provider/configurable-providers';
import { ConfiguredStrategy } from './provider/configured-strategy';
import * as providers from './providers';

/** Maximum number of cached answers. The least recently used one is evicted first. */
const CACHED_ANSWERS = 200;

@Module({
  imports: [
    DiscoveryModule,
    RuntimeConfigModule,
    ...Object.values(providers),
    TypeOrmModule.forFeature([AiAuditLogEntity]),
    CacheModule.registerAsync({
      inject: [Environment],
      useFactory: ({ aiCacheTtlSeconds }: Environment) => {
        // cache-manager reads a TTL of 0 as "never expires".
        const ttl = Math.max(1, aiCacheTtlSeconds * 1000);
        // cache-manager sets no limit on the number of entries; its store does.
        const store: unknown = createKeyv({ ttl, lruSize: CACHED_ANSWERS, useClone: false });
        // @nestjs/cache-manager may resolve keyv's types for ES modules, which differ from those for CommonJS.
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
    SharedAnswers,
    CacheRelease,
    AiScheduler,
    AiTelemetryInterceptor,
    AiRate,
    { provide: AiStrategy, useClass: ConfiguredStrategy },
    ConfigurableProviders,
    ProviderFields,
    AuditTrail,
    AuditRetention,
    AiAuditRepository,
    ConnectionTest,
    FormulaPrediction,
    CatalogueNamesRepository,
    FormulaExploration,
    BaseFormulaRepository,
    FormulaExtraction,
    IngredientNamesRepository,
    FormulaSearch,
    FormulaSearchRepository,
    SearchQuestions,
    Embedder,
    EmbeddingUpdater,
    EmbeddingsRepository,
  ],
  exports: [AiService, AiStrategy, ConfigurableProviders, FormulaExtraction],
})
export class AiModule {}
