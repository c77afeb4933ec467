import { Module, type Provider } from '@nestjs/common';
import {
  AI_ANSWER_STORE,
  AI_RATE_STORE,
  EXTRA_SETTINGS,
  THROTTLER_STORAGE,
} from 'formula-development-service';
import { RedisClient, redisSettings } from './redis-client';
import { aiAnswers, aiRate, requestCounts } from './redis-stores';

// #region module
/** Null where there is no Redis: each instance counts and keeps answers by itself. */
const inRedis = (
  provide: symbol,
  storeOf: (client: NonNullable<RedisClient['client']>) => object,
): Provider => ({
  provide,
  inject: [RedisClient],
  useFactory: ({ client }: RedisClient) => (client ? storeOf(client) : null),
});

@Module({
  providers: [
    RedisClient,
    { provide: EXTRA_SETTINGS, useValue: redisSettings },
    inRedis(THROTTLER_STORAGE, requestCounts),
    inRedis(AI_ANSWER_STORE, aiAnswers),
    inRedis(AI_RATE_STORE, aiRate),
  ],
})
export class SharedStoresModule {}
// #endregion
