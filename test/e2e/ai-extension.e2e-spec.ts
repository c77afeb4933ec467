import { hash } from 'node:crypto';
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
  record,
  TooManyRequestsError,
} from '../../src/index';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { messagesOf } from '../support/event-stream';
import { option, PREDICTION } from '../support/fake-providers/sample-answers';

/** A company's own model. */
@Injectable()
class GammaProvider implements AiProvider {
  readonly name = 'gamma';
  readonly defaultModel = 'gamma-1';
  readonly capabilities = { remote: true, streaming: false };
  readonly asked: CompletionRequest[] = [];

  serves(model: string): boolean {
    return model.startsWith('gamma');
  }

  isConfigured(): Promise<boolean> {
    return Promise.resolve(true);
  }

  complete(request: CompletionRequest): Promise<Completion> {
    this.asked.push(request);
    const answers: Record<string, unknown> = {
      'predict-formula': PREDICTION,
      'explore-formula': { options: [option('whole')] },
      'name-product': { name: '晨露' },
    };
    return Promise.resolve({ text: JSON.stringify(answers[request.schema.name]), tokensUsed: 5 });
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
