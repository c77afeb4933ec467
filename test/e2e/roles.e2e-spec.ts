import { Body, Controller, Get, Module, Post, type Type } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AccountsService } from '../../src/users/accounts.service';
import { apiDocument } from '../../src/platform/server/api-docs';
import {
  AppModule,
  AuthService,
  type CurrentUser,
  EXTRA_ROLES,
  InvalidInputError,
  Public,
  Roles,
  TextField,
  User,
} from '../../src/index';
import { expectError, FORBIDDEN, UNAUTHORIZED } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';

/* Roles of an extension beside the two of the service, and routes that name roles. */

class NoteDto {
  @TextField({ max: 20 })
  text!: string;
}

@Roles('viewer', 'admin')
@Controller('ext/notes')
class NotesController {
  @Get()
  read(@User() { role }: CurrentUser) {
    return { readBy: role };
  }

  @Roles('lead')
  @Post()
  write(@Body() { text }: NoteDto, @User() { role }: CurrentUser) {
    return { text, writtenBy: role };
  }
}

@Controller('ext/open')
class OpenController {
  @Get()
  read() {
    return {};
  }
}

@Module({
  controllers: [NotesController, OpenController],
  providers: [{ provide: EXTRA_ROLES, useValue: ['viewer'] }],
})
class NotesModule {}

@Module({ providers: [{ provide: EXTRA_ROLES, useFactory: () => Promise.resolve(['lead']) }] })
class LeadsModule {}

const boot = (...extensions: Type[]) =>
  bootApp({
    module: { imports: [AppModule.register({ extensions })] },
    settings: { CONFIG_WRITE_ROLE: 'engineer' },
  });

async function accountOf(service: TestApp, role: string): Promise<Account> {
  const account = await service.register();
  await service.app.get(DataSource).query('UPDATE users SET role = $1 WHERE id = $2', [role, account.id]);
  return account;
}

describe('Roles of an extension', () => {
  let service: TestApp;
  let engineer: Account;
  let admin: Account;
  let viewer: Account;
  let lead: Account;

  beforeAll(async () => {
    service = await boot(NotesModule, LeadsModule);
    engineer = await service.register();
    admin = await accountOf(service, 'admin');
    viewer = await accountOf(service, 'viewer');
    lead = await accountOf(service, 'lead');
  });
  afterAll(() => service.close());

  it('registration still makes an engineer', async () => {
    const { body } = await service.http
      .post('/api/auth/register')
      .send({ username: 'wishful', password: 'secret', role: 'viewer' })
      .expect(201);
    expect(body.data.role).toBe('engineer');
  });

  it('a route admits the roles that it or its controller names, and no others', async () => {
    const statuses = async (path: string, send: 'get' | 'post') =>
      Promise.all(
        [engineer, viewer, lead, admin].map(async (account) => {
          const answer = await account[send](path, { text: 'a note' });
          if (answer.status === 403) expectError(answer, 403, FORBIDDEN);
          return answer.status;
        }),
      );
    expect(await statuses('/api/ext/notes', 'get')).toEqual([403, 200, 403, 200]);
    expect(await statuses('/api/ext/notes', 'post')).toEqual([403, 403, 201, 403]);
    expect(await statuses('/api/ext/open', 'get')).toEqual([200, 200, 200, 200]);
    expect(await statuses('/api/formulas', 'get')).toEqual([200, 200, 200, 200]);
  });

  it('nobody is 401, and who may not is told so before the body is looked at', async () => {
    expectError(await service.http.get('/api/ext/notes'), 401, UNAUTHORIZED);
    expectError(await viewer.post('/api/ext/notes', {}), 403, FORBIDDEN);
    expect((await lead.post('/api/ext/notes', {})).status).toBe(400);
  });

  it('a role counts from the next request on', async () => {
    const account = await service.register();
    expectError(await account.get('/api/ext/notes'), 403, FORBIDDEN);
    await service.app.get(AccountsService).setRole(account.username, 'viewer');
    expect((await account.get('/api/ext/notes').expect(200)).body).toEqual({ readBy: 'viewer' });
    await service.app.get(AccountsService).setRole(account.username, 'engineer');
    expectError(await account.get('/api/ext/notes'), 403, FORBIDDEN);
  });

  it('an account of one signs in, and its token is good', async () => {
    const { id } = await service.app.get(AuthService).createUser('reader', 'secret', 'viewer');
    const { body } = await service.http
      .post('/api/auth/login')
      .send({ username: 'reader', password: 'secret' })
      .expect(200);
    expect(body.data).toMatchObject({ id, username: 'reader', role: 'viewer' });
    const me = await service.http
      .get('/api/auth/me')
      .set('Authorization', `Bearer ${body.data.token}`)
      .expect(200);
    expect(me.body).toEqual({ data: { id, username: 'reader', role: 'viewer' } });
  });

  it('gives no right that the service gives to engineers or admins', async () => {
    const { body } = await engineer.post('/api/projects', { name: '夏季' }).expect(201);
    for (const account of [viewer, lead]) {
      expectError(await account.put('/api/config', { aiMock: 'true' }), 403, FORBIDDEN);
      expectError(await account.post('/api/config/test', { provider: 'alpha' }), 403, FORBIDDEN);
      expectError(await account.put(`/api/projects/${body.data.id}`, { name: '秋季' }), 403, FORBIDDEN);
    }
    await engineer.put('/api/config', { aiMock: 'true' }).expect(200);
    await admin.put('/api/config', { aiMock: 'true' }).expect(200);
  });

  it('that nobody registered is given to nobody', async () => {
    const fault = new InvalidInputError('role: 必须是以下值之一: engineer, admin, viewer, lead');
    await expect(service.app.get(AuthService).createUser('root', 'secret', 'root')).rejects.toEqual(fault);
    await expect(service.app.get(AccountsService).setRole(viewer.username, 'root')).rejects.toEqual(fault);
    expect((await viewer.get('/api/auth/me')).body.data.role).toBe('viewer');
  });

  it('stand in the document, with the 403 of the routes that name them', () => {
    const { components, paths } = apiDocument(service.app);
    const roleOf = (name: string) =>
      (components?.schemas?.[name] as { properties: { role: { enum: string[] } } }).properties.role.enum;
    expect(roleOf('AccountDto')).toEqual(['engineer', 'admin', 'viewer', 'lead']);
    expect(roleOf('SessionDto')).toEqual(['engineer', 'admin', 'viewer', 'lead']);
    expect(Object.keys(paths['/api/ext/notes']!.get!.responses)).toContain('403');
    expect(Object.keys(paths['/api/ext/open']!.get!.responses)).not.toContain('403');
  });
});

