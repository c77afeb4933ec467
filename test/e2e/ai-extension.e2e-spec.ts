import { hash } from 'node:crypto';
import dns from 'node:dns';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Get,
  Injectable,
  Logger,
  Module,
  type NestInterceptor,
} from '@nestjs/common';
import { finalize, lastValueFrom, type Observable } from 'rxjs';
import { DataSource } from 'typeorm';
import { z } from 'zod';
import {
  AI_INTERCEPTOR,
  AI_PROVIDER,
  aiCallOf,
  type AiEvent,
  AiFailure,
  AiModule,
  type AiProvider,
  AiService,
  AiStrategy,
  AppModule,
  type Capability,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
  predictFormula,
  type ProviderAccess,
  providerFetch,
  record,
  statusFailure,
  TooManyRequestsError,
} from '../../src/index';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { messagesOf } from '../support/event-stream';
import { option, PREDICTION } from '../support/fake-providers/sample-answers';

/** A company's own model; another version of it is asked over HTTP, at the configured address. */
@Injectable()
class GammaProvider implements AiProvider {
  readonly name = 'gamma';
  readonly defaultModel = 'gamma-1';
  readonly capabilities = { remote: true, streaming: false };
  readonly asked: CompletionRequest[] = [];

  serves(model: string): boolean {
    return model.startsWith('gamma');
  }

  isConfigured({ key, baseUrl }: ProviderAccess): Promise<boolean> {
    return Promise.resolve(baseUrl === undefined || key !== undefined);
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    this.asked.push(request);
    if (request.access.baseUrl !== undefined) return this.fetched(request);
    const answers: Record<string, unknown> = {
      'predict-formula': PREDICTION,
      'explore-formula': { options: [option('whole')] },
      'name-product': { name: '晨露' },
    };
    return { text: JSON.stringify(answers[request.schema.name]), tokensUsed: 5 };
  }

  private async fetched({ access, signal }: CompletionRequest): Promise<Completion> {
    const headers = { 'x-api-key': String(access.key) };
    const answer = await providerFetch(access)(String(access.baseUrl), { headers, signal }).catch(() => {
      throw new AiFailure('connection', this.name, { retryable: true });
    });
    const header = (name: string) => answer.headers.get(name);
    if (!answer.ok) throw statusFailure(this.name, answer.status, header, Date.now());
    return { text: await answer.text() };
  }

  // eslint-disable-next-line require-yield, @typescript-eslint/require-await -- it has no streams
  async *stream(): AsyncGenerator<CompletionChunk> {
    throw new Error('not asked for');
  }
}

/** A company's own rules: what it sees of every call, a budget for each user, and what must not leave. */
@Injectable()
class WatchingInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  readonly seen: string[] = [];
  readonly spent = new Map<string, number>();
  budget = Infinity;

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    expect(context.getType<string>()).toBe('ai');
    expect(() => context.switchToHttp()).toThrow('no transport');
    const call = aiCallOf(context);
    this.seen.push(call.capability.name);
    const who = call.user?.username ?? 'nobody';
    if ((this.spent.get(who) ?? 0) >= this.budget) throw new TooManyRequestsError(60);
    call.withPrompt({ user: call.prompt.user.replaceAll('客户甲', '***') });
    const count = () => this.spent.set(who, (this.spent.get(who) ?? 0) + (call.usage.tokens ?? 0));
    return next.handle().pipe(finalize(count));
  }
}

/** A company's own capability. */
const nameProduct: Capability<{ idea: string }, { name: string }> = {
  name: 'name-product',
  schema: z.object({ name: z.string() }),
  whenFailed: 'preset',
  maxTokens: 100,
  prompt: ({ idea }) => ({ system: 'Name a product.', user: idea }),
  preset: () => ({ name: '未命名' }),
};

/** A company's own service: it asks the service's capabilities, and which provider answers them. */
@Injectable()
class Prediction {
  constructor(
    private readonly ai: AiService,
    private readonly strategy: AiStrategy,
  ) {}

  async of(name: string) {
    const { provider, model } = await this.strategy.current();
    const call = this.ai.call(predictFormula, { ingredients: [{ name, percentage: 1, category: 'other' }] });
    return { provider: provider.name, model, ...(await lastValueFrom(call)) };
  }
}

@Controller('ext/naming')
class NamingController {
  constructor(private readonly ai: AiService) {}

