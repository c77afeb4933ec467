import {
  type BeforeApplicationShutdown,
  Controller,
  Get,
  Injectable,
  Logger,
  Module,
  Req,
} from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import passport, { Strategy, type StrategyCreated, type StrategyCreatedStatic } from 'passport';
import { DataSource } from 'typeorm';
import { JwtStrategy } from '../../src/users/jwt.strategy';
import { UsersRepository } from '../../src/users/users.repository';
import { AppModule, AUTH_STRATEGIES, Public, TOKEN_STRATEGY, UnavailableError } from '../../src/index';
import { expectError, UNAUTHORIZED } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';

/*
 * passport's register of strategies is the process's: several applications in one process, and strategies
 * that somebody else has put there.
 */

const me = (service: TestApp, token: string) =>
  service.http.get('/api/auth/me').set('Authorization', `Bearer ${token}`);

describe('two applications in one process', () => {
  let first: TestApp;
  let second: TestApp;
  let ofFirst: Account;
  let ofSecond: Account;

  beforeAll(async () => {
    first = await bootApp({ settings: { JWT_SECRET: 'the secret of the first' } });
    second = await bootApp({ settings: { JWT_SECRET: 'the secret of the second' } });
    ofFirst = await first.register('lin');
    ofSecond = await second.register('lin');
  });

  afterAll(async () => {
    await second.close();
    await first.close();
  });

  it.each(['the first, then the second', 'the second, then the first'])(
    '%s: each knows its own users and nobody else',
    async (order) => {
      const pairs = [
        { service: first, own: ofFirst, foreign: ofSecond },
        { service: second, own: ofSecond, foreign: ofFirst },
      ];
      if (order.startsWith('the second')) pairs.reverse();
      for (const { service, own, foreign } of pairs) {
        const { body } = await me(service, own.token).expect(200);
        expect(body.data.id).toBe(own.id);
        expectError(await me(service, foreign.token), 401, UNAUTHORIZED);
      }
    },
  );

  it('at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => [
        me(first, ofFirst.token),
        me(second, ofSecond.token),
        me(first, ofSecond.token),
        me(second, ofFirst.token),
      ]).flat(),
    );
    expect(answers.map(({ status }) => status)).toEqual(
      Array.from({ length: 10 }, () => [200, 200, 401, 401]).flat(),
    );
  });

  it('with one secret and users of their own', async () => {
    const third = await bootApp({ settings: { JWT_SECRET: 'the secret of the first' } });
    try {
      const ofThird = await third.register('wang');
      await me(third, ofThird.token).expect(200);
      expectError(await me(third, ofFirst.token), 401, UNAUTHORIZED);
      expectError(await me(first, ofThird.token), 401, UNAUTHORIZED);
    } finally {
      await third.close();
    }
    await me(first, ofFirst.token).expect(200);
    await me(second, ofSecond.token).expect(200);
  });
});

describe('an application that stops', () => {
  const registered = () => Object.keys((passport as unknown as { _strategies: object })._strategies);

  it('checks tokens to its last request, and leaves nothing in the register', async () => {
    let last: number | undefined;

    @Module({})
    class LastRequestModule implements BeforeApplicationShutdown {
      async beforeApplicationShutdown(): Promise<void> {
        last = (await user.get('/api/auth/me')).status;
      }
    }

    const service = await bootApp({
      module: { imports: [AppModule.register({ extensions: [LastRequestModule] })] },
    });
    const user = await service.register();
    const { name } = service.app.get(JwtStrategy);
    expect(registered()).toContain(name);
    await service.close();
    expect(last).toBe(200);
    expect(registered()).not.toContain(name);
  });
});

/** A strategy as somebody else writes it: laboratory instruments send a key instead of a token. */
class KeyStrategy extends Strategy {
  constructor(readonly verify: (key: string, done: (error: unknown, user?: object | null) => void) => void) {
    super();
  }

  override authenticate(
    this: StrategyCreated<this, this & StrategyCreatedStatic>,
    { headers: { 'x-laboratory-key': key } }: Request,
  ): void {
    if (typeof key !== 'string') return this.fail('Key');
    if (key === 'undecided') return this.pass();
    this.verify(key, (error, user) => {
      if (error) this.error(error);
      else if (user) this.success(user);
      else this.fail('Key');
    });
  }
}

const INSTRUMENT = { id: '00000000-0000-4000-8000-00000000000a', username: 'scale-1', role: 'engineer' };
const asked: string[] = [];

@Injectable()
class LaboratoryKey extends PassportStrategy(KeyStrategy, 'laboratory-key') {
  validate(key: string) {
    asked.push(key);
    if (key === 'away') throw new UnavailableError('仪器目录不可用');
    return key === 'good' ? INSTRUMENT : null;
  }
}