describe('A role whose extension has been taken out', () => {
  let service: TestApp;
  let retired: Account;

  beforeAll(async () => {
    service = await boot();
    retired = await accountOf(service, 'lead');
  });
  afterAll(() => service.close());

  it('gives no right, and its user signs in, reads and has records as before', async () => {
    const engineer = await service.register();
    const { body } = await engineer.post('/api/projects', { name: '夏季' }).expect(201);
    const login = await service.http
      .post('/api/auth/login')
      .send({ username: retired.username, password: 'secret' })
      .expect(200);
    expect(login.body.data.role).toBe('lead');
    const signed = (test: ReturnType<typeof retired.get>) =>
      test.set('Authorization', `Bearer ${login.body.data.token}`);
    const me = await signed(service.http.get('/api/auth/me')).expect(200);
    expect(me.body.data.role).toBe('lead');
    await signed(service.http.get('/api/formulas')).expect(200);
    expectError(await signed(service.http.put('/api/config').send({ aiMock: 'true' })), 403, FORBIDDEN);
    expectError(
      await signed(service.http.put(`/api/projects/${body.data.id}`).send({ name: '秋季' })),
      403,
      FORBIDDEN,
    );
    await signed(service.http.post('/api/projects').send({ name: '冬季' })).expect(201);
  });

  it('is no role of the service any more', async () => {
    await expect(service.app.get(AccountsService).setRole(retired.username, 'viewer')).rejects.toBeInstanceOf(
      InvalidInputError,
    );
    const accounts = service.app.get(AccountsService);
    await accounts.setRole(retired.username, 'engineer');
    expect((await retired.get('/api/auth/me')).body.data.role).toBe('engineer');
  });
});

describe('A start is refused', () => {
  @Controller('ext/labels')
  class MisspeltController {
    @Roles('veiwer', 'admin')
    @Get('printed')
    printed() {
      return {};
    }
  }

  @Controller('ext/labels')
  class NobodyController {
    @Roles()
    @Post()
    print() {
      return {};
    }
  }

  @Roles('admin')
  @Controller('ext/labels')
  class PublicController {
    @Public()
    @Get()
    all() {
      return {};
    }
  }

  @Module({ providers: [{ provide: EXTRA_ROLES, useValue: ['Viewer'] }] })
  class ShoutingModule {}

  @Module({ providers: [{ provide: EXTRA_ROLES, useValue: ['lead', 'viewer'] }] })
  class AgainModule {}

  const withController = (controller: Type) => {
    @Module({ controllers: [controller] })
    class LabelsModule {}
    return LabelsModule;
  };

  it.each<[string, Type[], string]>([
    [
      'by a route of a role that is not registered',
      [NotesModule, LeadsModule, withController(MisspeltController)],
      '@Roles on MisspeltController.printed (GET ext/labels/printed) names veiwer, which no module registers under EXTRA_ROLES.',
    ],
    [
      'by a route of no role',
      [withController(NobodyController)],
      '@Roles on NobodyController.print (POST ext/labels) names no role.',
    ],
    [
      'by a public route of roles',
      [withController(PublicController)],
      '@Roles on PublicController.all (GET ext/labels) asks nobody: the route is public.',
    ],
    [
      'by a name that is none',
      [ShoutingModule],
      'EXTRA_ROLES in ShoutingModule must be names of 1 to 50 lower-case letters, digits, - and _.',
    ],
    [
      'by two modules of one role',
      [LeadsModule, AgainModule],
      'EXTRA_ROLES has lead in AgainModule and in LeadsModule: a role is registered once.',
    ],
  ])('%s', async (_, extensions, message) => {
    await expect(boot(...extensions)).rejects.toThrow(message);
  });
});
