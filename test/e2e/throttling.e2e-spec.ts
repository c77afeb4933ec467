import { createSecretKey } from 'node:crypto';
import { Controller, Get, Module, type Type } from '@nestjs/common';
import { SkipThrottle, Throttle } from '@nestjs/throttler';
import jwt from 'jsonwebtoken';
import { DataSource } from 'typeorm';
import { AppModule, Public } from '../../src';
import { Clock } from '../../src/platform/common/clock';
import { SigningSecret } from '../../src/platform/config/signing-secret';
import { expectError, UNAUTHORIZED } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { ManualClock } from '../support/clock';

const TOO_MANY = '请求过于频繁,请稍后再试';
const MINUTE = 60_000;

let service: TestApp;
let clock: ManualClock;
let user: Account;
let other: Account;

const health = () => service.http.get('/api/health');
const headersOf = ({ headers }: { headers: Record<string, string> }) => ({
  limit: headers['x-ratelimit-limit'],
  remaining: headers['x-ratelimit-remaining'],
  reset: headers['x-ratelimit-reset'],
  retryAfter: headers['retry-after'],
});

async function boot(settings: Record<string, string>): Promise<TestApp> {
  clock = new ManualClock();
  return bootApp({ settings, adjust: (builder) => builder.overrideProvider(Clock).useValue(clock) });
}

/** Sends requests one after the other, and says how many were admitted before the first 429. */
async function admitted(send: () => PromiseLike<{ status: number }>, most: number): Promise<number> {
  for (let count = 0; count < most; count++) if ((await send()).status === 429) return count;
  return most;
}

describe('the default', () => {
  beforeAll(async () => {
    service = await boot({ THROTTLE_LIMIT: '', THROTTLE_TTL: '' });
  });

  afterAll(() => service.close());

  it('is 100 requests a minute', async () => {
    const first = await health().expect(200);
    expect(headersOf(first)).toEqual({
      limit: '100',
      remaining: '99',
      reset: '60',
      retryAfter: undefined,
    });
    clock.advance(MINUTE - 1);
    expect(await admitted(health, 200)).toBe(99);
    clock.advance(1);
    await health().expect(200);
  });

  it('admits exactly 100 of a user who asks for health and for themselves in turn', async () => {
    const account = await service.register();
    clock.advance(MINUTE);
    let n = 0;
    const inTurn = () => account.get(n++ % 2 === 0 ? '/api/health' : '/api/auth/me');
    expect(await admitted(inTurn, 130)).toBe(100);
    for (const path of ['/api/health', '/api/auth/me']) expectError(await account.get(path), 429, TOO_MANY);
  });
});

