import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Request } from 'express';
import { AccessTokens, bearerToken } from '../authentication/access-tokens';
import { AuthenticationModule } from '../authentication/authentication.module';
import { addressClient, keepClient, userClient } from '../http/client';
import { Environment } from '../config/environment';
import { ClientThrottlerGuard } from './client-throttler.guard';
import { RateLimitStorage } from './rate-limit.storage';

function throttlerOptions(
  environment: Environment,
  tokens: AccessTokens,
  storage: RateLimitStorage,
): ThrottlerModuleOptions {
  const ttl = environment.throttleTtlSeconds * 1000;
  const client = (request: Request): string => {
    // Only a validly signed token counts, so invented tokens cannot evade the limit.
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

@Module({ providers: [RateLimitStorage], exports: [RateLimitStorage] })
class RateLimitStorageModule {}

@Module({
  imports: [
    AuthenticationModule,
    ThrottlerModule.forRootAsync({
      imports: [AuthenticationModule, RateLimitStorageModule],
      inject: [Environment, AccessTokens, RateLimitStorage],
      useFactory: throttlerOptions,
    }),
  ],
  providers: [ClientThrottlerGuard],
  exports: [ClientThrottlerGuard],
})
export class ThrottlingModule {}
