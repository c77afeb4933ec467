import 'reflect-metadata';
import type { ExecutionContext } from '@nestjs/common';
import { Throttle, type ThrottlerStorage } from '@nestjs/throttler';
import type { Request, Response } from 'express';
import type { AuthStrategies } from '../auth/auth-strategies';
import { TooManyRequestsError } from '../common/errors/service-error';
import { clientOf, keepClient } from '../common/http/client';
import { Public } from '../common/http/public.decorator';
import { RouteMetadata } from '../common/http/route-metadata';
import { ClientThrottlerGuard } from './client-throttler.guard';
import { Refusals } from './refusals';

const OURS = { hasOthers: false } as AuthStrategies;
const turnOfLoop = () => new Promise((resolve) => setImmediate(resolve));

/** A guard whose counters of this kind are full. */
async function guardWhere(isFull: (key: string) => boolean): Promise<ClientThrottlerGuard> {
  const storage = {
    increment: (key: string) =>
      Promise.resolve({ totalHits: 1, timeToExpire: 1, isBlocked: isFull(key), timeToBlockExpire: 1 }),
  } as unknown as ThrottlerStorage;
  const metadata = { getAllAndOverride: () => undefined } as unknown as RouteMetadata;
  const throttlers = [{ name: 'default', ttl: 1000, limit: 1, getTracker: () => 'user' }];
  const guard = new ClientThrottlerGuard({ throttlers }, storage, metadata, new Refusals(), OURS);
  await guard.onModuleInit();
  return guard;
}

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
    const getTracker = (request: object) => keepClient(request, 'user|lin');
    const throttlers = [{ name: 'default', ttl: 1000, limit: 1, getTracker }];
    const metadata = new RouteMetadata();
    const guard = new ClientThrottlerGuard({ throttlers }, storage, metadata, new Refusals(), OURS);
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

  it.each([
    ['a client', (key: string) => !key.startsWith('ceiling|')],
    ['an address', (key: string) => key.startsWith('ceiling|')],
  ])('refuses few requests of %s in one turn of the event loop', async (_, isFull) => {
    const guard = await guardWhere(isFull);
    const request = { headers: {}, socket: {}, ip: '127.0.0.1' } as unknown as Request;
    const response = { setHeader: () => undefined } as unknown as Response;
    const errors: unknown[] = [];
    for (let number = 0; number < 20; number += 1)
      void guard.countUnrouted(request, response).catch((error: unknown) => errors.push(error));
    const refused: number[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      await turnOfLoop();
      refused.push(errors.length);
    }
    // In the first turn they come to the guard.
    expect(refused).toEqual([0, 8, 16, 20, 20]);
    expect(errors.every((error) => error instanceof TooManyRequestsError)).toBe(true);
  });
});
