import { randomBytes } from 'node:crypto';
import { Controller, Get, Logger, Module, Post } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { AppModule } from '../../src/app.module';
import { parseEnvironment } from '../../src/platform/config/environment';
import { ServiceLogger } from '../../src/platform/server/service-logger';
import { DatabaseService, Public, TransactionManager } from '../../src/index';
import { bootAiApp, SECRET_KEY } from '../support/ai-app';
import { type Account, bootApp, type TestApp } from '../support/app';
import { ingredientInput, wholeOf } from '../support/factories';
import { answers, fails } from '../support/fake-providers';
import { EXTRACTION, PREDICTION } from '../support/fake-providers/sample-answers';
import { type SpanTree, TraceCollector } from '../support/trace-collector';

const logger = new Logger('Extension');

/** What an extension does with OpenTelemetry's API. */
@Public()
@Controller('ext/traced')
class TracedController {
  constructor(
    private readonly database: DatabaseService,
    private readonly transactions: TransactionManager,
  ) {}

  @Get()
  async one() {
    return trace.getTracer('lab').startActiveSpan('weigh', async (span) => {
      await Promise.resolve();
      await this.database.query({ name: 'lab.weigh', text: 'SELECT 1' });
      await this.transactions.run(async () => {
        await this.database.query({ name: 'lab.pour', text: 'SELECT 2' });
        await this.database.orm((manager) => manager.query('SELECT 3'));
      });
      logger.log('weighed');
      span.end();
      return {};
    });
  }

  @Post('many')
  many() {
    for (let at = 0; at < 5000; at += 1) trace.getTracer('lab').startSpan('grain').end();
    return {};
  }

  @Get('broken')
  async broken() {
    await this.database.query({ name: 'lab.broken', text: `SELECT 'spilled-2718'::int` });
  }

  @Get('unnamed')
  async unnamed() {
    await this.database.query({ text: `SELECT 'written-1618'` });
    return {};
  }
}

@Module({ controllers: [TracedController] })
class TracedModule {}

/** Several starts and ends of the service, on a machine that may be busy. */
const PATIENCE = 120_000;

const newTraceId = () => randomBytes(16).toString('hex');
const CALLER = '00f067aa0ba902b7';
/** As a caller that traces names itself. */
const traceparent = (traceId: string, flags = '01') => `00-${traceId}-${CALLER}-${flags}`;

const namesOf = ({ name, below }: SpanTree): string[] => [name, ...below.flatMap(namesOf)];

