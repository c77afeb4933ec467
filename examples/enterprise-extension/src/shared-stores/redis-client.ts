import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Environment } from 'formula-development-service';
import { createClient } from 'redis';
import { z } from 'zod';

export const redisSettings = z.object({ REDIS_URL: z.url().optional() });

const clientOf = (url: string) =>
  // While Redis is away commands fail at once, and the service does without it.
  createClient({ url, disableOfflineQueue: true }).on('error', () => undefined);

/** The connection to Redis, where REDIS_URL is set. */
@Injectable()
export class RedisClient implements OnModuleInit, OnApplicationShutdown {
  readonly client: ReturnType<typeof clientOf> | undefined;

  constructor(environment: Environment) {
    const { REDIS_URL } = environment.extra(redisSettings);
    this.client = REDIS_URL ? clientOf(REDIS_URL) : undefined;
  }

  /** Not awaited: the service starts without Redis too, and its log tells which store fails. */
  onModuleInit(): void {
    void this.client?.connect().catch(() => undefined);
  }

  onApplicationShutdown(): void {
    this.client?.destroy();
  }
}