@Controller('ext/request')
class RequestController {
  @Get()
  signedIn(@Req() request: Request) {
    return {
      user: request.user,
      hasSession: 'session' in request,
      hasAuthInfo: (request as { authInfo?: unknown }).authInfo !== undefined,
    };
  }

  @Public()
  @Get('public')
  open(@Req() request: Request) {
    return { touched: ['user', 'session', 'authInfo', 'logIn'].filter((name) => name in request) };
  }
}

@Module({ controllers: [RequestController], providers: [LaboratoryKey] })
class InstrumentsModule {}

async function bootWith(strategies?: readonly string[]): Promise<{ service: TestApp; user: Account }> {
  const providers = strategies ? [{ provide: AUTH_STRATEGIES, useValue: strategies }] : [];
  const service = await bootApp({
    module: { imports: [AppModule.register({ extensions: [InstrumentsModule], providers })] },
  });
  await service.app
    .get(DataSource)
    .query(`INSERT INTO users (id, username, password_hash, role) VALUES ($1, $2, '', $3)`, [
      INSTRUMENT.id,
      INSTRUMENT.username,
      INSTRUMENT.role,
    ]);
  return { service, user: await service.register() };
}

describe('a strategy under a name of its own', () => {
  let service: TestApp;
  let user: Account;
  const withKey = (key: string) => service.http.get('/api/auth/me').set('X-Laboratory-Key', key);

  beforeEach(() => asked.splice(0));

  describe('after ours', () => {
    beforeAll(async () => ({ service, user } = await bootWith([TOKEN_STRATEGY, 'laboratory-key'])));
    afterAll(() => service.close());

    it('admits who has no token', async () => {
      const { body } = await withKey('good').expect(200);
      expect(body).toEqual({ data: INSTRUMENT });
    });

    it('is not asked when the token is good', async () => {
      const { body } = await withKey('good').set('Authorization', `Bearer ${user.token}`).expect(200);
      expect(body.data.id).toBe(user.id);
      expect(asked).toEqual([]);
    });

    it.each([
      ['neither', undefined, undefined],
      ['a bad key', 'bad', undefined],
      ['a bad token and a bad key', 'bad', 'Bearer nonsense'],
      ['a strategy that passes without a decision', 'undecided', undefined],
    ])('%s: our 401', async (_, key, authorization) => {
      const request = service.http.get('/api/auth/me');
      if (key) request.set('X-Laboratory-Key', key);
      if (authorization) request.set('Authorization', authorization);
      const answer = await request;
      expectError(answer, 401, UNAUTHORIZED);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    });

    it('its failure is told as what it is', async () => {
      expectError(await withKey('away'), 503, '仪器目录不可用');
    });

    it('public routes ask nobody', async () => {
      const { body } = await service.http
        .get('/api/ext/request/public')
        .set('X-Laboratory-Key', 'good')
        .set('Authorization', `Bearer ${user.token}`)
        .expect(200);
      expect(body).toEqual({ touched: [] });
      expect(asked).toEqual([]);
    });
  });

  describe('before ours', () => {
    beforeAll(async () => ({ service, user } = await bootWith(['laboratory-key', TOKEN_STRATEGY])));
    afterAll(() => service.close());

    it('is asked first, and a token still does where it does not', async () => {
      const both = (key: string) => withKey(key).set('Authorization', `Bearer ${user.token}`);
      expect((await both('good').expect(200)).body.data.id).toBe(INSTRUMENT.id);
      expect((await both('bad').expect(200)).body.data.id).toBe(user.id);
      expect(asked).toEqual(['good', 'bad']);
    });
  });

  describe('that nobody names', () => {
    beforeAll(async () => ({ service, user } = await bootWith()));
    afterAll(() => service.close());

    it('admits nobody', async () => {
      expectError(await withKey('good'), 401, UNAUTHORIZED);
      await me(service, user.token).expect(200);
      expect(asked).toEqual([]);
    });

    it('a request has its user, and nothing of a session', async () => {
      const { body } = await user.get('/api/ext/request').expect(200);
      expect(body).toEqual({
        user: { id: user.id, username: user.username, role: 'engineer' },
        hasSession: false,
        hasAuthInfo: false,
      });
    });

    it.each([
      ['out of reach: 503', new UnavailableError('数据库不可用'), 503, '数据库不可用'],
      ['broken: 500', new Error('a fault'), 500, '服务器内部错误'],
    ])('the database is %s, not 401', async (_, error, status, text) => {
      const find = jest.spyOn(service.app.get(UsersRepository), 'findCurrent').mockRejectedValue(error);
      const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
      const answer = await me(service, user.token);
      find.mockRestore();
      log.mockRestore();
      expectError(answer, status, text);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    });
  });
});
