import { Controller, Get, type INestApplication, Module, ValidationPipe } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import supertest from 'supertest';
import { DataSource } from 'typeorm';
import { AccessPolicy } from '../../src/platform/access/access-policy';
import { CUSTOM_ACCESS_POLICY } from '../../src/platform/access/access.module';
import { AppModule } from '../../src/app.module';
import { Public } from '../../src/platform/http/route-decorators';
import { expectError, FORBIDDEN, UNAUTHORIZED } from '../support/answers';

/*
 * The service as somebody boots it who knows nothing of this repository's helpers: the plain module,
 * `init()`, no settings but NODE_ENV=test, which jest sets. The whole contract must be there.
 */

@Controller('extra')
class ExtraController {
  @Public()
  @Get('open')
  open() {
    return { open: true };
  }

  @Get('closed')
  closed() {
    return { closed: true };
  }
}

@Module({ controllers: [ExtraController] })
class ExtraModule {}

const kept = ['DATABASE_URL', 'DATA_DIR'].map((name) => [name, process.env[name]] as const);

beforeAll(() => {
  for (const [name] of kept) delete process.env[name];
});

afterAll(() => {
  for (const [name, value] of kept) if (value !== undefined) process.env[name] = value;
});

async function boot(
  imports: Parameters<typeof Test.createTestingModule>[0]['imports'],
  adjust: (app: INestApplication) => unknown = () => undefined,
) {
  const compiled = await Test.createTestingModule({ imports }).compile();
  const app = compiled.createNestApplication({ logger: false });
  adjust(app);
  await app.init();
  return { app, http: supertest(app.getHttpServer()) };
}

it('the plain module gives the whole contract', async () => {
  const { app, http } = await boot([AppModule]);
  try {
    const health = await http.get('/api/health').expect(200);
    expect(health.headers).not.toHaveProperty('x-powered-by');
    expect(health.headers).not.toHaveProperty('etag');
    expectError(await http.get('/api/formulas'), 401, UNAUTHORIZED);
    const broken = http.post('/api/auth/login').set('Content-Type', 'application/json').send('{');
    expectError(await broken, 400, '请求体不是有效的 JSON');
    const endless = http.get('/api/health').set('X-Endless', 'x'.repeat(20_000));
    expectError(await endless, 431, '请求地址或请求头过长');
    expectError(await http.get('/nowhere'), 404, '接口不存在');
    expectError(await http.post('/api/auth/register').send({}), 400, '用户名和密码为必填项');
    const { body } = await http
      .post('/api/auth/register')
      .send({ username: 'lin', password: 'secret', unknown: 1 })
      .expect(201);
    const signed = (test: supertest.Test) => test.set('Authorization', `Bearer ${body.data.token}`);
    const answer = await signed(http.post('/api/formulas')).send({ name: 'x', phases: [] });
    expectError(answer, 400, 'phases: 至少需要1项');
    const large = await signed(http.post('/api/projects')).send({ name: 'x', unknown: 'x'.repeat(500_000) });
    expect(large.status).toBe(201);
    expect(large.headers['x-ratelimit-limit']).toBe('100');
    const rows = await app.get(DataSource).query('SELECT username FROM users');
    expect(rows).toEqual([{ username: 'lin' }]);
  } finally {
    await app.close();
  }
});

it('a prefix, pipes and modules of the caller’s own change nothing in it', async () => {
  const { app, http } = await boot([AppModule.register(), ExtraModule], (app) => {
    app.setGlobalPrefix('api');
    app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true }));
  });
  try {
    await http.get('/api/health').expect(200);
    expectError(await http.get('/api/api/health'), 404, '接口不存在');
    expect((await http.get('/api/extra/open').expect(200)).body).toEqual({ open: true });
    expectError(await http.get('/api/extra/closed'), 401, UNAUTHORIZED);
    expectError(await http.post('/api/auth/login').send({ username: 'x' }), 400, '密码不能为空');
    const { body } = await http
      .post('/api/auth/register')
      .send({ username: 'lin', password: 'secret' })
      .expect(201);
    const list = http.get('/api/ingredients?limit=101').set('Authorization', `Bearer ${body.data.token}`);
    expectError(await list, 400, 'limit: 不能大于100');
  } finally {
    await app.close();
  }
});

it('an access policy of the caller’s own decides', async () => {
  class NobodyChanges extends AccessPolicy {
    canChange = () => Promise.resolve(false);
    canConfigure = () => false;
  }
  const policy = { provide: CUSTOM_ACCESS_POLICY, useClass: NobodyChanges };
  const { app, http } = await boot([AppModule.register({ providers: [policy] })]);
  try {
    const { body } = await http
      .post('/api/auth/register')
      .send({ username: 'lin', password: 'secret' })
      .expect(201);
    const signed = (test: supertest.Test) => test.set('Authorization', `Bearer ${body.data.token}`);
    const { body: created } = await signed(http.post('/api/projects')).send({ name: 'x' }).expect(201);
    const path = `/api/projects/${created.data.id}`;
    await signed(http.get(path)).expect(200);
    expectError(await signed(http.put(path)).send({ name: 'y' }), 403, FORBIDDEN);
    expectError(await signed(http.delete(path)), 403, FORBIDDEN);
    expectError(await signed(http.put('/api/config')).send({ aiMock: 'true' }), 403, FORBIDDEN);
  } finally {
    await app.close();
  }
});