describe('a limit of five', () => {
  beforeAll(async () => {
    service = await boot({ THROTTLE_LIMIT: '5', THROTTLE_TTL: '60', TRUST_PROXY: '1' });
    user = await service.register();
    other = await service.register();
  });

  afterAll(() => service.close());

  // Every test starts with windows that are over.
  beforeEach(() => clock.advance(10 * MINUTE));

  it('refuses with the time to come back, and tells how it stands all along', async () => {
    expect(headersOf(await health())).toMatchObject({ limit: '5', remaining: '4', reset: '60' });
    clock.advance(20_500);
    expect(headersOf(await health())).toMatchObject({ remaining: '3', reset: '40' });
    await admitted(health, 3);
    const refused = await health();
    expectError(refused, 429, TOO_MANY);
    expect(headersOf(refused)).toEqual({ limit: '5', remaining: '0', reset: '40', retryAfter: '40' });
  });

  it('counts from the client’s first request, and refused requests do not prolong the window', async () => {
    await admitted(health, 5);
    for (let second = 0; second < 59; second++) {
      clock.advance(1000);
      expect((await health()).status).toBe(429);
    }
    clock.advance(999);
    const last = await health();
    expect(headersOf(last)).toMatchObject({ retryAfter: '1' });
    clock.advance(1);
    await health().expect(200);
  });

  it('is one bucket over all endpoints, health, 400s, 401s and unknown routes included', async () => {
    expect((await health()).status).toBe(200);
    expect((await service.http.get('/api/auth/me')).status).toBe(401);
    expect((await service.http.get('/api/nowhere')).status).toBe(404);
    expect((await service.http.post('/api/auth/login').type('json').send('{')).status).toBe(400);
    expect((await service.http.get('/elsewhere')).status).toBe(404);
    for (const path of ['/api/health', '/api/auth/me', '/api/nowhere', '/', '/api/ingredients/%E0%A4%A']) {
      expectError(await service.http.get(path), 429, TOO_MANY);
    }
    expectError(await service.http.post('/api/auth/login').type('json').send('{'), 429, TOO_MANY);
  });

  it.each(['/api/docs', '/api/docs-json', '/api/docs/swagger-ui.css', '/api/docs/nothing'])(
    '%s counts as every route, once',
    async (path) => {
      const get = () => service.http.get(path);
      expect(headersOf(await get())).toMatchObject({ limit: '5', remaining: '4' });
      await health().expect(200);
      expect(await admitted(get, 10)).toBe(3);
      expectError(await get(), 429, TOO_MANY);
      expectError(await health(), 429, TOO_MANY);
      // With a token it is its user's.
      expect((await user.get(path)).status).not.toBe(429);
      expect(headersOf(await user.get('/api/health'))).toMatchObject({ remaining: '3' });
    },
  );

  it('a body that is too large, no JSON or broken counts', async () => {
    const send = () => service.http.post('/api/auth/login').type('text').send('x');
    expect((await send()).status).toBe(415);
    expect(await admitted(send, 10)).toBe(4);
  });

  it('is per user, wherever the user comes from', async () => {
    const me = (account: Account, address: string) =>
      account.get('/api/auth/me').set('X-Forwarded-For', address);
    for (const address of ['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4', '10.0.0.5']) {
      expect((await me(user, address)).status).toBe(200);
    }
    expectError(await me(user, '10.0.0.6'), 429, TOO_MANY);
    expect((await me(other, '10.0.0.1')).status).toBe(200);
    await service.http.get('/api/health').set('X-Forwarded-For', '10.0.0.1').expect(200);
  });

  it('a user has one bucket for all tokens, expired ones too', async () => {
    const key = createSecretKey(Buffer.from(service.app.get(SigningSecret).value));
    const expired = jwt.sign({ sub: user.id }, key, { expiresIn: '-1h' });
    const fresh = jwt.sign({ sub: user.id }, key, { expiresIn: '1h' });
    const me = (token: string) => service.http.get('/api/auth/me').set('Authorization', `Bearer ${token}`);
    expect((await me(fresh)).status).toBe(200);
    expectError(await me(expired), 401, UNAUTHORIZED);
    expect(await admitted(() => user.get('/api/auth/me'), 10)).toBe(3);
    expectError(await me(expired), 429, TOO_MANY);
    await health().expect(200);
  });

  const login = (account?: Account) => {
    const request = service.http.post('/api/auth/login').send({ username: 'nobody', password: 'x' });
    return account ? request.set('Authorization', `Bearer ${account.token}`) : request;
  };

  it('with a token public routes count for its user, too', async () => {
    await user.get('/api/health').expect(200);
    await user.get('/api/auth/me').expect(200);
    await user.get('/api/health').expect(200);
    const registration = { username: `new-${Date.now()}`, password: 'secret' };
    await user.post('/api/auth/register', registration).expect(201);
    expect((await login(user)).status).toBe(401);
    for (const refused of [user.get('/api/health'), user.get('/api/auth/me'), login(user)]) {
      expectError(await refused, 429, TOO_MANY);
    }
    await health().expect(200);
    await other.get('/api/health').expect(200);
  });

  it('health with a token does not count for the address', async () => {
    expect(await admitted(() => user.get('/api/health'), 10)).toBe(5);
    expect(await admitted(() => other.get('/api/health'), 10)).toBe(5);
    expect(await admitted(health, 10)).toBe(5);
  });

  it('registrations and logins count for the address, whatever token is sent with them', async () => {
    for (const account of [user, other, undefined, user]) expect((await login(account)).status).toBe(401);
    await other.post('/api/auth/register', { username: 'x', password: '' }).expect(400);
    for (const account of [user, other, undefined]) expectError(await login(account), 429, TOO_MANY);
    expectError(await user.post('/api/auth/register', {}), 429, TOO_MANY);
    expectError(await health(), 429, TOO_MANY);
    // What was refused for the address has been counted for its user.
    expect(headersOf(await user.get('/api/auth/me').expect(200))).toMatchObject({ remaining: '0' });
    expectError(await user.get('/api/health'), 429, TOO_MANY);
    await other.get('/api/health').expect(200);
  });

  it('what the guard takes for a token, the limit does too', async () => {
    const get = (authorization: string) =>
      service.http.get('/api/auth/me').set('Authorization', authorization).expect(200);
    const spellings = ['Bearer ', 'bearer ', 'Bearer  ', 'BEARER \t', 'Bearer   '];
    for (const scheme of spellings) await get(`${scheme}${user.token}`);
    expectError(await user.get('/api/auth/me'), 429, TOO_MANY);
    await health().expect(200);
  });

  it('invented tokens do not escape the limit: they count for the address', async () => {
    const key = createSecretKey(Buffer.from('another secret'));
    let n = 0;
    const invented = () => {
      const token = jwt.sign({ sub: `00000000-0000-4000-8000-${String(n++).padStart(12, '0')}` }, key);
      return service.http.get('/api/auth/me').set('Authorization', `Bearer ${token}`);
    };
    expect(await admitted(invented, 10)).toBe(5);
    expectError(await health(), 429, TOO_MANY);
  });

  it('429 comes before 401 and 400', async () => {
    await admitted(health, 5);
    expectError(await service.http.get('/api/formulas?limit=0'), 429, TOO_MANY);
    await admitted(() => user.get('/api/auth/me'), 5);
    expectError(await user.post('/api/projects', {}), 429, TOO_MANY);
  });

  it('is per address for those without a token', async () => {
    const from = (address: string) => health().set('X-Forwarded-For', address);
    await admitted(() => from('10.1.0.1'), 5);
    expectError(await from('10.1.0.1'), 429, TOO_MANY);
    expect((await from('10.1.0.2')).status).toBe(200);
    // Through one trusted proxy: what stands further left was written by the client.
    expectError(await from('10.9.9.9, 10.1.0.1'), 429, TOO_MANY);
  });

  it('what is no address counts as the socket’s', async () => {
    const from = (address: string) => health().set('X-Forwarded-For', address);
    const invented = ['unknown', '10.1.0.1:80', 'x'.repeat(2000), '[2001:db8::1]', '1.2.3'];
    for (const address of invented) expect((await from(address)).status).toBe(200);
    expectError(await from('another'), 429, TOO_MANY);
    expectError(await health(), 429, TOO_MANY);
  });

  it('takes an IPv6 network of 64 bits as one address', async () => {
    const from = (address: string) => health().set('X-Forwarded-For', address);
    for (const tail of ['1', '2', '3:4', 'ffff', 'a:b:c']) {
      expect((await from(`2001:db8:0:1::${tail}`)).status).toBe(200);
    }
    expectError(await from('2001:db8:0:1:9::'), 429, TOO_MANY);
    expect((await from('2001:db8:0:2::1')).status).toBe(200);
  });

  it('an address has a ceiling of ten times that, over all its users', async () => {
    const from = async (account: Account) => account.get('/api/auth/me').set('X-Forwarded-For', '10.2.0.1');
    const key = createSecretKey(Buffer.from(service.app.get(SigningSecret).value));
    let status = 200;
    let count = 0;
    for (let user = 0; user < 20 && status !== 429; user++) {
      const token = jwt.sign({ sub: `00000000-0000-4000-8000-00000000000${user}` }, key);
      for (let n = 0; n < 5; n++) {
        const answer = await service.http
          .get('/api/auth/me')
          .set('X-Forwarded-For', '10.2.0.1')
          .set('Authorization', `Bearer ${token}`);
        status = answer.status;
        if (status === 429) break;
        count++;
      }
    }
    expect(count).toBe(50);
    const refused = await from(user);
    expectError(refused, 429, TOO_MANY);
    expect(headersOf(refused)).toEqual({ limit: '50', remaining: '0', reset: '60', retryAfter: '60' });
    await user.get('/api/auth/me').set('X-Forwarded-For', '10.2.0.2').expect(200);
  });

  it('what is refused to one user does not use up what the others of the address share', async () => {
    await admitted(() => user.get('/api/auth/me'), 5);
    for (let n = 0; n < 60; n++) await user.get('/api/auth/me').expect(429);
    await other.get('/api/auth/me').expect(200);
  });

  it('survives a clock that is set back', async () => {
    await admitted(health, 5);
    clock.advance(-60 * MINUTE);
    await health().expect(200);
  });

  it('without TRUST_PROXY the header counts for nothing', async () => {
    const direct = await bootApp({ settings: { THROTTLE_LIMIT: '2' } });
    const from = (address: string) => direct.http.get('/api/health').set('X-Forwarded-For', address);
    expect((await from('10.0.0.1')).status).toBe(200);
    expect((await from('10.0.0.2')).status).toBe(200);
    expectError(await from('10.0.0.3'), 429, TOO_MANY);
    await direct.close();
  });

  it('a refused request reaches no handler', async () => {
    await admitted(() => user.get('/api/auth/me'), 5);
    expectError(await user.post('/api/projects', { name: '不该有' }), 429, TOO_MANY);
    const rows = await service.app.get(DataSource).query(`SELECT FROM projects WHERE name = '不该有'`);
    expect(rows).toHaveLength(0);
  });
});

