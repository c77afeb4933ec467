import { CACHE_MANAGER, CacheModule } from '@nestjs/cache-manager';
import { type DynamicModule, Global, Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { type Cache } from 'cache-manager';
import { Environment } from '../platform/config/environment';
import { AiModule } from './ai.module';

describe('the memory of answers', () => {
  const memory = (Reflect.getMetadata('imports', AiModule) as DynamicModule[]).find(
    ({ module }) => module === CacheModule,
  )!;
  afterEach(() => jest.restoreAllMocks());

  it.each([
    [60, 60_000],
    [3600, 3_600_000],
    // Not for ever.
    [0, 1],
  ])('of AI_CACHE_TTL %d keeps one for %d ms', async (aiCacheTtlSeconds, ms) => {
    @Global()
    @Module({
      providers: [{ provide: Environment, useValue: { aiCacheTtlSeconds } }],
      exports: [Environment],
    })
    class Settings {}
    const app = await Test.createTestingModule({ imports: [Settings, memory] }).compile();
    const cache = app.get<Cache>(CACHE_MANAGER);
    const now = Date.now();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now);
    const answer = { word: 'a' };
    await cache.set('key', answer);
    clock.mockReturnValue(now + ms - 1);
    expect(await cache.get('key')).toBe(answer);
    clock.mockReturnValue(now + ms + 1);
    expect(await cache.get('key')).toBeUndefined();
  });
});