describe('Traces', () => {
  let collector: TraceCollector;
  let service: TestApp;
  const SECRETS = {
    password: 'pw-Hunter2-of-lin',
    ingredient: '玫瑰秘方',
    formula: 'Secret-Cream-31415',
    search: 'search-of-lin-1414',
    path: 'path-of-lin-1732',
    header: 'header-of-lin-2236',
    value: 'spilled-2718',
    text: 'written-1618',
    tracestate: 'state-of-lin-9',
  };
  const ids = {
    read: newTraceId(),
    list: newTraceId(),
    login: newTraceId(),
    ingredient: newTraceId(),
    created: newTraceId(),
    own: newTraceId(),
    broken: newTraceId(),
    unnamed: newTraceId(),
    unknown: newTraceId(),
    unrecorded: newTraceId(),
  };
  const lines: Record<string, unknown>[] = [];
  let user: Account;
  let formulaId: string;

  // What is sent waits for others, and for the end of the service at the latest.
  beforeAll(async () => {
    collector = await TraceCollector.start();
    service = await bootApp({
      settings: { TRACES_URL: collector.url, TRACES_SHARE: 'off', ACCESS_LOG: 'on' },
      module: { imports: [AppModule.register({ extensions: [TracedModule] })] },
    });
    service.app.useLogger(
      ServiceLogger.for(parseEnvironment({ NODE_ENV: 'test', LOG_LEVEL: 'info' }), {
        write: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
      }),
    );
    user = await service.register('lin', SECRETS.password);
    const send = (test: ReturnType<Account['get']>, traceId: string, flags?: string) =>
      test.set('traceparent', traceparent(traceId, flags)).set('tracestate', `lab=${SECRETS.tracestate}`);
    await send(
      service.http.post('/api/auth/login').send({ username: 'lin', password: SECRETS.password }),
      ids.login,
    ).expect(200);
    const ingredient = ingredientInput({ chineseName: SECRETS.ingredient });
    const made = await send(user.post('/api/ingredients', ingredient), ids.ingredient).expect(201);
    const { id } = made.body.data as { id: string };
    const { body } = await send(
      user.post('/api/formulas', { name: SECRETS.formula, phases: wholeOf(id) }),
      ids.created,
    ).expect(201);
    formulaId = body.data.id;
    await send(user.get(`/api/formulas/${formulaId}`), ids.read).expect(200);
    await send(user.get(`/api/formulas?search=${SECRETS.search}`), ids.list)
      .set('X-Secret', SECRETS.header)
      .expect(200);
    await send(service.http.get(`/api/${SECRETS.path}`), ids.unknown).expect(404);
    await send(service.http.get('/api/ext/traced'), ids.own).expect(200);
    await send(service.http.get('/api/ext/traced/broken'), ids.broken).expect(500);
    await send(service.http.get('/api/ext/traced/unnamed'), ids.unnamed).expect(200);
    await send(user.get('/api/projects'), ids.unrecorded, '00').expect(200);
    await user.get('/api/projects').set('traceparent', 'nonsense').expect(200);
    await send(service.http.get('/api/health'), newTraceId()).expect(200);
    await service.close();
  }, PATIENCE);
  afterAll(() => collector.stop());

  it('are sent to where collectors take them, with the service’s name', () => {
    expect(collector.requests[0]).toEqual({ path: '/v1/traces', type: 'application/json' });
    expect(collector.resources[0]).toMatchObject({
      'service.name': 'formula-development-service',
      'service.instance.id': expect.any(String),
    });
  });

  it('go on with the caller’s, one span for the request, named by the pattern of its route', () => {
    const request = collector.one('GET /api/formulas/:id', ids.read);
    expect(request).toMatchObject({ parentId: CALLER, kind: 2, isError: false });
    expect(request.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/api/formulas/:id',
      'http.response.status_code': 200,
    });
  });

  it('have the statements of a request below it, by their names', () => {
    const request = collector.one('GET /api/formulas/:id', ids.read);
    const statements = collector.below(request);
    expect(statements.map(({ name }) => name)).toContain('formulas.read');
    for (const { name, kind, attributes } of statements) {
      expect(kind).toBe(3);
      expect(attributes).toEqual({ 'db.system.name': 'postgresql', 'db.query.summary': name });
    }
    const list = namesOf(collector.tree(collector.one('GET /api/formulas', ids.list)));
    expect(list.filter((name) => name.startsWith('formulas.'))).not.toEqual([]);
  });

  it('have spans that an extension makes with OpenTelemetry’s API, beside what it does in a transaction', () => {
    expect(collector.tree(collector.one('GET /api/ext/traced', ids.own)).below).toEqual([
      {
        name: 'weigh',
        below: [
          { name: 'lab.weigh', below: [] },
          { name: 'lab.pour', below: [] },
          { name: 'entities', below: [] },
        ],
      },
    ]);
  });

  it('tell of a failure its kind and PostgreSQL’s code, not its text', () => {
    const request = collector.one('GET /api/ext/traced/broken', ids.broken);
    expect(request.isError).toBe(true);
    expect(request.attributes).toMatchObject({ 'http.response.status_code': 500 });
    const [statement] = collector.below(request);
    expect(statement).toMatchObject({ name: 'lab.broken', isError: true });
    expect(statement!.attributes).toMatchObject({ 'db.response.status_code': '22P02' });
    expect(collector.below(collector.one('GET /api/ext/traced/unnamed', ids.unnamed))[0]!.name).toBe(
      'unnamed',
    );
  });

  it('name what no route takes by its method', () => {
    const { attributes } = collector.one('GET', ids.unknown);
    expect(attributes).not.toHaveProperty('http.route');
    expect(attributes).toMatchObject({ 'http.response.status_code': 404, 'error.type': 'route.not-found' });
  });

  it('are not recorded where the caller does not, where chance says no, and of probes', () => {
    const traceIds = new Set(collector.spans.map(({ traceId }) => traceId));
    const { unrecorded, ...recorded } = ids;
    expect([...traceIds].sort()).toEqual(Object.values(recorded).sort());
    expect(traceIds).not.toContain(unrecorded);
  });

  it('stand in the log lines of their requests, and in no other', () => {
    const weighed = lines.find(({ msg }) => msg === 'weighed');
    expect(weighed).toMatchObject({ traceId: ids.own, requestId: expect.any(String) });
    const access = lines.filter(({ context }) => context === 'Access');
    expect(access.find(({ route }) => route === '/api/formulas/:id')).toMatchObject({ traceId: ids.read });
    expect(access.filter(({ route }) => route === '/api/projects')).not.toEqual([]);
    for (const line of access.filter(({ route }) => route === '/api/projects')) {
      expect(line).not.toHaveProperty('traceId');
    }
  });

  it.each(Object.entries(SECRETS))('hold no %s', (_, secret) => {
    expect(collector.text.includes(secret)).toBe(false);
  });

  it('hold no token, no id, no statement and no address', () => {
    for (const word of [user.token.slice(0, 40), user.id, formulaId, 'SELECT', 'INSERT', '127.0.0.1']) {
      expect({ word, isIn: collector.text.includes(word) }).toEqual({ word, isIn: false });
    }
  });
});

