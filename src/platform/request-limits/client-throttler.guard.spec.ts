import 'reflect-metadata';
import type { ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Throttle, type ThrottlerStorage } from '@nestjs/throttler';
import type { Request } from 'express';
import type { AccessTokens } from '../authentication/access-tokens';
import type { AuthStrategies } from '../authentication/auth-strategies';
import { ManualClock } from '../../../test/support/clock';
import { clientOf } from '../http/client';
import { Public } from '../http/route-decorators';
import { Redis } from '../redis/redis.module';
import { ClientThrottlerGuard, RateLimitStorage } from './client-throttler.guard';

const OURS = { hasOthers: false } as AuthStrategies;

describe('ClientThrottlerGuard', () => {
  class Plants {
    @Throttle({ default: { limit: 1, ttl: 1000, getTracker: () => 'plant' } })
    find() {
      return undefined;
    }

    @Public()
    health() {
      return undefined;
    }

    @Public()
    @Throttle({ default: { limit: 1, ttl: 1000, getTracker: () => 'plant' } })
    water() {
      return undefined;
    }
  }

  it.each([
    ['find', 'GET', 'user|lin', ['Plants.find /api/plants|plant', 'Plants.find /api/plants|ceiling|::1']],
    ['health', 'GET', 'user|lin', ['user|lin', 'ceiling|::1']],
    ['health', 'HEAD', 'user|lin', ['user|lin', 'ceiling|::1']],
    ['health', 'POST', 'address|::1', ['user|lin', 'address|::1', 'ceiling|::1']],
    [
      'water',
      'POST',
      'address|::1',
      ['Plants.water /api/plants|plant', 'Plants.water /api/plants|ceiling|::1'],
    ],
  ] as const)('counts Plants.%s, asked with %s, as of %s', async (handler, method, client, keys) => {
    const counted: string[] = [];
    const storage = {
      increment: (key: string) => {
        counted.push(key);
        return Promise.resolve({ totalHits: 1, timeToExpire: 1, isBlocked: false, timeToBlockExpire: 1 });
      },
    } as unknown as ThrottlerStorage;
    const throttlers = [{ ttl: 1000, limit: 1 }];
    const tokens = { signedSubject: () => 'lin' } as unknown as AccessTokens;
    const guard = new ClientThrottlerGuard({ throttlers }, storage, new Reflector(), tokens, OURS);
    await guard.onModuleInit();
    const route = { path: '/api/plants' };
    const request = { method, headers: {}, socket: {}, ip: '::1', route } as unknown as Request;
    const context = {
      getType: () => 'http',
      getClass: () => Plants,
      getHandler: () => Object.getOwnPropertyDescriptor(Plants.prototype, handler)!.value as unknown,
      switchToHttp: () => ({
        getRequest: () => request,
        getResponse: () => ({ setHeader: () => undefined }),
      }),
    };
    expect(await guard.canActivate(context as unknown as ExecutionContext)).toBe(true);
    expect(counted).toEqual(keys);
    expect(clientOf(request)).toBe(client);
  });
});

describe('RateLimitStorage', () => {
  it('blocks from one more than the limit on, until the window is over', async () => {
    const clock = new ManualClock();
    const storage = new RateLimitStorage(clock, new Redis(undefined));
    const hit = async () => {
      const { totalHits, isBlocked, timeToExpire } = await storage.increment('a', 60_000, 2, 60_000, 'x');
      return [totalHits, isBlocked, timeToExpire];
    };
    expect([await hit(), await hit(), await hit()]).toEqual([
      [1, false, 60],
      [2, false, 60],
      [3, true, 60],
    ]);
    clock.advance(59_001);
    expect(await hit()).toEqual([4, true, 1]);
    clock.advance(999);
    expect(await hit()).toEqual([1, false, 60]);
  });

  it('blocks for longer where a route says so, from the first refusal on', async () => {
    const clock = new ManualClock();
    const storage = new RateLimitStorage(clock, new Redis(undefined));
    const hit = async () => {
      const { isBlocked, timeToBlockExpire } = await storage.increment('a', 1000, 1, 30_000, 'x');
      return [isBlocked, timeToBlockExpire];
    };
    expect([await hit(), await hit()]).toEqual([
      [false, 1],
      [true, 30],
    ]);
    clock.advance(10_000);
    expect(await hit()).toEqual([true, 20]);
  });
});
