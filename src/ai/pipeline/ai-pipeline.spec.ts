import type { AiTelemetryInterceptor } from './ai-telemetry.interceptor';
import { type CallHandler, type NestInterceptor } from '@nestjs/common';
import { defer, lastValueFrom, map } from 'rxjs';
import { type RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';
import { aiCall, answer } from '../../../test/support/ai-calls';
import { ManualScheduler } from '../../../test/support/manual-scheduler';
import { type AiEvent } from './ai-call';
import { type AuditInterceptor } from './audit/audit.interceptor';
import type { AiCacheInterceptor } from './cache.interceptor';
import type { FallbackInterceptor } from './fallback.interceptor';
import type { RateLimitInterceptor } from './rate-limit.interceptor';
import type { RetryInterceptor } from './retry.interceptor';
import { AI_INTERCEPTOR, AiPipeline } from './ai-pipeline';
import { discovering } from '../../../test/support/discovery';

describe('AiPipeline', () => {
  let passed: string[];
  beforeEach(() => (passed = []));

  const passing = <Interceptor>(name: string) =>
    ({
      intercept: (_, next) =>
        defer(() => {
          passed.push(name);
          return next.handle();
        }),
    }) as NestInterceptor as Interceptor;

  /** One call, with these interceptors from outside. */
  const prepare = (...outside: NestInterceptor[]) => {
    const discovery = discovering(...outside.map((instance) => ({ token: AI_INTERCEPTOR, instance })), {
      token: 'another',
      instance: passing('another'),
    });
    const pipeline = new AiPipeline(
      discovery,
      new ManualScheduler(),
      passing<AiTelemetryInterceptor>('telemetry'),
      passing<AuditInterceptor>('audit'),
      passing<AiCacheInterceptor>('cache'),
      passing<FallbackInterceptor>('fallback'),
      passing<RetryInterceptor>('retry'),
      passing<RateLimitInterceptor>('rate limit'),
      { inForce: (_: string, access) => Promise.resolve(access) } as RuntimeConfiguration,
    );
    const complete = () => {
      passed.push('provider');
      return Promise.resolve({ text: '{"word":"a"}' });
    };
    return pipeline.run(aiCall({ provider: { complete } }));
  };
  const run = (...outside: NestInterceptor[]) => lastValueFrom(prepare(...outside));

  const INSIDE = ['cache', 'fallback', 'retry', 'rate limit', 'provider'];

  it('is audit, interceptors from outside, cache, fallback, retry, rate limit, provider, in this order', async () => {
    expect(await run(passing('outside'), passing('outside too'))).toEqual(answer({ word: 'a' }));
    expect(passed).toEqual(['telemetry', 'audit', 'outside', 'outside too', ...INSIDE]);
  });

  it('what an interceptor makes of the events is what those around it see', async () => {
    const naming = (source: string): NestInterceptor => ({
      intercept: (_, next: CallHandler<AiEvent>) =>
        next.handle().pipe(map((event) => ({ ...event, source: `${source}(${event.source})` }))),
    });
    expect(await run(naming('a'), naming('b'))).toMatchObject({ source: 'a(b(remote))' });
  });

  it('waits for an interceptor that has to look something up first', async () => {
    const slow: NestInterceptor = { intercept: (_, next) => Promise.resolve(next.handle()) };
    expect(await run(slow)).toEqual(answer({ word: 'a' }));
  });

  it('runs everything inside anew for each time an interceptor handles', async () => {
    const twice: NestInterceptor = {
      intercept: async (_, next) => {
        await lastValueFrom(next.handle());
        return next.handle();
      },
    };
    const counting: NestInterceptor = {
      intercept: (_, next) => {
        passed.push('run');
        return next.handle();
      },
    };
    await run(twice, counting);
    expect(passed).toEqual(['telemetry', 'audit', 'run', ...INSIDE, 'run', ...INSIDE]);
  });

  it('runs nothing before somebody subscribes', () => {
    const intercept = jest.fn();
    prepare({ intercept });
    expect(intercept).not.toHaveBeenCalled();
    expect(passed).toEqual([]);
  });

  it('a failure of an interceptor is a failure of the call', async () => {
    const broken: NestInterceptor = {
      intercept: () => {
        throw new Error('broken');
      },
    };
    await expect(run(broken)).rejects.toThrow('broken');
    expect(passed).toEqual(['telemetry', 'audit']);
  });
});