describe('Traces of AI calls', () => {
  const ALPHA = 'alpha';
  const secret = 'Secret-Serum-27182';
  const ids = { answered: newTraceId(), cached: newTraceId(), retried: newTraceId(), streamed: newTraceId() };
  let collector: TraceCollector;
  let answer = '';
  let sent: Record<string, unknown>[];

  const linesOf = (name: string) => ({ ingredients: [{ name, percentage: 5, category: 'other' }] });

  beforeAll(async () => {
    collector = await TraceCollector.start();
    const ai = await bootAiApp(ALPHA, { settings: { TRACES_URL: collector.url, AI_DEFAULT_MODEL: 'gpt-x' } });
    const post = async (path: string, body: object, traceId: string) => {
      const { text } = await ai.user
        .post(path, body)
        .set('traceparent', traceparent(traceId))
        .buffer(true)
        .expect(200);
      answer += text;
    };
    ai.fake.reset(answers(PREDICTION, { tokens: 7 }));
    await post('/api/ai/predict-formula', linesOf(secret), ids.answered);
    await post('/api/ai/predict-formula', linesOf(secret), ids.cached);
    ai.fake.script.push(fails(503));
    await post('/api/ai/predict-formula', linesOf(`${secret}-again`), ids.retried);
    ai.fake.otherwise = answers(EXTRACTION);
    await post('/api/ai/extract-formula', { text: `${secret} 水 80%` }, ids.streamed);
    sent = ai.fake.received.map(({ headers }) => headers);
    await ai.close();
  }, PATIENCE);
  afterAll(() => collector.stop());

  const callBelow = (route: string, traceId: string) => {
    const call = collector.below(collector.one(route, traceId)).filter(({ name }) => name.startsWith('ai '));
    expect(call).toHaveLength(1);
    return call[0]!;
  };

  it('have the call below the request', () => {
    const call = callBelow('POST /api/ai/predict-formula', ids.answered);
    expect(call.attributes).toEqual({
      'formula.ai.capability': call.name.slice('ai '.length),
      'gen_ai.provider.name': ALPHA,
      'gen_ai.request.model': 'gpt-x',
      'formula.ai.outcome': 'answered',
      'formula.ai.tokens': 7,
      'formula.ai.cache': 'miss',
    });
  });

  it('show an answer of the cache, which asks nobody and costs nothing', () => {
    const call = callBelow('POST /api/ai/predict-formula', ids.cached);
    expect(call.attributes).toMatchObject({
      'formula.ai.outcome': 'cached',
      'formula.ai.cache': 'hit',
      'formula.ai.tokens': 0,
    });
  });

  it('show a streamed answer until its end', () => {
    const call = callBelow('POST /api/ai/extract-formula', ids.streamed);
    expect(call.attributes).toMatchObject({ 'formula.ai.outcome': 'answered' });
  });

  it('have nothing below a call: its audit row is written with those of others', () => {
    const { below } = collector.tree(callBelow('POST /api/ai/predict-formula', ids.answered));
    expect(below).toEqual([]);
  });

  it('do not tell a provider of the trace', () => {
    expect(sent).toHaveLength(4);
    for (const headers of sent) expect(Object.keys(headers)).not.toContain('traceparent');
  });

  it('hold no prompt, no answer, no key and no path', () => {
    expect(answer).not.toBe('');
    for (const word of [secret, SECRET_KEY, 'Bearer', 'chat/completions', '预设', '水', 'sensoryIndex']) {
      expect({ word, isIn: collector.text.includes(word) }).toEqual({ word, isIn: false });
    }
  });
});

