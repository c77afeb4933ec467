import { Global, Module } from '@nestjs/common';
import { ConcurrencyGuard } from './concurrency.guard';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { ConcurrencyMetrics } from './concurrency.metrics';
import { LaneGuard } from './lane.guard';

@Global()
@Module({
  providers: [ConcurrencyLimiter, ConcurrencyGuard, LaneGuard, ConcurrencyMetrics],
  exports: [ConcurrencyLimiter, ConcurrencyGuard, LaneGuard],
})
export class ConcurrencyModule {}
