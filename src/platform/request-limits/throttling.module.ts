import { Module } from '@nestjs/common';
import { ThrottlerModule, type ThrottlerModuleOptions } from '@nestjs/throttler';
import { AuthenticationModule } from '../authentication/authentication.module';
import { Environment } from '../config/environment';
import { ClientThrottlerGuard, RateLimitStorage } from './client-throttler.guard';

@Module({ providers: [RateLimitStorage], exports: [RateLimitStorage] })
class RateLimitStorageModule {}

@Module({
  imports: [
    AuthenticationModule,
    ThrottlerModule.forRootAsync({
      imports: [RateLimitStorageModule],
      inject: [Environment, RateLimitStorage],
      useFactory: (environment: Environment, storage: RateLimitStorage): ThrottlerModuleOptions => ({
        storage,
        throttlers: [{ ttl: environment.throttleTtlSeconds * 1000, limit: environment.throttleLimit }],
      }),
    }),
  ],
  providers: [ClientThrottlerGuard],
  exports: [ClientThrottlerGuard],
})
export class ThrottlingModule {}