@Controller('ext/limits')
class LimitsController {
  @Get('few')
  @Throttle({ default: { limit: 2, ttl: 1000 } })
  few() {
    return { data: {} };
  }

  @Get('many')
  @Throttle({ default: { limit: 9, ttl: 120_000 } })
  many() {
    return { data: {} };
  }

  // As the global limit: a bucket of its own all the same.
  @Get('as-many')
  @Throttle({ default: { limit: 5, ttl: 60_000 } })
  asMany() {
    return { data: {} };
  }

  @Public()
  @Get('blocked')
  @Throttle({ default: { limit: 1, ttl: 1000, blockDuration: 300_000 } })
  blocked() {
    return { data: {} };
  }

  @Get('by-plant')
  @Throttle({
    default: { limit: 1, ttl: 1000, getTracker: ({ query }) => String((query as { plant: string }).plant) },
  })
  byPlant() {
    return { data: {} };
  }

  @Get('free')
  @SkipThrottle()
  free() {
    return { data: {} };
  }
}

@Controller('ext/counted')
@Throttle({ default: { limit: 3, ttl: 60_000 } })
class CountedController {
  @Get('a')
  a() {
    return { data: {} };
  }

  @Get('b')
  b() {
    return { data: {} };
  }
}

/** Of the same name as another module's. */
const namesake = (): Type => {
  @Controller('ext/namesake')
  @Throttle({ default: { limit: 3, ttl: 60_000 } })
  class CountedController {
    @Get()
    a() {
      return { data: {} };
    }
  }
  return CountedController;
};

