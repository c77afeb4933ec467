import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import type { Request } from 'express';
import { AccessTokens } from '../auth/access-tokens';
import { AuthModule } from '../auth/auth.module';
import { bearerToken } from '../auth/bearer-token';
import { Environment } from '../environment/environment';
import { addressOf, ClientThrottlerGuard } from './client-throttler.guard';
import { WindowCounterStorage } from './window-counter.storage';

function throttlerOptions(
  environment: Environment,
  tokens: AccessTokens,
  storage: WindowCounterStorage,
): ThrottlerModuleOptions {
  const ttl = environment.throttleTtlSeconds * 1000;
  return {
    storage,
    throttlers: [
      {
        name: 'default',
        ttl,
        limit: environment.throttleLimit,
        // Bound to the signature, so nobody escapes the limit with invented tokens.
        getTracker: (request) => {
          const subject = tokens.signedSubject(bearerToken(request as unknown as Request));
          return subject ? `user|${subject}` : `address|${addressOf(request)}`;
        },
      },
    ],
    generateKey: (_context, tracker) => tracker,
  };
}

/** Where requests are counted. */
@Module({ providers: [WindowCounterStorage], exports: [WindowCounterStorage] })
class RequestCountsModule {}

@Module({
  imports: [
    ThrottlerModule.forRootAsync({
      imports: [AuthModule, RequestCountsModule],
      inject: [Environment, AccessTokens, WindowCounterStorage],
      useFactory: throttlerOptions,
    }),
  ],
  providers: [ClientThrottlerGuard],
  exports: [ClientThrottlerGuard],
})
export class ThrottlingModule {}
