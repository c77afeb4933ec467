import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Request } from 'express';
import { AccessTokens } from '../auth/access-tokens';
import { AuthModule } from '../auth/auth.module';
import { bearerToken } from '../auth/bearer-token';
import { addressClient, keepClient, userClient } from '../common/http/client';
import { Environment } from '../environment/environment';
import { ClientPlacesGuard } from './client-places.guard';
import { ClientThrottlerGuard } from './client-throttler.guard';
import { QueueMetrics } from './queue.metrics';
import { Refusals } from './refusals';
import { RequestCounts } from './request-counts';
import { WindowCounterStorage } from './window-counter.storage';

function throttlerOptions(
  environment: Environment,
  tokens: AccessTokens,
  storage: RequestCounts,
): ThrottlerModuleOptions {
  const ttl = environment.throttleTtlSeconds * 1000;
  const client = (request: Request): string => {
    // Bound to the signature, so nobody escapes the limit with invented tokens.
    const subject = tokens.signedSubject(bearerToken(request));
    return subject ? userClient(subject) : addressClient(request);
  };
  return {
    storage,
    throttlers: [
      {
        name: 'default',
        ttl,
        limit: environment.throttleLimit,
        getTracker: (request) => keepClient(request, client(request as unknown as Request)),
      },
    ],
  };
}

/** Where requests are counted. */
@Module({
  imports: [DiscoveryModule],
  providers: [RequestCounts, WindowCounterStorage],
  exports: [RequestCounts],
})
class RequestCountsModule {}

@Module({
  imports: [
    AuthModule,
    ThrottlerModule.forRootAsync({
      imports: [AuthModule, RequestCountsModule],
      inject: [Environment, AccessTokens, RequestCounts],
      useFactory: throttlerOptions,
    }),
  ],
  providers: [ClientThrottlerGuard, ClientPlacesGuard, QueueMetrics, Refusals],
  exports: [ClientThrottlerGuard, ClientPlacesGuard],
})
export class ThrottlingModule {}
