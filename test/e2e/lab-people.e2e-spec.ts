import { Controller, Get, Module } from '@nestjs/common';
import {
  AccessPolicy,
  AppModule,
  CUSTOM_ACCESS_POLICY,
  type CurrentUser,
  type DomainEvent,
  EVENT_HANDLER,
  EXTRA_ROLES,
  ForbiddenError,
  record,
  Roles,
} from '../../src';
import { UsersRepository } from '../../src/users/users.repository';
import { ServiceLogger } from '../../src/platform/server/service-logger';
import { parseEnvironment } from '../../src/platform/config/environment';
import { expectDeleted, expectError, expectKeys, FORBIDDEN, NOWHERE, UNAUTHORIZED } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { cli } from '../support/cli';
import { createFormula, createIngredient, wholeOf } from '../support/factories';
import { countStatements } from '../support/statements';

const WRONG = 'oldPassword: 旧密码不正确';
const PASSWORD = '/api/ext/auth/password';

const events: DomainEvent[] = [];
const recorder = {
  name: 'recorder',
  events: ['user.updated'] as const,
  inTransaction: (event: DomainEvent) => void events.push(event),
};

@Module({ providers: [{ provide: EVENT_HANDLER, useValue: recorder }] })
class RecorderModule {}

let service: TestApp;
const securityLines: Record<string, unknown>[] = [];

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [RecorderModule] })] } });
  const logger = ServiceLogger.for(parseEnvironment({ NODE_ENV: 'test', LOG_LEVEL: 'info' }), {
    write: (line) => {
      const { context, event, user, account, change, reason } = JSON.parse(line) as Record<string, unknown>;
      if (context === 'Security' && change !== 'created') {
        securityLines.push({ event, user, account, change, reason });
      }
    },
  });
  service.app.useLogger(logger);
});
afterAll(() => service.close());
beforeEach(() => {
  events.splice(0);
  securityLines.splice(0);
});

const login = (username: string, password: string) =>
  service.http.post('/api/auth/login').send({ username, password });
const meWith = (token: string) => service.http.get('/api/auth/me').set('Authorization', `Bearer ${token}`);

