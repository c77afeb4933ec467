import type { Request } from 'express';
import { parseEnvironment } from '../config/environment';
import { createLanes, type Lane } from './concurrency-limiter';
import { laneOf, type RouteLane } from './concurrency.guard';

const DATABASE_LANES = ['short', 'formulas', 'search', 'catalogue', 'reading', 'write'] as const;

const lanesOf = (settings: Record<string, string>) =>
  createLanes(parseEnvironment({ NODE_ENV: 'test', ...settings }));

/** How many permits a lane gives, to one client or to as many as come. */
function permitsOf(lanes: ReturnType<typeof createLanes>, lane: Lane, client?: string): number {
  const semaphore = lanes[lane];
  for (let n = 0; n < 1000; n += 1) {
    const name = client ?? `user|${n}`;
    if (semaphore.tryAcquire(name)) continue;
    for (let given = 0; given < n; given += 1) semaphore.release(client ?? `user|${given}`);
    return n;
  }
  return Infinity;
}

describe('lanes', () => {
  it.each([1, 2, 3, 4, 5, 7, 8, 10, 20, 21, 100])(
    'of a pool of %d connections leave some to looking up users, and those of formulas some to the others',
    (size) => {
      const lanes = lanesOf({ DATABASE_URL: 'postgres://x/y', DATABASE_POOL_SIZE: String(size) });
      const different = [...new Set(DATABASE_LANES.map((lane) => lanes[lane]))];
      const sum = different
        .map((semaphore) =>
          permitsOf(
            lanes,
            DATABASE_LANES.find((lane) => lanes[lane] === semaphore)!,
          ),
        )
        .reduce((total, permits) => total + permits, 0);
      expect(sum).toBeLessThanOrEqual(Math.max(1, size - 1));
      if (size > 2) {
        for (const lane of ['formulas', 'search', 'reading', 'write'] as const) {
          expect([lanes.short, lanes.catalogue]).not.toContain(lanes[lane]);
        }
      }
    },
  );

  it.each([
    [7, 2],
    [8, 6],
  ])('of a pool of %d connections are %d', (size, count) => {
    const lanes = lanesOf({ DATABASE_URL: 'postgres://x/y', DATABASE_POOL_SIZE: String(size) });
    expect(new Set(DATABASE_LANES.map((lane) => lanes[lane])).size).toBe(count);
  });

  it('leave one client’s share to the others, where there is more than one permit', () => {
    const lanes = lanesOf({ DATABASE_URL: 'postgres://x/y', DATABASE_POOL_SIZE: '20' });
    for (const lane of DATABASE_LANES) {
      expect(permitsOf(lanes, lane, 'user|a')).toBe(permitsOf(lanes, lane) - 1);
    }
  });

  it('of the embedded database give a client one heavy statement, and do not hold up short ones', () => {
    const lanes = lanesOf({});
    expect(new Set([lanes.search, lanes.catalogue, lanes.reading, lanes.write]).size).toBe(1);
    expect([permitsOf(lanes, 'search', 'user|a'), permitsOf(lanes, 'search')]).toEqual([1, 2]);
    expect([permitsOf(lanes, 'short', 'user|a'), permitsOf(lanes, 'formulas', 'user|a')]).toEqual([
      Infinity,
      Infinity,
    ]);
  });

  it('let a client have so many requests in progress, an address ten times as many', () => {
    const lanes = lanesOf({ CLIENT_CONCURRENCY: '3' });
    expect([permitsOf(lanes, 'requests', 'user|a'), permitsOf(lanes, 'requests', 'address|a')]).toEqual([
      3, 30,
    ]);
    expect([permitsOf(lanes, 'streams', 'user|a'), permitsOf(lanes, 'streams', 'address|a')]).toEqual([
      32, 320,
    ]);
  });
});

describe('the lane of a request', () => {
  const request = (method: string, query: object, headers: object = {}) =>
    ({ method, url: '/?x', query, headers }) as unknown as Request;

  it.each<[RouteLane, string, object, object, Lane | undefined]>([
    ['short', 'GET', { limit: '21' }, {}, 'reading'],
    ['short', 'GET', { limit: '20' }, {}, 'short'],
    ['short', 'GET', { search: 'x', limit: '21' }, {}, 'search'],
    ['short', 'GET', { page: '10' }, {}, 'short'],
    ['short', 'GET', { page: '11' }, {}, 'search'],
    ['catalogue', 'GET', { limit: '21' }, {}, 'catalogue'],
    ['catalogue', 'GET', { limit: ['x'] }, {}, 'short'],
    ['catalogue', 'POST', { search: 'x' }, { 'content-length': '9000' }, 'write'],
    ['formulas', 'POST', {}, { 'content-length': '8192' }, 'formulas'],
    ['formulas', 'POST', {}, { 'content-length': '8193' }, 'write'],
    ['formulas', 'POST', {}, { 'transfer-encoding': 'chunked' }, 'write'],
    ['formulas', 'DELETE', {}, {}, 'formulas'],
    ['reading', 'GET', { search: 'x' }, {}, 'reading'],
    ['ai', 'POST', {}, { 'content-length': '9000' }, 'ai'],
    ['none', 'GET', { search: 'x' }, {}, undefined],
  ])('of a route with %s: %s %j %j is in %s', (route, method, query, headers, lane) => {
    expect(laneOf(route, request(method, query, headers))).toBe(lane);
  });
});
