import { Controller, ForbiddenException, Get, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { record, SecurityLog } from '../../src';
import { AppModule } from '../../src/app.module';
import { UsersRepository } from '../../src/users/users.repository';
import { parseEnvironment } from '../../src/platform/config/environment';
import { ServiceLogger } from '../../src/platform/server/service-logger';
import { NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { cli } from '../support/cli';
import { createFormula, createIngredient, createProject, wholeOf } from '../support/factories';

@Controller('ext/shut')
class ShutController {
  constructor(private readonly security: SecurityLog) {}

  @Get('signed')
  signed() {
    this.security.record('ext.shut.signed', { id: 'door' });
    return record('signed');
  }

  @Get()
  shut(): never {
    throw new ForbiddenException('not for you');
  }
}

@Module({ controllers: [ShutController] })
class ShutModule {}

describe('The security log', () => {
  const lines: Record<string, unknown>[] = [];
  let text = '';
  const logger = ServiceLogger.for(parseEnvironment({ NODE_ENV: 'test', LOG_LEVEL: 'info' }), {
    write: (line) => {
      text += line;
      lines.push(JSON.parse(line) as Record<string, unknown>);
    },
  });
  let service: TestApp;
  let user: Account;
  let other: Account;

  beforeAll(async () => {
    service = await bootApp({ module: { imports: [AppModule.register({ extensions: [ShutModule] })] } });
    user = await service.register('lin');
    other = await service.register('wang');
  });
  afterAll(() => service.close());
  beforeEach(() => {
    // Nest has one logger for the process: that of the application that was made last.
    service.app.useLogger(logger);
    lines.splice(0);
    text = '';
  });

  /** The lines since the test began, as they are but for pino's own fields. */
  const recorded = () => lines.filter(({ context }) => context === 'Security').map(eventOf);
  const eventOf = ({ level, time, context, msg, ...rest }: Record<string, unknown>) => {
    expect({ level, context, msg }).toEqual({ level: 30, context: 'Security', msg: rest.event });
    expect(time).toEqual(expect.any(Number));
    return rest;
  };

  it.each([
    ['an unknown user', 'nobody', 'hunter2', () => null, 'unknown user'],
    ['a wrong password', 'ｌin', 'hunter2', () => user.id, 'wrong password'],
  ])(
    'names a login refused for %s, and nothing that was typed',
    async (_, username, password, id, reason) => {
      const attempt = service.http.post('/api/auth/login').set('X-Request-Id', 'mine');
      await attempt.send({ username, password }).expect(401);
      expect(recorded()).toEqual([{ event: 'login.refused', user: id(), reason, requestId: 'mine' }]);
      expect(text).not.toContain(password);
      expect(text).not.toContain(username);
    },
  );

  it('names a login refused because the account is disabled; a wrong password comes first', async () => {
    const { id } = await service.register('chen');
    await cli(['users', 'disable', 'chen'], { app: service.app });
    lines.splice(0);
    const attempt = (password: string) =>
      service.http.post('/api/auth/login').send({ username: 'chen', password }).expect(401);
    await attempt('secret');
    await attempt('wrong');
    expect(recorded()).toMatchObject([
      { event: 'login.refused', user: id, reason: 'disabled' },
      { event: 'login.refused', user: id, reason: 'wrong password' },
    ]);
  });

  it('goes on when too many logins have failed to be tried', async () => {
    const attempt = () => service.http.post('/api/auth/login').send({ username: 'zhou', password: 'wrong' });
    for (let failure = 0; failure < 10; failure += 1) await attempt().expect(401);
    lines.splice(0);
    await attempt().expect(429);
    expect(recorded()).toMatchObject([{ event: 'login.refused', user: null, reason: 'too many' }]);
  });

  it('says nothing of what is allowed, or wrong in itself', async () => {
    await service.http.post('/api/auth/login').send({ username: 'lin', password: 'secret' }).expect(200);
    await service.http.post('/api/auth/login').send({ username: 'lin' }).expect(400);
    await service.http.get('/api/auth/me').expect(401);
    await user.put('/api/config', {}).expect(200);
    await createProject(user);
    await user.delete(`/api/projects/${NOWHERE}`).expect(404);
    expect(recorded()).toEqual([]);
  });

  it('names every 403 by its route', async () => {
    const project = await createProject(user);
    const path = `/api/projects/${project.id}`;
    await other.put(`${path}?secret=hunter2`, { name: 'mine' }).set('X-Request-Id', 'mine').expect(403);
    await other.delete(path).expect(403);
    await other.get('/api/ext/shut').expect(403);
    expect(recorded()).toMatchObject([
      { event: 'access.denied', user: other.id, method: 'PUT', path, requestId: 'mine' },
      { event: 'access.denied', user: other.id, method: 'DELETE', path },
      { event: 'access.denied', user: other.id, method: 'GET', path: '/api/ext/shut' },
    ]);
    expect(text).not.toContain('hunter2');
  });

  it('takes the events of extensions', async () => {
    await other.get('/api/ext/shut/signed').set('X-Request-Id', 'mine').expect(200);
    const event = { event: 'ext.shut.signed', id: 'door' };
    expect(recorded()).toEqual([{ ...event, user: other.id, requestId: 'mine' }]);
    // In process, no request says who it is.
    service.app.get(SecurityLog).record('ext.shut.signed', { id: 'door' });
    expect(recorded()[1]).toEqual({ ...event, user: null });
  });

  it('names deletions', async () => {
    const ingredient = await createIngredient(user);
    const used = await createIngredient(user);
    const formula = await createFormula(user, wholeOf(used.id));
    const project = await createProject(user);
    await user.delete(`/api/ingredients/${used.id}`).expect(409);
    await user.delete(`/api/ingredients/${ingredient.id}`).set('X-Request-Id', 'one').expect(204);
    await user.delete(`/api/formulas/${formula.id}`).set('X-Request-Id', 'two').expect(204);
    await user.delete(`/api/projects/${project.id}`).set('X-Request-Id', 'three').expect(204);
    const deleted = { event: 'record.deleted', user: user.id };
    expect(recorded()).toEqual([
      { ...deleted, kind: 'ingredient', id: ingredient.id, requestId: 'one' },
      { ...deleted, kind: 'formula', id: formula.id, requestId: 'two' },
      { ...deleted, kind: 'project', id: project.id, requestId: 'three' },
    ]);
  });

  it('names the fields of a changed configuration, never their values', async () => {
    const change = { alphaKey: 'sk-hunter2', alphaBaseUrl: 'https://hunter2.example', betaKey: '' };
    await user.put('/api/config', change).set('X-Request-Id', 'mine').expect(200);
    await user.put('/api/config', { alphaKey: '', alphaBaseUrl: '' }).expect(200);
    expect(recorded()).toMatchObject([
      { event: 'configuration.changed', user: user.id, requestId: 'mine' },
      { event: 'configuration.changed', user: user.id },
    ]);
    expect((recorded()[0]!.fields as string[]).toSorted()).toEqual(['alphaBaseUrl', 'alphaKey', 'betaKey']);
    expect(text).not.toContain('hunter2');
  });

  it('names new accounts', async () => {
    const attempt = service.http.post('/api/auth/register').set('X-Request-Id', 'mine');
    const { body } = await attempt.send({ username: 'zhao', password: 'hunter2' }).expect(201);
    await service.http.post('/api/auth/register').send({ username: 'zhao', password: 'hunter2' }).expect(409);
    expect(recorded()).toEqual([
      { event: 'user.changed', user: null, account: body.data.id, change: 'created', requestId: 'mine' },
    ]);
    expect(text).not.toContain('hunter2');
  });

  it('names what commands change, once for each change', async () => {
    const { id } = await service.register('sun');
    lines.splice(0);
    for (const args of [
      ['set-role', 'sun', 'admin'],
      ['set-role', 'sun', 'admin'],
      ['set-password', 'sun'],
      ['enable', 'sun'],
      ['disable', 'sun'],
      ['disable', 'sun'],
      ['enable', 'sun'],
      ['disable', 'nobody'],
    ]) {
      await cli(['users', ...args], { app: service.app, stdin: 'hunter2' });
    }
    const byCommand = { user: null, account: id };
    expect(recorded()).toEqual([
      { event: 'role.changed', ...byCommand, from: 'engineer', to: 'admin' },
      { event: 'user.changed', ...byCommand, change: 'password' },
      { event: 'user.changed', ...byCommand, change: 'disabled' },
      { event: 'user.changed', ...byCommand, change: 'enabled' },
    ]);
    expect(text).not.toContain('hunter2');
    expect(await service.app.get(UsersRepository).findCurrent(id)).toMatchObject({ tokenVersion: 2 });
  });

  it('of AI calls names the user in the audit row', async () => {
    const rows = () =>
      service.app
        .get(DataSource)
        .query<{ capability: string; user_id: string }[]>(
          'SELECT capability, user_id FROM ai_audit_logs ORDER BY created_at, capability',
        );
    const ingredients = [{ name: '水', category: 'other', percentage: 100 }];
    await Promise.all([
      user.post('/api/ai/predict-formula', { ingredients }).buffer(true).expect(200),
      other.get('/api/ai/search').query({ q: '保湿' }).expect(200),
    ]);
    await other.post('/api/color/recommend', { targetLab: { L: 1, a: 2, b: 3 } }).expect(200);
    const found = await rows();
    expect(found.length).toBe(3);
    for (const { capability, user_id } of found) {
      expect(user_id).toBe(capability.startsWith('predict') ? user.id : other.id);
    }
  });
});