describe('PUT /api/ext/auth/password', () => {
  it('ends all earlier tokens and answers with a new one', async () => {
    const user = await service.register();
    const other = (await login(user.username, 'secret').expect(200)).body.data.token as string;
    const { body } = await user
      .put(PASSWORD, { oldPassword: 'secret', newPassword: ' new 密码 ' })
      .expect(200);
    expectKeys(body.data as object, ['id', 'username', 'role', 'token']);
    expect(body.data).toMatchObject({ id: user.id, username: user.username, role: 'engineer' });
    for (const token of [user.token, other]) expectError(await meWith(token), 401, UNAUTHORIZED);
    await meWith(body.data.token as string).expect(200);
    await login(user.username, 'secret').expect(401);
    await login(user.username, ' new 密码 ').expect(200);
    expect(events).toMatchObject([
      { type: 'user.updated', recordId: user.id, data: { username: user.username, change: 'password' } },
    ]);
    expect(securityLines[0]).toEqual({
      event: 'user.changed',
      user: user.id,
      account: user.id,
      change: 'password',
    });
    expect(JSON.stringify([events, securityLines])).not.toMatch(/密码|secret|token/i);
  });

  it('refuses a wrong old password, changes nothing, keeps the token valid, and writes it to the security log', async () => {
    const user = await service.register();
    const refused = await user.put(PASSWORD, { oldPassword: 'wrong', newPassword: 'another' });
    expectError(refused, 400, WRONG);
    expect(refused.headers['x-error-code']).toBe('validation.failed');
    expect(refused.headers).not.toHaveProperty('www-authenticate');
    await user.get('/api/auth/me').expect(200);
    await login(user.username, 'secret').expect(200);
    expect(events).toEqual([]);
    expect(securityLines).toEqual([{ event: 'login.refused', user: user.id, reason: 'wrong password' }]);
  });

  it('counts wrong old passwords with the failed logins of the account', async () => {
    const user = await service.register();
    for (let time = 0; time < 5; time++) {
      await user.put(PASSWORD, { oldPassword: 'wrong', newPassword: 'another' }).expect(400);
      await login(user.username, 'wrong').expect(401);
    }
    const refused = await user.put(PASSWORD, { oldPassword: 'secret', newPassword: 'another' }).expect(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    await user.get('/api/auth/me').expect(200);
  }, 60_000);

  it.each([
    [{}, 'oldPassword: 不能为空; newPassword: 不能为空'],
    [{ newPassword: 'another' }, 'oldPassword: 不能为空'],
    [{ oldPassword: '', newPassword: 'another' }, 'oldPassword: 不能为空'],
    [{ oldPassword: 'secret' }, 'newPassword: 不能为空'],
    [{ oldPassword: 'secret', newPassword: '   ' }, 'newPassword: 不能为空'],
    [{ oldPassword: 'secret', newPassword: 'abc' }, 'newPassword: 不能少于4个字符'],
    [{ oldPassword: 'secret', newPassword: '👩👩👩' }, 'newPassword: 不能少于4个字符'],
    [{ oldPassword: 'secret', newPassword: 'x'.repeat(1025) }, 'newPassword: 不能超过1024个字符'],
    [{ oldPassword: 'secret', newPassword: 'abc\u0000d' }, 'newPassword: 不能包含空字符'],
    [{ oldPassword: 7, newPassword: 'another' }, 'oldPassword: 必须是字符串'],
  ])('refuses %j', async (body, error) => {
    const user = await service.register();
    expectError(await user.put(PASSWORD, body), 400, error);
    await user.get('/api/auth/me').expect(200);
  });

  it('lets one of several changes win that come at the same time', async () => {
    const user = await service.register();
    const sent = ['first', 'second', 'third'];
    const answers = await Promise.all(
      sent.map((newPassword) => user.put(PASSWORD, { oldPassword: 'secret', newPassword })),
    );
    const winners = sent.filter((_, at) => answers[at]!.status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(2);
    await login(user.username, winners[0]!).expect(200);
  });

  it('lets in nobody whose account has been disabled meanwhile', async () => {
    const user = await service.register();
    await cli(['users', 'disable', user.username], { app: service.app });
    expectError(
      await user.put(PASSWORD, { oldPassword: 'secret', newPassword: 'another' }),
      401,
      UNAUTHORIZED,
    );
  });
});

describe('POST /api/ext/auth/logout', () => {
  it('ends all tokens of the account, and of no other', async () => {
    const user = await service.register();
    const bystander = await service.register();
    const second = (await login(user.username, 'secret').expect(200)).body.data.token as string;
    expectDeleted(await user.post('/api/ext/auth/logout'));
    for (const token of [user.token, second]) expectError(await meWith(token), 401, UNAUTHORIZED);
    await bystander.get('/api/auth/me').expect(200);
    await meWith((await login(user.username, 'secret').expect(200)).body.data.token as string).expect(200);
    expect(events).toMatchObject([
      { type: 'user.updated', recordId: user.id, data: { change: 'signed-out' } },
    ]);
    expect(securityLines).toEqual([
      { event: 'user.changed', user: user.id, account: user.id, change: 'signed-out' },
    ]);
  });

  it('needs a token', async () => {
    expectError(await service.http.post('/api/ext/auth/logout'), 401, UNAUTHORIZED);
    expectError(await service.http.put(PASSWORD).send({}), 401, UNAUTHORIZED);
  });
});

describe('GET /api/ext/users', () => {
  it('gives the names of accounts, disabled ones too, and leaves out what is nobody', async () => {
    const [one, two, gone] = await Promise.all(
      ['b-ann', 'a-ann', 'c-ann'].map((name) => service.register(name)),
    );
    await cli(['users', 'disable', 'c-ann'], { app: service.app });
    const ids = [one!.id.toUpperCase(), two!.id, gone!.id, NOWHERE, one!.id].join(',');
    const { body } = await one!.get(`/api/ext/users?ids=${ids}`).expect(200);
    expect(body).toEqual({
      data: [two!, one!, gone!].map(({ id, username }) => ({ id, username })),
    });
  });

  it('takes 200 ids in one statement, and no more', async () => {
    const user = await service.register();
    const ids = (count: number) => Array.from({ length: count }, () => user.id).join(',');
    const one = await countStatements(() => user.get(`/api/ext/users?ids=${user.id}`).expect(200));
    const many = await countStatements(() => user.get(`/api/ext/users?ids=${ids(200)}`).expect(200));
    expect(many).toBe(one);
    expectError(await user.get(`/api/ext/users?ids=${ids(201)}`), 400, 'ids: 不能超过200项');
    expectError(await user.get(`/api/ext/users?ids=${user.id},x`), 400, 'ids: 第2项必须是 UUID');
    for (const query of ['', '?ids=', '?ids=%20'])
      expectError(await user.get(`/api/ext/users${query}`), 400, 'ids: 不能为空');
  });
});

describe('GET /api/ext/me', () => {
  it('says what an engineer may do', async () => {
    const { id, username, ...user } = await service.register();
    const { body } = await user.get('/api/ext/me').expect(200);
    expect(body.data).toEqual({
      id,
      username,
      role: 'engineer',
      rights: [
        'formula.create',
        'formula.change-own',
        'project.create',
        'project.change-own',
        'color.create',
        'color.change-own',
        'ingredient.create',
        'ingredient.change-all',
        'configuration.change',
        'users.read',
        'files.import',
        'ai.predict-formula',
        'ai.explore-formula',
        'ai.extract-formula',
        'ai.search-keywords',
        'ai.recommend-colorants',
      ],
    });
  });

  it('says what an admin may do, from the next request on', async () => {
    const user = await service.register();
    await service.app.get(UsersRepository).setRole(user.username, 'admin');
    const { role, rights } = (await user.get('/api/ext/me').expect(200)).body.data;
    expect(role).toBe('admin');
    expect(rights).toEqual(expect.arrayContaining(['formula.change-all', 'project.change-all']));
    expect(rights).not.toContain('formula.change-own');
  });
});

/** Viewers create nothing, may ask the AI for nothing, and see no names. */
class ViewerPolicy extends AccessPolicy {
  canChange = ({ role }: CurrentUser) => role !== 'viewer';
  canConfigure = () => false;
  override canCreate = ({ role }: CurrentUser, kind: string) => role !== 'viewer' || kind === 'project';
  override canUse = ({ role }: CurrentUser) => {
    if (role === 'viewer') throw new ForbiddenError();
    return true;
  };
}

@Controller('ext/audits')
@Roles('auditor')
class AuditsController {
  @Get('open')
  @Roles('viewer', 'auditor')
  open() {
    return record([]);
  }

  @Get('closed')
  closed() {
    return record([]);
  }
}

@Module({
  controllers: [AuditsController],
  providers: [
    { provide: CUSTOM_ACCESS_POLICY, useClass: ViewerPolicy },
    { provide: EXTRA_ROLES, useValue: ['viewer', 'auditor'] },
  ],
})
class ViewersModule {}

describe('An access policy of an extension', () => {
  let restricted: TestApp;
  let viewer: Account;
  let auditor: Account;

  beforeAll(async () => {
    restricted = await bootApp({
      module: { imports: [AppModule.register({ extensions: [ViewersModule] })] },
    });
    viewer = await restricted.register();
    auditor = await restricted.register();
    const users = restricted.app.get(UsersRepository);
    await users.setRole(viewer.username, 'viewer');
    await users.setRole(auditor.username, 'auditor');
  });
  afterAll(() => restricted.close());

  const rightsOf = async (user: Account) => (await user.get('/api/ext/me').expect(200)).body.data.rights;

  it('decides what the rights are, with the routes of the role', async () => {
    expect(await rightsOf(viewer)).toEqual([
      'formula.change-some',
      'project.create',
      'project.change-some',
      'color.change-some',
      'ingredient.change-some',
      'files.import',
      'GET /api/ext/audits/open',
    ]);
    const ofAuditor = (await rightsOf(auditor)) as string[];
    expect(ofAuditor.slice(-2)).toEqual(['GET /api/ext/audits/closed', 'GET /api/ext/audits/open']);
    expect(ofAuditor).toContain('formula.create');
    for (const right of ofAuditor.slice(-2)) await auditor.get(right.replace('GET ', '')).expect(200);
    await viewer.get('/api/ext/audits/closed').expect(403);
  });

  it('decides who sees names', async () => {
    expectError(await viewer.get(`/api/ext/users?ids=${viewer.id}`), 403, FORBIDDEN);
    await auditor.get(`/api/ext/users?ids=${viewer.id}`).expect(200);
  });

  it('hides names in versions and in the trash from who may not see them', async () => {
    const { id: water } = await createIngredient(auditor);
    const { id } = await createFormula(auditor, wholeOf(water), {});
    const usernameOf = async (reader: Account, path: string, field: string) => {
      const { body } = await reader.get(path).expect(200);
      return body.data.find((row: any) => row[field].id === auditor.id)[field].username;
    };
    const versions = `/api/ext/formulas/${id}/versions`;
    expect(await usernameOf(auditor, versions, 'createdBy')).toBe(auditor.username);
    expect(await usernameOf(viewer, versions, 'createdBy')).toBeNull();
    await auditor.delete(`/api/formulas/${id}`).expect(204);
    expect(await usernameOf(auditor, '/api/ext/trash', 'deletedBy')).toBe(auditor.username);
    expect(await usernameOf(viewer, '/api/ext/trash', 'deletedBy')).toBeNull();
  });
});
