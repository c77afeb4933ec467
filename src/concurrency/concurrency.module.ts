import { Global, Module } from '@nestjs/common';
import { ConcurrencyGuard } from './concurrency.guard';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { ConcurrencyMetrics } from './concurrency.metrics';

@Global()
@Module({
  providers: [ConcurrencyLimiter, ConcurrencyGuard, ConcurrencyMetrics],
  exports: [ConcurrencyLimiter, ConcurrencyGuard],
})
export class ConcurrencyModule {}
