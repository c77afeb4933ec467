import { Global, Injectable, Module } from '@nestjs/common';
import { ConcurrencyGuard } from './concurrency.guard';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { Metrics } from '../observability/metrics';

/** Numbers of waiting and running requests by lane. */
@Injectable()
class ConcurrencyMetrics {
  constructor(metrics: Metrics, { lanes }: ConcurrencyLimiter) {
    metrics.register(({ Gauge }, registers) => {
      new Gauge({
        name: 'formula_queue_length',
        help: 'Requests that wait, by their lane',
        labelNames: ['queue'],
        registers,
        collect() {
          for (const [queue, { waiting }] of Object.entries(lanes)) this.set({ queue }, waiting);
        },
      });
      new Gauge({
        name: 'formula_turns_running',
        help: 'Requests that are handled, by their lane',
        labelNames: ['queue'],
        registers,
        collect() {
          for (const [queue, { running }] of Object.entries(lanes)) this.set({ queue }, running);
        },
      });
    });
  }
}

@Global()
@Module({
  providers: [ConcurrencyLimiter, ConcurrencyGuard, ConcurrencyMetrics],
  exports: [ConcurrencyLimiter, ConcurrencyGuard],
})
export class ConcurrencyModule {}