  @Get()
  async name() {
    return record((await lastValueFrom(this.ai.call(nameProduct, { idea: '为客户甲命名' }))).answer);
  }

  @Get('failed')
  failed() {
    throw new AiFailure('timeout', 'gamma', { retryable: true });
  }
}

@Module({
  imports: [AiModule],
  controllers: [NamingController],
  providers: [
    Prediction,
    GammaProvider,
    WatchingInterceptor,
    { provide: AI_PROVIDER, useExisting: GammaProvider },
    { provide: AI_INTERCEPTOR, useExisting: WatchingInterceptor },
  ],
})
class CompanyModule {}

describe('AI extended from outside', () => {
  let app: TestApp;
  let user: Account;

  beforeAll(async () => {
    app = await bootApp({
      module: { imports: [AppModule.register({ extensions: [CompanyModule] })] },
      settings: { AI_MOCK: 'false', AI_DEFAULT_MODEL: 'gamma-2' },
    });
    user = await app.register();
  });
  afterAll(() => app.close());

  it('uses the provider that serves the default model', async () => {
    const { text } = await user
      .post('/api/ai/predict-formula', { ingredients: [{ name: 'x', percentage: 1, category: 'y' }] })
      .buffer(true)
      .expect(200);
    expect(JSON.parse(messagesOf(text)[0].content)).toEqual(PREDICTION);
    expect(app.app.get(GammaProvider, { strict: false }).asked.at(-1)?.model).toBe('gamma-2');
  });

  it('gives the options of a provider that cannot stream', async () => {
    const { text } = await user.post('/api/ai/explore-formula', { costLimit: 99 }).buffer(true).expect(200);
    expect(messagesOf(text)).toEqual([{ type: 'option', option: option('whole') }, { type: 'done' }]);
  });

  it('runs an interceptor from outside around every call, cached ones too', async () => {
    const { seen } = app.app.get(WatchingInterceptor, { strict: false });
    seen.length = 0;
    for (let i = 0; i < 2; i++) await user.post('/api/ai/explore-formula', { costLimit: 98 }).expect(200);
    expect(seen).toEqual(['explore-formula', 'explore-formula']);
  });

  it('lets an interceptor take out what must not leave, and count what each user spends', async () => {
    const rules = app.app.get(WatchingInterceptor, { strict: false });
    rules.spent.clear();
    const lin = await app.register();
    const audited = () =>
      app.app
        .get(DataSource)
        .query('SELECT prompt_hash AS hash, tokens_used AS tokens FROM ai_audit_logs WHERE user_id = $1', [
          lin.id,
        ]);
    await lin.get('/api/ext/naming').expect(200, { data: { name: '晨露' } });
    const { asked } = app.app.get(GammaProvider, { strict: false });
    expect(asked.at(-1)?.user).toBe('为***命名');
    expect(rules.spent.get(lin.username)).toBe(5);
    const sent = hash('sha256', 'Name a product.\n\n为***命名');
    expect(await audited()).toEqual([{ hash: sent, tokens: 5 }]);
    // From the cache: it costs nothing.
    await lin.get('/api/ext/naming').expect(200);
    expect(rules.spent.get(lin.username)).toBe(5);
    rules.budget = 5;
    expectError(await lin.get('/api/ext/naming'), 429, '请求过于频繁,请稍后再试');
    await user.get('/api/ext/naming').expect(200);
    rules.budget = Infinity;
  });

  it('answers a failed call as one of the provider’s', async () => {
    jest.spyOn(Logger.prototype, 'error').mockImplementation();
    expectError(await user.get('/api/ext/naming/failed'), 504, 'AI 服务暂时不可用,请稍后重试');
    jest.restoreAllMocks();
  });

  it('lets a module ask a capability, and which provider answers now', async () => {
    const prediction = app.app.get(Prediction, { strict: false });
    const asked = await prediction.of('z');
    expect(asked).toEqual({ provider: 'gamma', model: 'gamma-2', answer: PREDICTION, source: 'gamma' });
    await user.put('/api/config', { aiMock: 'true' }).expect(200);
    expect(await prediction.of('z')).toMatchObject({ provider: 'mock', model: 'mock', source: 'mock' });
    await user.put('/api/config', { aiMock: null }).expect(200);
    const strategy = app.app.get(AiStrategy, { strict: false });
    expect(strategy.named('gamma')).toMatchObject({ model: 'gamma-2' });
    expect(strategy.named('beta')?.provider.name).toBe('beta');
  });

  it('takes a capability from outside through the same pipeline', async () => {
    const ai = app.app.get(AiService);
    expect(await lastValueFrom(ai.call(nameProduct, { idea: '清晨' }))).toEqual({
      answer: { name: '晨露' },
      source: 'gamma',
    });
    expect(await lastValueFrom(ai.call(nameProduct, { idea: '清晨' }))).toMatchObject({ source: 'cache' });
  });
});

