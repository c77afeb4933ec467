import { type NestInterceptor } from '@nestjs/common';
import { type DiscoveryService } from '@nestjs/core';
import { defer, lastValueFrom } from 'rxjs';
import { aiCall } from '../../../test/support/ai-calls';
import { ManualScheduler } from '../../../test/support/manual-scheduler';
import { type AuditInterceptor } from './audit/audit.interceptor';
import { type AiCacheInterceptor } from './cache/cache.interceptor';
import { type FallbackInterceptor } from './fallback/fallback.interceptor';
import { type RateLimitInterceptor } from './rate-limit/rate-limit.interceptor';
import { type RetryInterceptor } from './retry/retry.interceptor';
import { AI_INTERCEPTOR, AiPipeline } from './ai-pipeline';

describe('AiPipeline', () => {
  it('is audit, interceptors from outside, cache, fallback, retry, rate limit, provider, in this order', async () => {
    const passed: string[] = [];
    const passing = <Interceptor>(name: string) =>
      ({
        intercept: (_, next) =>
          defer(() => {
            passed.push(name);
            return next.handle();
          }),
      }) as NestInterceptor as Interceptor;
    const discovery = {
      getProviders: () => [
        { token: AI_INTERCEPTOR, instance: passing('outside') },
        { token: 'another', instance: passing('another') },
      ],
    } as unknown as DiscoveryService;
    const pipeline = new AiPipeline(
      discovery,
      new ManualScheduler(),
      passing<AuditInterceptor>('audit'),
      passing<AiCacheInterceptor>('cache'),
      passing<FallbackInterceptor>('fallback'),
      passing<RetryInterceptor>('retry'),
      passing<RateLimitInterceptor>('rate limit'),
    );
    const complete = () => {
      passed.push('provider');
      return Promise.resolve({ text: '{"word":"a"}' });
    };
    await lastValueFrom(pipeline.run(aiCall({ provider: { complete } })));
    expect(passed).toEqual(['audit', 'outside', 'cache', 'fallback', 'retry', 'rate limit', 'provider']);
  });
});