jest.setTimeout(PATIENCE);

describe('A collector', () => {
  const warnings: string[] = [];
  const logs: string[] = [];
  let collector: TraceCollector;
  let service: TestApp;

  const boot = async () => {
    service = await bootApp({
      settings: { TRACES_URL: collector.url },
      module: { imports: [AppModule.register({ extensions: [TracedModule] })] },
    });
    warnings.splice(0);
    logs.splice(0);
    jest.spyOn(Logger.prototype, 'warn').mockImplementation((text: unknown) => warnings.push(String(text)));
    jest.spyOn(Logger.prototype, 'log').mockImplementation((text: unknown) => logs.push(String(text)));
  };
  const until = async (isSo: () => boolean) => {
    while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
  };
  const ask = () => service.http.get('/api/ext/traced').expect(200);
  /** Makes a whole batch, which is sent at once. */
  const fill = () => service.http.post('/api/ext/traced/many').expect(201);

  beforeEach(async () => {
    collector = await TraceCollector.start();
    await boot();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await service.close();
    await collector.stop();
  });

  it('that is away is told of once, and once when it is back', async () => {
    const { port } = collector;
    await collector.stop();
    for (let round = 0; round < 3; round += 1) await fill();
    await until(() => warnings.length > 0);
    await ask();
    expect(warnings).toEqual([
      'The collector of TRACES_URL takes no traces (ECONNREFUSED): they are dropped',
    ]);
    collector = await TraceCollector.start(port);
    await fill();
    await until(() => logs.includes('The collector of TRACES_URL takes traces again'));
    expect(warnings).toHaveLength(1);
  });

  it('that refuses is told of', async () => {
    collector.status = 503;
    await fill();
    await until(() => warnings.length > 0);
    await ask();
    expect(warnings[0]).toContain('(Export failed with retryable status)');
  });

  it('that says nothing holds nobody up, gets a bounded number, and is cut at the end', async () => {
    collector.status = undefined;
    const startedAt = performance.now();
    for (let round = 0; round < 2; round += 1) await fill();
    await ask();
    await service.close();
    await until(() => collector.cut > 0);
    expect(collector.spans.length).toBeGreaterThan(0);
    // The exporter sends a batch at once, and another each time it gives one up. 2,048 spans wait for the end.
    const batches = 1 + Math.floor((performance.now() - startedAt) / 5000);
    // It may send a batch again whose connection was cut.
    const sent = new Set(collector.spans.map(({ spanId }) => spanId));
    expect(sent.size).toBeLessThanOrEqual(512 * batches + 2048);
    await boot();
  });
});
