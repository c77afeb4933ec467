import { type AddressInfo, connect } from 'node:net';
import { Body, Controller, Get, Headers, Logger, Module, Post } from '@nestjs/common';
import { AppModule } from '../../src/app.module';
import { parseEnvironment } from '../../src/platform/config/environment';
import { ServiceLogger } from '../../src/platform/server/service-logger';
import { explainStartError } from '../../src/platform/server/start-errors';
import { Public } from '../../src/index';
import { bootApp, type TestApp } from '../support/app';
import { fails, FakeProvider } from '../support/fake-providers';

const SECRETS = {
  password: 'pw-Hunter2-of-lin',
  adminPassword: 'pw-Admin-Of-Settings-77',
  wrongPassword: 'pw-Wrong-9f2c',
  brokenBody: 'pw-In-broken-json',
  jwtSecret: 'jwt-secret-0123456789-0123456789-xyz',
  encryptionKey: 'enc-key-0123456789-0123456789-xyz-1',
  environmentKey: 'env-key-of-beta-0123456789',
  storedKey: 'stored-key-of-alpha-0123456789',
  addressToken: 'token-in-address-77',
  databasePassword: 'db-password-5521',
  ownKey: 'own-header-key-31415926',
  query: 'query-secret-8841',
  path: 'path-secret-1177',
  wire: 'wire-secret-4242',
  cookie: 'cookie-secret-2718',
};

/** What an extension may do by mistake. */
@Public()
@Controller('ext/careless')
class CarelessController {
  private readonly logger = new Logger('Careless');

  @Get()
  fail(@Headers('authorization') authorization: string): never {
    this.logger.error(`Refused: authorization: ${authorization}`);
    this.logger.warn({ headers: { authorization }, request: { nested: { token: authorization } } });
    throw new Error(
      `upstream refused ${authorization}, at postgres://lab:${SECRETS.databasePassword}@db/lab`,
    );
  }

  @Post()
  take(@Body() body: unknown): never {
    this.logger.log({ body });
    throw new Error('no');
  }
}

@Module({ controllers: [CarelessController] })
class CarelessModule {}

describe('The log of a whole run', () => {
  const settings = {
    LOG_LEVEL: 'trace',
    ACCESS_LOG: 'on',
    AI_MOCK: 'false',
    JWT_SECRET: SECRETS.jwtSecret,
    CONFIG_ENCRYPTION_KEY: SECRETS.encryptionKey,
    BETA_API_KEY: SECRETS.environmentKey,
    ADMIN_USERNAME: 'root',
    ADMIN_PASSWORD: SECRETS.adminPassword,
  };
  let text = '';
  let service: TestApp;
  let fake: FakeProvider;
  const tokens: string[] = [];
  const logger = ServiceLogger.for(parseEnvironment({ NODE_ENV: 'test', ...settings }), {
    write: (line) => (text += line),
  });

  beforeAll(async () => {
    fake = await FakeProvider.start('alpha');
    service = await bootApp({
      settings,
      module: { imports: [AppModule.register({ extensions: [CarelessModule] })] },
    });
    service.app.useLogger(logger);
  });
  afterAll(async () => {
    await service.close();
    await fake.stop();
  });

  const post = (path: string, body: object) => service.http.post(path).send(body);

  it('is made of requests that hold secrets in every place', async () => {
    const user = await service.register('lin', SECRETS.password);
    tokens.push(user.token);
    await post('/api/auth/register', { username: 'lin', password: SECRETS.password }).expect(409);
    await post('/api/auth/login', { username: 'lin', password: SECRETS.wrongPassword }).expect(401);
    await post('/api/auth/login', { username: SECRETS.wrongPassword, password: 'x' }).expect(401);
    await service.http
      .get('/api/auth/me')
      .set('Authorization', `Bearer ${user.token}x`)
      .set('X-Api-Key', SECRETS.ownKey)
      .set('Cookie', `session=${SECRETS.cookie}`)
      .expect(401);
    const broken = service.http.post('/api/auth/login').type('json');
    await broken.send(`{"username":"lin","password":"${SECRETS.brokenBody}`).expect(400);
    await service.http.get(`/api/projects?search=${SECRETS.query}`).expect(401);
    await service.http.get(`/api/${SECRETS.path}`).expect(404);
    await service.http.get(`/api/formulas/%${SECRETS.path}`).expect(400);

    await user
      .put('/api/config', {
        alphaKey: SECRETS.storedKey,
        alphaBaseUrl: `${fake.baseUrl.replace('127.0.0.1', 'localhost')}`,
      })
      .expect(200);
    fake.reset(fails(401, { message: `Incorrect API key provided: ${SECRETS.storedKey}` }));
    await user.post('/api/config/test', { provider: 'alpha' });
    const lines = { ingredients: [{ name: 'Aqua', percentage: 100, category: 'other' }] };
    await user.put('/api/config', { aiDefaultModel: 'gpt-x' });
    await user.post('/api/ai/predict-formula', lines).buffer(true);
    await user.put('/api/config', { betaBaseUrl: `http://127.0.0.1:1/${SECRETS.addressToken}` }).expect(200);
    await user.post('/api/ai/predict-formula', lines).buffer(true);
    await user.put('/api/config', { alphaBaseUrl: `http://u:${SECRETS.addressToken}@host` }).expect(400);

    await service.http
      .get('/api/ext/careless')
      .set('Authorization', `Bearer ${SECRETS.ownKey}`)
      .set('X-Request-Id', 'careless')
      .expect(500);
    await post('/api/ext/careless', { password: SECRETS.password, token: user.token }).expect(500);
    await new Promise<void>((resolve) => {
      const socket = connect((service.app.getHttpServer().address() as AddressInfo).port, '127.0.0.1');
      socket.resume().once('close', () => resolve());
      socket.write(`GET /${SECRETS.wire} 成分\r\n\r\n`);
    });
    const url = `postgres://lab:${SECRETS.databasePassword}@127.0.0.1:1/lab`;
    const failed = await bootApp({ settings: { ...settings, DATABASE_URL: url } }).catch(
      (error: unknown) => error,
    );
    // Nest has one logger for the process: that of the application that was made last.
    service.app.useLogger(logger);
    new Logger('Start').error(failed);
    text += explainStartError(failed);
  }, 60_000);

  it('has the lines that are expected', () => {
    expect(text).toContain('"requestId":"careless"');
    for (const expected of [
      '"context":"Access"',
      'login.refused',
      'Unexpected error',
      'Cannot reach the database',
    ]) {
      expect(text).toContain(expected);
    }
    expect(fake.received.length).toBeGreaterThan(0);
    expect(text).toMatch(/failed \((alpha|beta): /);
    expect(text).toContain('Refused: authorization: Bearer [Redacted]');
  });

  it.each(Object.entries(SECRETS))('holds no %s', (_, secret) => {
    expect(text.split('\n').filter((line) => line.includes(secret))).toEqual([]);
  });

  it('holds no token', () => {
    expect(tokens).toHaveLength(1);
    for (const token of tokens) expect(text).not.toContain(token.slice(0, 40));
    expect(text).not.toMatch(/eyJ/);
  });
});
