import { createRequire } from 'node:module';
import { Global, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '../common/clock';
import { Environment } from '../config/environment';
import { SigningSecret } from '../config/signing-secret';
import { Metrics } from '../observability/metrics';
import type { SharedState } from './shared-state';

/** The state that instances share with REDIS_URL; undefined without it. */
@Injectable()
export class Redis implements OnApplicationShutdown {
  constructor(readonly state: SharedState | undefined) {}

  onApplicationShutdown(): void {
    this.state?.close();
  }
}

async function openRedis(
  { redisUrl }: Environment,
  secret: SigningSecret,
  clock: Clock,
  metrics: Metrics,
): Promise<Redis> {
  if (redisUrl === undefined) return new Redis(undefined);
  // The packages for Redis are loaded only if they are needed.
  const load = createRequire(__filename);
  const loaded = load('./shared-state') as typeof import('./shared-state');
  const state = new loaded.SharedState(redisUrl, secret.value, clock);
  registerRedisMetrics(metrics, state);
  await state.open();
  return new Redis(state);
}

@Global()
@Module({
  providers: [
    { provide: Redis, inject: [Environment, SigningSecret, Clock, Metrics], useFactory: openRedis },
  ],
  exports: [Redis],
})
export class RedisModule {}

function registerRedisMetrics(metrics: Metrics, state: SharedState): void {
  metrics.gauge('formula_redis_up', '0 while each instance uses its own limits and cache', () =>
    state.figures.works ? 1 : 0,
  );
  metrics.register(({ Counter }, registers) => {
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
