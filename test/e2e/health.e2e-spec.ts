import { Logger } from '@nestjs/common';
import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import { Clock } from '../../src/platform/common/clock';
import { type Account, bootApp, type TestApp } from '../support/app';
import { TIMESTAMP, expectError, UNAUTHORIZED } from '../support/answers';
import { ManualClock } from '../support/clock';
import { loseDatabase, onServer, TEST_SERVER } from '../support/databases';
import { countStatements } from '../support/statements';

let service: TestApp;
let clock: ManualClock;

beforeAll(async () => {
  clock = new ManualClock();
  service = await bootApp({ adjust: (builder) => builder.overrideProvider(Clock).useValue(clock) });
});

afterAll(() => service.close());

describe('GET /api/health', () => {
  it('answers without a token', async () => {
    const { body } = await service.http.get('/api/health').expect(200);
    expect(body).toEqual({ status: 'ok', timestamp: '2026-01-02T03:04:05.678Z' });
    expect(body.timestamp).toMatch(TIMESTAMP);
  });

  it('does not mind a token that is no good', async () => {
    await service.http.get('/api/health').set('Authorization', 'Bearer nonsense').expect(200);
  });

  it('shares one ping of the database for a second', async () => {
    clock.advance(1000);
    const pings = await countStatements(async () => {
      await Promise.all(Array.from({ length: 20 }, () => service.http.get('/api/health').expect(200)));
      clock.advance(999);
      await service.http.get('/api/health').expect(200);
    });
    expect(pings).toBe(1);
    clock.advance(1);
    expect(await countStatements(async () => service.http.get('/api/health').expect(200))).toBe(1);
  });
});

describe('GET /api/ext/live', () => {
  it('answers without a token, asks the database nothing, and counts for nobody', async () => {
    const limited = await bootApp({ settings: { THROTTLE_LIMIT: '2', CLIENT_CONCURRENCY: '1' } });
    try {
      let answers: Response[] = [];
      const statements = await countStatements(async () => {
        answers = await Promise.all(Array.from({ length: 30 }, () => limited.http.get('/api/ext/live')));
      });
      expect(statements).toBe(0);
      for (const { status, body, headers } of answers) {
        expect({ status, body }).toEqual({ status: 200, body: { status: 'ok' } });
        expect(headers['x-ratelimit-remaining']).toBeUndefined();
      }
      await limited.http.get('/api/health').expect(200).expect('X-RateLimit-Remaining', '1');
    } finally {
      await limited.close();
    }
  });
});

it('a database whose users cannot be read is not healthy', async () => {
  const damaged = await bootApp();
  try {
    await damaged.app.get(DataSource).query('ALTER TABLE users RENAME TO lost_users');
    expectError(await damaged.http.get('/api/health'), 503, '数据库不可用', {
      status: 'error',
      timestamp: expect.stringMatching(TIMESTAMP) as unknown,
    });
  } finally {
    await damaged.close();
  }
});

describe('without a database', () => {
  let lost: TestApp;
  let user: Account;
  const lostClock = new ManualClock();
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();

  beforeAll(async () => {
    lost = await bootApp({ adjust: (builder) => builder.overrideProvider(Clock).useValue(lostClock) });
    user = await lost.register();
    await lost.http.get('/api/health').expect(200);
    await loseDatabase(lost.app.get(DataSource));
  });

  afterAll(async () => {
    logged.mockRestore();
    await lost.close();
  });

  it('health tells it, once its last ping is a second old, and nothing else about it', async () => {
    lostClock.advance(1000);
    const { status, body } = await lost.http.get('/api/health');
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        status: 'error',
        timestamp: '2026-01-02T03:04:06.678Z',
        error: '数据库不可用',
        statusCode: 503,
      },
    });
  });

  it('the process is alive all the same', async () => {
    const { body } = await lost.http.get('/api/ext/live').expect(200);
    expect(body).toEqual({ status: 'ok' });
  });

  it('a good token is answered with 503, not 401: nobody knows whether its user exists', async () => {
    for (const path of ['/api/auth/me', '/api/formulas', '/api/ingredients', '/api/projects']) {
      expectError(await user.get(path), 503, '数据库不可用');
    }
  });

  it('no token is still 401', async () => {
    expectError(await lost.http.get('/api/formulas'), 401, UNAUTHORIZED);
  });

  it('registration and login are 503', async () => {
    const credentials = { username: 'somebody', password: 'secret' };
    expectError(await lost.http.post('/api/auth/register').send(credentials), 503, '数据库不可用');
    expectError(await lost.http.post('/api/auth/login').send(credentials), 503, '数据库不可用');
  });

  it('an unknown route is still 404, a bad body still 400', async () => {
    expectError(await lost.http.get('/api/nowhere'), 404, '接口不存在');
    expectError(await lost.http.post('/api/auth/login').send({}), 400, '用户名不能为空');
  });

  it('the log tells it once, with the reason that no answer shows', () => {
    const told = logged.mock.calls.filter((call) => call.includes('The database is out of reach'));
    expect(told).toHaveLength(1);
    expect(told[0]?.[0]).toMatchObject({ err: { message: expect.stringMatching(/./) } });
  });
});

const describeOnServer = TEST_SERVER ? describe : undefined;

describeOnServer?.('on a server', () => {
  let other: TestApp;
  const otherClock = new ManualClock();
  beforeEach(async () => {
    other = await bootApp({
      settings: { DATABASE_POOL_SIZE: '1' },
      adjust: (builder) => builder.overrideProvider(Clock).useValue(otherClock),
    });
  });
  afterEach(() => other.close());

  it('that has become read-only is none to work with', async () => {
    await other.http.get('/api/health').expect(200);
    const [row] = await other.app
      .get(DataSource)
      .query<{ name: string }[]>('SELECT current_database() AS name');
    await onServer(
      TEST_SERVER!,
      `ALTER DATABASE ${row!.name} SET default_transaction_read_only = on`,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${row!.name}'`,
    );
    // The first may meet the connection that was ended, those after it a new one.
    for (let check = 0; check < 3; check += 1) {
      otherClock.advance(1000);
      await other.http.get('/api/health').expect(503);
    }
  });

  it('whose connections are all in use answers by its reserved ones, before one is free', async () => {
    const order: string[] = [];
    const holding = other.app
      .get(DataSource)
      .query('SELECT pg_sleep(6)')
      .then(() => order.push('free'));
    otherClock.advance(1000);
    await other.http.get('/api/health').expect(200);
    order.push('told');
    await holding;
    expect(order).toEqual(['told', 'free']);
  });
});
