import { Injectable, Logger, Module } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import type { Request } from 'express';
import { Strategy, type StrategyCreated, type StrategyCreatedStatic } from 'passport';
import { DataSource } from 'typeorm';
import { OtherStrategies, StrategyTimeout } from '../../src/users/other-strategies';
import { NO_PASSWORD } from '../../src/users/password-hasher';
import {
  AccountsService,
  AppModule,
  AUTH_STRATEGIES,
  AuthModule,
  ConflictError,
  EXTRA_ROLES,
  InvalidInputError,
  TOKEN_STRATEGY,
  TransactionManager,
  UnauthorizedError,
} from '../../src/index';
import { expectError, FORBIDDEN, UNAUTHORIZED } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';

/* API keys of an extension: who sends one is an account of ours, which the extension provisions. */

class HeaderKeyStrategy extends Strategy {
  constructor(readonly verify: (key: string, done: (error: unknown, user?: object | null) => void) => void) {
    super();
  }

  override authenticate(
    this: StrategyCreated<this, this & StrategyCreatedStatic>,
    { headers: { 'x-api-key': key } }: Request,
  ): void {
    if (typeof key !== 'string') return this.fail('Key');
    this.verify(key, (error, user) => {
      if (error) this.error(error);
      else if (user) this.success(user);
      else this.fail('Key');
    });
  }
}

/** `key of NAME` is the key of an account of that name. */
@Injectable()
class ApiKeys extends PassportStrategy(HeaderKeyStrategy, 'api-key') {
  constructor(private readonly accounts: AccountsService) {
    super();
  }

  async validate(key: string) {
    const [, username] = /^key of (.+)$/.exec(key) ?? [];
    return username ? await this.accounts.provision({ username, role: 'robot' }) : null;
  }
}

const LIAR_ID = '00000000-0000-4000-8000-0000000000ff';
const lies: Record<string, unknown> = {
  empty: {},
  unknown: { id: LIAR_ID, username: 'liar', role: 'admin' },
  true: true,
};

/** Does what the header says; an asynchronous one, as many are. */
class OddStrategy extends Strategy {
  override async authenticate(
    this: StrategyCreated<this, this & StrategyCreatedStatic>,
    { headers: { 'x-odd': odd } }: Request,
  ): Promise<void> {
    if (typeof odd !== 'string') return this.fail('Odd');
    await Promise.resolve();
    if (odd === 'hang') return new Promise(() => undefined);
    if (odd === 'throw') throw new Error('the directory of odd things is away');
    if (odd === 'pass') return this.pass();
    this.success(lies[odd] ?? JSON.parse(odd));
  }
}

@Injectable()
class Odd extends PassportStrategy(OddStrategy, 'odd') {
  validate() {
    return undefined;
  }
}

@Module({
  imports: [AuthModule],
  providers: [ApiKeys, Odd, { provide: EXTRA_ROLES, useValue: ['robot'] }],
})
class KeysModule {}

const boot = (strategies: unknown, settings: Record<string, string> = {}) =>
  bootApp({
    settings,
    module: {
      imports: [
        AppModule.register({
          extensions: [KeysModule],
          providers: [{ provide: AUTH_STRATEGIES, useValue: strategies }],
        }),
      ],
    },
  });

const meBy = (service: TestApp, headers: Record<string, string>) =>
  service.http.get('/api/auth/me').set(headers);

