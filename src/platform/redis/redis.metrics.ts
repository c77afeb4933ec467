import type { Metrics } from '../observability/metrics';
import type { SharedState } from './shared-state';

export function registerRedisMetrics(metrics: Metrics, state: SharedState): void {
  metrics.register(({ Counter, Gauge }, registers) => {
    new Gauge({
      name: 'formula_redis_up',
      help: '0 while each instance uses its own limits and cache',
      registers,
      collect() {
        this.set(state.figures.works ? 1 : 0);
      },
    });
    new Counter({
      name: 'formula_redis_failures_total',
      help: 'Commands to Redis that failed',
      registers,
      collect() {
        this.reset();
        this.inc(state.figures.failed);
      },
    });
  });
}