describe('A provider from outside', () => {
  const KEY = 'sk-gamma-0123456789';
  const EXTENDED = { imports: [AppModule.register({ extensions: [CompanyModule] })] };
  let server: Server;
  let address: string;
  let app: TestApp;
  let user: Account;
  /** Keys that arrived at the provider. */
  let keys: unknown[];

  beforeAll(async () => {
    server = createServer((request, response) => {
      keys.push(request.headers['x-api-key']);
      const isRight = request.headers['x-api-key'] === KEY;
      response.writeHead(isRight ? 200 : 401).end(isRight ? '{"ok":true}' : `bad key ${KEY}`);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/token-in-path/v1`;
    app = await bootApp({ module: EXTENDED, settings: { AI_MOCK: 'false' } });
    user = await app.register();
  });
  afterAll(async () => {
    await app.close();
    server.close();
  });
  beforeEach(() => (keys = []));
  afterEach(() => user.put('/api/config', { gammaKey: '', gammaBaseUrl: '', alphaKey: '' }).expect(200));

  const list = async () => (await user.get('/api/ext/ai/providers').expect(200)).body.data as unknown;
  const test = async () =>
    (await user.post('/api/config/test', { provider: 'gamma' }).expect(200)).body as object;
  const stored = (): Promise<{ name: string; value: string }[]> =>
    app.app.get(DataSource).query('SELECT name, value FROM runtime_settings ORDER BY name');

  it('is listed with what is configured, its key never, and so to every user', async () => {
    const nothing = { name: 'gamma', defaultModel: 'gamma-1', hasKey: false, baseUrl: null };
    expect(await list()).toEqual([nothing]);
    await user.put('/api/config', { gammaKey: KEY, gammaBaseUrl: address }).expect(200, { ok: true });
    expect(await list()).toEqual([{ ...nothing, hasKey: true, baseUrl: new URL(address).origin }]);
    expect((await user.get('/api/config').expect(200)).body).toEqual({
      aiMock: 'false',
      hasAlpha: false,
      hasBeta: false,
    });
    await app.http.get('/api/ext/ai/providers').expect(401);
  });

  it('gets key and address that are stored, sealed, and those are taken back', async () => {
    await user.put('/api/config', { gammaKey: ` ${KEY} `, gammaBaseUrl: address, alphaKey: 'k' }).expect(200);
    const rows = await stored();
    expect(rows.map(({ name }) => name)).toEqual(['alphaKey', 'gammaBaseUrl', 'gammaKey']);
    expect(JSON.stringify(rows)).not.toMatch(/sk-gamma|token-in-path/);
    expect(await test()).toEqual({ ok: true, model: 'gamma-1' });
    expect(keys).toEqual([KEY]);
    await user.put('/api/config', { gammaKey: 'wrong' }).expect(200);
    expect(await test()).toEqual({ ok: false, error: 'gamma API 密钥无效或没有权限' });
    await user.put('/api/config', { gammaKey: null }).expect(200);
    expect(await test()).toEqual({ ok: false, error: 'gamma 未配置 API 密钥' });
    await user.put('/api/config', { gammaBaseUrl: '' }).expect(200);
    expect((await stored()).map(({ name }) => name)).toEqual(['alphaKey']);
  });

  it.each([
    [{ gammaKey: 5 }, 'gammaKey: 必须是字符串'],
    [{ gammaKey: '密钥' }, 'gammaKey: 只能包含可见的 ASCII 字符'],
    [{ gammaKey: 'x'.repeat(1001) }, 'gammaKey: 不能超过1000个字符'],
    [{ gammaBaseUrl: 'ftp://x' }, 'gammaBaseUrl: 必须是 http 或 https 地址'],
    [{ gammaBaseUrl: 'http://user@host' }, 'gammaBaseUrl: 必须是 http 或 https 地址'],
    [{ alphaBaseUrl: 'x', gammaKey: '' }, 'alphaBaseUrl: 必须是 http 或 https 地址'],
  ])('has fields with the rules of the others: %j', async (sent, error) => {
    expectError(await user.put('/api/config', { betaKey: KEY, ...sent }), 400, error);
    expect(await stored()).toEqual([]);
  });

  it('is one that can be tested, and others are not', async () => {
    const values = 'provider: 必须是以下值之一: alpha, beta, gamma';
    expectError(await user.post('/api/config/test', { provider: 'delta' }), 400, values);
    expectError(await user.post('/api/config/test', {}), 400, 'provider: 不能为空');
    expect((await user.post('/api/config/test', { provider: 'alpha' }).expect(200)).body).toEqual({
      ok: false,
      error: 'alpha 未配置 API 密钥',
    });
  });

  it('loses the key to no address that a user stores', async () => {
    const own = await bootApp({ module: EXTENDED, settings: { GAMMA_API_KEY: KEY, AI_MOCK: 'false' } });
    const lin = await own.register();
    const listed = async () => (await lin.get('/api/ext/ai/providers').expect(200)).body as unknown;
    expect(await listed()).toMatchObject({ data: [{ hasKey: true }] });
    await lin.put('/api/config', { gammaBaseUrl: address }).expect(200);
    expect(await listed()).toMatchObject({ data: [{ hasKey: false }] });
    const { body } = await lin.post('/api/config/test', { provider: 'gamma' }).expect(200);
    expect(body).toEqual({ ok: false, error: 'gamma 保存的地址不使用环境变量中的密钥,请同时保存密钥' });
    expect(keys).toEqual([]);
    await own.close();
  });

  it('is asked at no private address where the operator forbids it, and configured by who may', async () => {
    const settings = { AI_REFUSE_PRIVATE_ADDRESSES: 'true', CONFIG_WRITE_ROLE: 'admin' };
    const own = await bootApp({ module: EXTENDED, settings });
    const engineer = await own.register();
    const forbidden = '无权限执行此操作';
    expectError(await engineer.put('/api/config', { gammaKey: KEY }), 403, forbidden);
    expectError(await engineer.post('/api/config/test', { provider: 'gamma' }), 403, forbidden);
    await own.app.get(DataSource).query(`UPDATE users SET role = 'admin'`);
    const change = (host: string) => ({ gammaKey: KEY, gammaBaseUrl: address.replace('127.0.0.1', host) });
    expectError(
      await engineer.put('/api/config', change('127.0.0.1')),
      400,
      'gammaBaseUrl: 不能指向本机或内部网络',
    );
    const leading = dns.lookup;
    jest
      .spyOn(dns, 'lookup')
      .mockImplementation(((name: string, ...rest: [never, never]) =>
        leading(name === 'lab.example' ? 'localhost' : name, ...rest)) as never);
    await engineer.put('/api/config', change('lab.example')).expect(200);
    const { body } = await engineer.post('/api/config/test', { provider: 'gamma' }).expect(200);
    expect(body).toEqual({ ok: false, error: 'gamma 无法连接,请检查地址与网络' });
    expect(keys).toEqual([]);
    jest.restoreAllMocks();
    await own.close();
  });

  it('that has the name of one of ours ends the start, with both modules', async () => {
    @Module({ providers: [{ provide: AI_PROVIDER, useValue: { name: 'alpha' } }] })
    class OtherAlphaModule {}
    const imports = [AppModule.register({ extensions: [OtherAlphaModule] })];
    await expect(bootApp({ module: { imports } })).rejects.toThrow(
      /"alpha" in (OtherAlphaModule|AlphaModule) has the name of one in (OtherAlphaModule|AlphaModule)/,
    );
  });

  it('whose module is left out keeps what is stored, and nothing uses it', async () => {
    const plain = await bootApp();
    const lin = await plain.register();
    await plain.app
      .get(DataSource)
      .query(`INSERT INTO runtime_settings (name, value) VALUES ('gammaKey', 'x')`);
    await lin.put('/api/config', { gammaKey: 'other', aiMock: 'true' }).expect(200);
    expect(
      await plain.app.get(DataSource).query(`SELECT value FROM runtime_settings WHERE name = 'gammaKey'`),
    ).toEqual([{ value: 'x' }]);
    await lin.get('/api/ext/ai/providers').expect(404);
    await plain.close();
  });
});