describe('A strategy of an extension', () => {
  let service: TestApp;
  let user: Account;
  let logged: jest.SpyInstance;
  const rows = (username: string) =>
    service.app
      .get(DataSource)
      .query<{ role: string; password_hash: string }[]>(
        'SELECT role, password_hash FROM users WHERE username = $1',
        [username],
      );
  const login = (username: string, password: string) =>
    service.http.post('/api/auth/login').send({ username, password });

  beforeAll(async () => {
    service = await boot(['api-key', 'odd', TOKEN_STRATEGY]);
    user = await service.register();
  });
  afterAll(() => service.close());
  beforeEach(() => {
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  });
  afterEach(() => logged.mockRestore());

  it('admits who has a key, as an account that is there from the first request on', async () => {
    const first = await meBy(service, { 'X-Api-Key': 'key of scale-1' }).expect(200);
    expect(first.body.data).toMatchObject({ username: 'scale-1', role: 'robot' });
    const again = await meBy(service, { 'X-Api-Key': 'key of scale-1' }).expect(200);
    expect(again.body).toEqual(first.body);
    const made = await service.http
      .post('/api/projects')
      .set('X-Api-Key', 'key of scale-1')
      .send({ name: '夏季' })
      .expect(201);
    expect(made.body.data.createdBy).toBe(first.body.data.id);
    expectError(
      await service.http.put('/api/config').set('X-Api-Key', 'key of scale-1').send({ aiMock: 'true' }),
      403,
      FORBIDDEN,
    );
  });

  it('of which many ask at once for a new account gets one', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => meBy(service, { 'X-Api-Key': 'key of scale-many' })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await rows('scale-many')).toHaveLength(1);
  });

  it('is tried in its place: a key before a token, a token where there is no key or a wrong one', async () => {
    const token = { Authorization: `Bearer ${user.token}` };
    const names = async (headers: Record<string, string>) =>
      (await meBy(service, headers).expect(200)).body.data.username;
    expect(await names({ ...token, 'X-Api-Key': 'key of scale-2' })).toBe('scale-2');
    expect(await names({ ...token, 'X-Api-Key': 'no key' })).toBe(user.username);
    expect(await names({ ...token, 'X-Odd': 'pass' })).toBe(user.username);
    expect(await names(token)).toBe(user.username);
    expectError(await meBy(service, { 'X-Api-Key': 'no key' }), 401, UNAUTHORIZED);
    expectError(await meBy(service, {}), 401, UNAUTHORIZED);
  });

  it.each([
    ['empty', 'no user of ours (id, username, role)'],
    ['true', 'no user of ours (id, username, role)'],
    ['unknown', 'a user without an active account'],
  ])('that gives what is no account (%s) admits nobody, and the log names it', async (lie, told) => {
    const headers = { 'X-Odd': lie, Authorization: `Bearer ${user.token}` };
    expectError(await meBy(service, headers), 401, UNAUTHORIZED);
    expect(logged.mock.calls).toEqual([[`The strategy "odd" gave ${told}`]]);
  });

  it('gives no more than the account has, and nothing when that is disabled', async () => {
    const lin = await service.register();
    const claim = { 'X-Odd': JSON.stringify({ id: lin.id, username: 'root', role: 'admin' }) };
    const { body } = await meBy(service, claim).expect(200);
    expect(body.data).toEqual({ id: lin.id, username: lin.username, role: 'engineer' });
    await service.app.get(AccountsService).disable(lin.username);
    expectError(await meBy(service, claim), 401, UNAUTHORIZED);
  });

  it('that never answers is 503 when its time is up, and the log names it', async () => {
    const patience = service.app.get(StrategyTimeout);
    expect(patience.ms).toBe(10_000);
    Object.assign(patience, { ms: 20 });
    const answer = await meBy(service, { 'X-Odd': 'hang' });
    Object.assign(patience, { ms: 10_000 });
    expectError(answer, 503, '服务繁忙,请稍后再试');
    expect(answer.headers['retry-after']).toBe('2');
    expect(logged.mock.calls).toContainEqual(['The strategy "odd" has not answered within 20 ms']);
  });

  it('that rejects is 503, and the log names it and why', async () => {
    const answer = await meBy(service, { 'X-Odd': 'throw' });
    expectError(answer, 503, '服务繁忙,请稍后再试');
    expect(answer.headers['retry-after']).toBe('2');
    expect(logged.mock.calls).toEqual([
      [
        { err: expect.objectContaining({ message: 'the directory of odd things is away' }) },
        'The strategy "odd" has failed',
      ],
    ]);
  });

  it('is not waited for by who has gone', async () => {
    const asked = jest.spyOn(service.app.get(OtherStrategies), 'authenticate');
    const request = meBy(service, { 'X-Odd': 'hang' });
    const outcome = request.then(
      () => 'answered',
      () => 'gone',
    );
    while (asked.mock.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    request.abort();
    await expect(asked.mock.results[1]!.value).rejects.toMatchObject({ status: 503 });
    expect(await Promise.race([outcome, Promise.resolve('gone')])).toBe('gone');
    asked.mockRestore();
  });

  describe('provisions accounts', () => {
    const provision = (given: Parameters<AccountsService['provision']>[0]) =>
      service.app.get(AccountsService).provision(given);

    it('that have no password: none lets in, until one is set', async () => {
      await provision({ username: 'scale-3' });
      const hash = (await rows('scale-3'))[0]!.password_hash;
      expect(hash).toBe(NO_PASSWORD);
      for (const password of ['secret', '\0', hash, '00', ' ']) {
        const answer = await login('scale-3', password);
        expect([400, 401]).toContain(answer.status);
      }
      const accounts = service.app.get(AccountsService);
      expect(await accounts.setPassword('scale-3', 'a new one')).toMatchObject({ changed: true });
      await login('scale-3', 'a new one').expect(200);
      await expect(provision({ username: 'scale-3' })).rejects.toEqual(new ConflictError('用户名已存在'));
    });

    it('of one name once, keeping the role that they have', async () => {
      const [first, second] = await Promise.all([
        provision({ username: ' scale-4 ', role: 'robot' }),
        provision({ username: 'scale-4', role: 'robot' }),
      ]);
      expect(second).toEqual(first);
      expect(first).toMatchObject({ username: 'scale-4', role: 'robot' });
      expect(await provision({ username: 'scale-4', role: 'admin' })).toEqual(first);
      expect(await provision({ username: 'scale-5' })).toMatchObject({ role: 'engineer' });
    });

    it('inside a transaction, with it', async () => {
      const accounts = service.app.get(AccountsService);
      const failed = service.app.get(TransactionManager).run(async () => {
        await accounts.provision({ username: 'scale-6' });
        throw new Error('undone');
      });
      await expect(failed).rejects.toThrow('undone');
      expect(await rows('scale-6')).toEqual([]);
    });

    it('never takes one with a password, unless that is asked for; it goes on letting in', async () => {
      const taken = new ConflictError('用户名已存在');
      await expect(provision({ username: user.username })).rejects.toEqual(taken);
      expectError(await meBy(service, { 'X-Api-Key': `key of ${user.username}` }), 409, '用户名已存在');
      expect(await provision({ username: user.username, linkExisting: true })).toEqual({
        id: user.id,
        username: user.username,
        role: 'engineer',
      });
      await login(user.username, 'secret').expect(200);
    });

    it('never takes one whose name only looks the same', async () => {
      await provision({ username: 'scale-７' });
      const taken = new ConflictError('用户名已存在');
      await expect(provision({ username: 'scale-7' })).rejects.toEqual(taken);
      await expect(provision({ username: 'scale-7', linkExisting: true })).rejects.toEqual(taken);
    });

    it('never opens one that is disabled', async () => {
      await provision({ username: 'scale-8' });
      await service.app.get(AccountsService).disable('scale-8');
      await expect(provision({ username: 'scale-8' })).rejects.toBeInstanceOf(UnauthorizedError);
      expectError(await meBy(service, { 'X-Api-Key': 'key of scale-8' }), 401, UNAUTHORIZED);
    });

    it.each([
      ['', 'username: 不能为空'],
      ['   ', 'username: 不能为空'],
      ['a\u202eb', 'username: 不能包含控制、格式、不可见或未分配的字符'],
      ['x'.repeat(201), 'username: 不能超过200个字符'],
    ])('of names that registration takes: not %j', async (username, text) => {
      await expect(provision({ username })).rejects.toEqual(new InvalidInputError(text));
    });

    it('of roles that are registered', async () => {
      await expect(provision({ username: 'scale-9', role: 'root' })).rejects.toBeInstanceOf(
        InvalidInputError,
      );
      expect(await rows('scale-9')).toEqual([]);
    });

    it('and finds them', async () => {
      const accounts = service.app.get(AccountsService);
      const made = await provision({ username: 'ｓcale-10' });
      expect(await accounts.find(made.id)).toEqual(made);
      expect(await accounts.findByName('scale-10')).toEqual(made);
      expect(await accounts.find(LIAR_ID)).toBeUndefined();
      expect(await accounts.find('scale-10')).toBeUndefined();
      expect(await accounts.findByName('nobody\0')).toBeUndefined();
      await accounts.disable('scale-10');
      expect(await accounts.find(made.id)).toBeUndefined();
      expect(await accounts.findByName('scale-10')).toBeUndefined();
    });
  });
});

