import { Global, Module } from '@nestjs/common';
import { ConcurrencyGuard } from './concurrency.guard';
import { ConcurrencyLimiter } from './concurrency-limiter';

@Global()
@Module({
  providers: [ConcurrencyLimiter, ConcurrencyGuard],
  exports: [ConcurrencyLimiter, ConcurrencyGuard],
})
export class ConcurrencyModule {}
