import { Global, Injectable, Module } from '@nestjs/common';
import { ConcurrencyGuard } from './concurrency.guard';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { Metrics } from '../observability/metrics';

/** Numbers of waiting and running requests by lane. */
@Injectable()
class ConcurrencyMetrics {
  constructor(metrics: Metrics, { lanes }: ConcurrencyLimiter) {
    const by = (figure: 'waiting' | 'running') => () =>
      Object.fromEntries(Object.entries(lanes).map(([lane, semaphore]) => [lane, semaphore[figure]]));
    metrics.gauge('formula_queue_length', 'Requests that wait, by their lane', by('waiting'), 'queue');
    metrics.gauge(
      'formula_turns_running',
      'Requests that are handled, by their lane',
      by('running'),
      'queue',
    );
  }
}

@Global()
@Module({
  providers: [ConcurrencyLimiter, ConcurrencyGuard, ConcurrencyMetrics],
  exports: [ConcurrencyLimiter, ConcurrencyGuard],
})
export class ConcurrencyModule {}