@Module({ controllers: [LimitsController, CountedController, namesake()] })
class RegulationsModule {}

describe('routes with limits of their own', () => {
  beforeAll(async () => {
    clock = new ManualClock();
    service = await bootApp({
      settings: { THROTTLE_LIMIT: '5', THROTTLE_TTL: '60', TRUST_PROXY: '1' },
      module: { imports: [AppModule.register({ extensions: [RegulationsModule] })] },
      adjust: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });
    user = await service.register();
    other = await service.register();
  });

  afterAll(() => service.close());

  beforeEach(() => clock.advance(10 * MINUTE));

  const few = (account = user) => account.get('/api/ext/limits/few');
  const many = () => user.get('/api/ext/limits/many');
  const me = () => user.get('/api/auth/me');

  it('count by themselves: neither is what they refuse refused elsewhere, nor the other way round', async () => {
    const first = await few().expect(200);
    expect(headersOf(first)).toEqual({ limit: '2', remaining: '1', reset: '1', retryAfter: undefined });
    expect(await admitted(() => few(), 5)).toBe(1);
    expect(await admitted(many, 20)).toBe(9);
    expect(await admitted(me, 20)).toBe(5);
    await user.get('/api/ext/limits/as-many').expect(200);
    clock.advance(1000);
    await few().expect(200);
    expectError(await me(), 429, TOO_MANY);
    clock.advance(MINUTE);
    await me().expect(200);
    expectError(await many(), 429, TOO_MANY);
    clock.advance(MINUTE);
    await many().expect(200);
  });

  it('end nobody’s window early, however short theirs is', async () => {
    expect(await admitted(me, 20)).toBe(5);
    for (let second = 0; second < 5; second++) {
      await few().expect(200);
      clock.advance(1000);
    }
    expectError(await me(), 429, TOO_MANY);
  });

  it('count each client, and each address ten times that', async () => {
    expect(await admitted(() => few(), 5)).toBe(2);
    await few(other).expect(200);
    await admitted(() => few(other), 5);
    const key = createSecretKey(Buffer.from(service.app.get(SigningSecret).value));
    const stranger = (number: number) => {
      const token = jwt.sign({ sub: `00000000-0000-4000-8000-0000000000${number}` }, key);
      return service.http.get('/api/ext/limits/few').set('Authorization', `Bearer ${token}`);
    };
    // 16 of the 20 are left.
    for (let number = 10; number < 26; number++) expect((await stranger(number)).status).toBe(401);
    const refused = await stranger(26);
    expectError(refused, 429, TOO_MANY);
    expect(headersOf(refused)).toMatchObject({ limit: '20' });
    await me().expect(200);
  });

  it('block for as long as they say', async () => {
    const blocked = () => service.http.get('/api/ext/limits/blocked');
    await blocked().expect(200);
    expect(headersOf(await blocked().expect(429))).toMatchObject({ retryAfter: '300' });
    clock.advance(299_000);
    await blocked().expect(429);
    clock.advance(1000);
    await blocked().expect(200);
  });

  it('count by what they say', async () => {
    const of = (plant: string, account = user) => account.get(`/api/ext/limits/by-plant?plant=${plant}`);
    await of('a').expect(200);
    await of('b').expect(200);
    await of('a', other).expect(429);
  });

  it('of a controller count for each of its routes', async () => {
    expect(await admitted(() => user.get('/api/ext/counted/a'), 9)).toBe(3);
    expect(await admitted(() => user.get('/api/ext/counted/b'), 9)).toBe(3);
    expect(await admitted(() => user.get('/api/ext/namesake'), 9)).toBe(3);
  });

  it('may be none', async () => {
    expect(await admitted(() => user.get('/api/ext/limits/free'), 30)).toBe(30);
    await me().expect(200);
  });
});