describe('The rate limit', () => {
  let service: TestApp;
  beforeAll(async () => {
    service = await boot(['api-key', 'odd', TOKEN_STRATEGY], { THROTTLE_LIMIT: '4' });
  });
  afterAll(() => service.close());

  const statuses = async (headers: Record<string, string>, requests: number, path = '/api/auth/me') => {
    const found: number[] = [];
    for (let n = 0; n < requests; n++) found.push((await service.http.get(path).set(headers)).status);
    return found;
  };

  it('counts who has a key by user, and who has none by address, up to what an address may', async () => {
    // 4 for each client, 40 for the address.
    expect(await statuses({ 'X-Api-Key': 'key of a' }, 5)).toEqual([200, 200, 200, 200, 429]);
    expect(await statuses({ 'X-Api-Key': 'key of b' }, 4)).toEqual([200, 200, 200, 200]);
    expect(await statuses({ 'X-Api-Key': 'no key' }, 3)).toEqual([401, 401, 401]);
    const log = jest.spyOn(Logger.prototype, 'error').mockImplementation();
    expect(await statuses({ 'X-Odd': 'throw' }, 2)).toEqual([503, 429]);
    log.mockRestore();
    expect(await statuses({}, 1)).toEqual([429]);
    expect(await statuses({}, 1, '/api/health')).toEqual([429]);
    const { headers, status } = await meBy(service, { 'X-Api-Key': 'key of c' });
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '4', 'x-ratelimit-remaining': '3' });
    const refused = await meBy(service, { 'X-Api-Key': 'key of b' });
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expectError(refused, 429, '请求过于频繁,请稍后再试');
    const seen: number[] = [];
    for (let n = 0; n < 40; n++) seen.push(...(await statuses({ 'X-Api-Key': `key of d${n}` }, 1)));
    expect(seen[0]).toBe(200);
    expect(seen.at(-1)).toBe(429);
  });
});

describe('A start is refused', () => {
  it.each([
    ['a name of no strategy', ['nobodys', TOKEN_STRATEGY], 'AUTH_STRATEGIES names nobodys, and no strategy'],
    ['an empty list', [], /^AUTH_STRATEGIES in \w+ must be a list of names/],
    ['one name', 'api-key', /^AUTH_STRATEGIES in \w+ must be a list of names/],
    ['a name twice', ['odd', 'odd'], /^AUTH_STRATEGIES in \w+ must be a list of names/],
    ['what is no name', [ApiKeys], /^AUTH_STRATEGIES in \w+ must be a list of names/],
  ])('by %s', async (_, strategies, message) => {
    await expect(boot(strategies)).rejects.toThrow(message);
  });
});
