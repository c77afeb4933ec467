import { CacheModule, type CacheModuleOptions } from '@nestjs/cache-manager';
import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { TypeOrmModule } from '@nestjs/typeorm';
import { createKeyv } from 'cacheable';
import { Environment } from '../platform/config/environment';
import { FormulasModule } from '../formulas/formulas.module';
import { IngredientsModule } from '../ingredients/ingredients.module';
import { RuntimeConfigModule } from '../platform/runtime-config/runtime-config.module';
import { AiScheduler } from './pipeline/ai-call';
import { AiPipeline } from './pipeline/ai-pipeline';
import { AiTelemetryInterceptor } from './pipeline/ai-telemetry.interceptor';
import { AiService } from './pipeline/ai.service';
import { AiAuditLogEntity } from './pipeline/audit/ai-audit-log.entity';
import { AiAuditRepository } from './pipeline/audit/ai-audit.repository';
import { AuditInterceptor, AuditRetention, AuditTrail } from './pipeline/audit/audit.interceptor';
import { AiCacheInterceptor, AnswerCache } from './pipeline/cache.interceptor';
import { SharedAnswers } from './pipeline/shared-answers';
import { FallbackInterceptor } from './pipeline/fallback.interceptor';
import { AiRate, RateLimitInterceptor } from './pipeline/rate-limit.interceptor';
import { RetryInterceptor } from './pipeline/retry.interceptor';
import { CAPABILITY_NAMES } from '../platform/access/access.module';
import { exploreFormula } from './capabilities/explore-formula/explore-formula';
import { extractFormula } from './capabilities/extract-formula/extract-formula';
import { FormulaPrediction, predictFormula } from './capabilities/predict-formula/predict-formula';
import { recommendColorants } from './capabilities/recommend-colorants/recommend-colorants';
import { searchKeywords } from './capabilities/search-keywords/search-keywords';
import { Embedder } from './capabilities/embed-texts/embedder';
import { EmbeddingUpdater } from './capabilities/embed-texts/embedding-updater';
import { EmbeddingsRepository } from './capabilities/embed-texts/embeddings.repository';
import { FormulaExploration } from './capabilities/explore-formula/formula-exploration';
import { FormulaExtraction } from './capabilities/extract-formula/formula-extraction';
import { FormulaSearch, SearchQuestions } from './capabilities/search-keywords/formula-search';
import { FormulaSearchRepository } from './capabilities/search-keywords/formula-search.repository';
import { ConnectionTest } from './capabilities/test-connection/test-connection';
import { AiController } from './http/ai.controller';
import {
  ConnectionTestController,
  ProviderFields,
  ProviderListController,
} from './http/provider-config.controller';
import { ExtractController } from './http/extract.controller';
import { ExtractService } from './capabilities/extract-formula/extraction.service';
import { AiStrategy } from './providers/ai-provider';
import { ConfigurableProviders } from './providers/configurable-providers';
import { ConfiguredStrategy } from './providers/configured-strategy';
import * as providers from './providers';

/** Maximum number of cached answers. The least recently used one is evicted first. */
const CACHED_ANSWERS = 200;

const CAPABILITIES = [
  predictFormula,
  exploreFormula,
  extractFormula,
  searchKeywords,
  recommendColorants,
] as const;

@Module({
  imports: [
    DiscoveryModule,
    RuntimeConfigModule,
    FormulasModule,
    IngredientsModule,
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
  controllers: [AiController, ConnectionTestController, ExtractController],
  providers: [
    { provide: CAPABILITY_NAMES, useValue: CAPABILITIES.map(({ name }) => name) },
    AiService,
    AiPipeline,
    AuditInterceptor,
    AiCacheInterceptor,
    FallbackInterceptor,
    RetryInterceptor,
    RateLimitInterceptor,
    AnswerCache,
    SharedAnswers,
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
    FormulaExploration,
    FormulaExtraction,
    ExtractService,
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

/** Imported by applications with extensions only: without extensions the list is always empty. */
@Module({ imports: [AiModule, RuntimeConfigModule], controllers: [ProviderListController] })
export class ProviderListModule {}
