import { randomBytes } from 'node:crypto';
import { Controller, Get, Injectable, Logger, Module, type Type } from '@nestjs/common';
import { Throttle, type ThrottlerStorage } from '@nestjs/throttler';
import {
  AI_ANSWER_STORE,
  AI_RATE_STORE,
  type AiAnswerStore,
  type AiRateStore,
  AppModule,
  Clock,
  Public,
  THROTTLER_STORAGE,
} from '../../src';
import { SharedCalls } from '../../src/ai/pipeline/cache/shared-calls';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { expectError } from '../support/answers';
import { bootApp, type TestApp } from '../support/app';
import { ManualClock } from '../support/clock';
import { messagesOf } from '../support/event-stream';
import { answers } from '../support/fake-providers';
import { PREDICTION } from '../support/fake-providers/sample-answers';

const TOO_MANY = '请求过于频繁,请稍后再试';
/** Instances that share a store have the same secret, as they must for tokens. */
const JWT_SECRET = randomBytes(32).toString('hex');
const SECRET = 'redis-password-7';

/** What every kind of store may do instead of answering. */
const FAULTS: [string, () => unknown][] = [
  ['hangs', () => new Promise(() => undefined)],
  ['rejects', () => Promise.reject(new Error(SECRET))],
  [
    'throws',
    () => {
      throw new TypeError(SECRET);
    },
  ],
  ['answers NaN', () => Promise.resolve(NaN)],
  ['answers a negative number', () => Promise.resolve(-1)],
  ['answers a text', () => Promise.resolve('OK')],
  ['answers another shape', () => Promise.resolve({ hits: [1, 2] })],
];

const timesLogged = (logged: jest.SpyInstance, line: RegExp) =>
  logged.mock.calls.filter(([first]) => line.test(String(first))).length;

function providing(token: symbol, useValue: unknown): Type {
  @Module({ providers: [{ provide: token, useValue }] })
  class StoreModule {}
  return StoreModule;
}

describe('THROTTLER_STORAGE', () => {
  /** As a server would count for all instances; its ways can be changed. */
  class Counts implements ThrottlerStorage {
    readonly asked: unknown[][] = [];
    fault: (() => unknown) | undefined;
    private readonly hits = new Map<string, { count: number; endsAt: number }>();

    constructor(private readonly clock: Clock) {}

    increment(...hit: [string, number, number, number, string]): ReturnType<ThrottlerStorage['increment']> {
      const [key, ttl, limit, , name] = hit;
      this.asked.push(hit);
      if (this.fault) return this.fault() as ReturnType<ThrottlerStorage['increment']>;
      const now = this.clock.now();
      let window = this.hits.get(`${name}:${key}`);
      if (!window || window.endsAt <= now) window = { count: 0, endsAt: now + ttl };
      this.hits.set(`${name}:${key}`, window);
      window.count++;
      const left = Math.ceil((window.endsAt - now) / 1000);
      const isBlocked = window.count > limit;
      return Promise.resolve({
        totalHits: window.count,
        timeToExpire: left,
        isBlocked,
        timeToBlockExpire: left,
      });
    }
  }

  @Controller('ext/limits')
  class LimitsController {
    @Public()
    @Get('few')
    @Throttle({ default: { limit: 2, ttl: 1000 } })
    few() {
      return { data: {} };
    }
  }

  @Module({ controllers: [LimitsController] })
  class LimitsModule {}

  const clock = new ManualClock();
  const failed = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const recovered = jest.spyOn(Logger.prototype, 'log').mockImplementation();
  let counts: Counts;
  let one: TestApp;
  let other: TestApp;

  const instance = () =>
    bootApp({
      settings: { THROTTLE_LIMIT: '5', THROTTLE_TTL: '60', JWT_SECRET },
      module: {
        imports: [AppModule.register({ extensions: [providing(THROTTLER_STORAGE, counts), LimitsModule] })],
      },
      adjust: (builder) => builder.overrideProvider(Clock).useValue(clock),
    });

  beforeAll(async () => {
    counts = new Counts(clock);
    [one, other] = [await instance(), await instance()];
  });
  afterAll(async () => {
    await Promise.all([one.close(), other.close()]);
    jest.restoreAllMocks();
  });
  // Windows are over, and stores that were left alone are tried again.
  beforeEach(async () => {
    counts.fault = undefined;
    clock.advance(600_000);
    for (const { http } of [one, other]) await http.get('/api/health');
    clock.advance(600_000);
    counts.asked.length = 0;
    failed.mockClear();
    recovered.mockClear();
  });

  const health = (service = one) => service.http.get('/api/health');
  const headersOf = ({ headers }: { headers: Record<string, string> }) => [
    headers['x-ratelimit-limit'],
    headers['x-ratelimit-remaining'],
    headers['x-ratelimit-reset'],
    headers['retry-after'],
  ];

  it('instances count together, and answer as one does', async () => {
    for (const [left, service] of [other, one, other, one, other].entries()) {
      const answer = await health(service).expect(200);
      expect(headersOf(answer)).toEqual(['5', String(4 - left), '60', undefined]);
    }
    clock.advance(20_500);
    for (const service of [one, other]) {
      const refused = await health(service);
      expectError(refused, 429, TOO_MANY);
      expect(headersOf(refused)).toEqual(['5', '0', '40', '40']);
    }
    clock.advance(39_500);
    await health().expect(200);
  });

  it('counts routes with limits of their own too, and by nothing that shows who asks', async () => {
    const user = await one.register();
    await user.get('/api/auth/me').expect(200);
    const few = (service: TestApp) => service.http.get('/api/ext/limits/few');
    await few(one).expect(200);
    expect(headersOf(await few(other).expect(200))).toEqual(['2', '0', '1', undefined]);
    expectError(await few(one), 429, TOO_MANY);
    for (const [key] of counts.asked) expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(counts.asked.slice(-3).map(([, ...rest]) => rest)).toEqual([
      [1000, 2, 1000, 'default'],
      [1000, 20, 1000, 'ceiling'],
      [1000, 2, 1000, 'default'],
    ]);
  });

  it.each(FAULTS)(
    'one that %s: each instance counts by itself, opens to nobody, closes nobody out, says so once',
    async (_, fault) => {
      counts.fault = fault;
      for (const service of [one, other]) {
        for (let left = 4; left >= 0; left--) {
          expect(headersOf(await health(service).expect(200))).toEqual(['5', String(left), '60', undefined]);
        }
        const refused = await health(service);
        expectError(refused, 429, TOO_MANY);
        expect(headersOf(refused)).toEqual(['5', '0', '60', '60']);
      }
      // Three failures of each instance, and then it is left alone.
      const asked = counts.asked.length;
      expect(asked).toBeLessThanOrEqual(10);
      await health();
      expect(counts.asked).toHaveLength(asked);
      expect(
        timesLogged(failed, /^THROTTLER_STORAGE fails \(.+\): requests are counted in this process$/),
      ).toBe(2);
      expect(JSON.stringify(failed.mock.calls)).not.toContain(SECRET);
      counts.fault = undefined;
      clock.advance(5000);
      for (const service of [one, other]) await health(service).expect(200);
      expect(timesLogged(recovered, /^THROTTLER_STORAGE works again$/)).toBe(2);
    },
  );

  it('two hundred at once before one that hangs wait once', async () => {
    counts.fault = () => new Promise(() => undefined);
    const statuses = await Promise.all(
      Array.from({ length: 200 }, () => health().then(({ status }) => status)),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    const asked = counts.asked.length;
    // A request needs two counts. The third failure opens the circuit, so only two requests ask for their second.
    expect(asked).toBeLessThanOrEqual(202);
    await health().expect(429);
    expect(counts.asked).toHaveLength(asked);
  });

  it('the end of an instance does not wait for one that hangs', async () => {
    const third = await instance();
    counts.fault = () => new Promise(() => undefined);
    const answer = health(third).then(({ status }) => status);
    while (counts.asked.length === 0) await new Promise(setImmediate);
    await third.close();
    expect(await answer).toBe(200);
  });
});

let prompts = 0;
const newLines = () => ({ ingredients: [{ name: `成分${++prompts}`, percentage: 5, category: 'other' }] });
const predict = (ai: AiApp, body: object) =>
  ai.user.post('/api/ai/predict-formula', body).buffer(true).expect(200);
const answerOf = ({ text }: { text: string }) => JSON.parse(messagesOf(text)[0].content) as unknown;

/** Never more than ten arrivals in any sliding second. */
function expectRate(times: number[]): void {
  times.sort((a, b) => a - b);
  for (const [index, at] of times.entries()) {
    const eleventh = times[index + 10];
    if (eleventh !== undefined) expect(eleventh - at).toBeGreaterThanOrEqual(1000);
  }
}

describe('AI_ANSWER_STORE', () => {
  const kept = new Map<string, string>();
  const store = {
    get: jest.fn((key: string) => Promise.resolve(kept.get(key))),
    set: jest.fn((key: string, value: string, ttl: number) => {
      kept.set(key, value);
      return Promise.resolve(ttl);
    }),
  } satisfies AiAnswerStore;
  let one: AiApp;
  let other: AiApp;
  const extensions = [providing(AI_ANSWER_STORE, store)];

  beforeAll(async () => {
    one = await bootAiApp('alpha', { extensions, settings: { JWT_SECRET } });
    const settings = { JWT_SECRET, ALPHA_BASE_URL: one.fake.baseUrl };
    other = await bootAiApp('alpha', { extensions, settings });
  });
  afterAll(async () => {
    await other.close();
    await one.close();
  });
  beforeEach(() => {
    kept.clear();
    store.get.mockClear();
    store.set.mockClear();
    one.fake.reset(answers(PREDICTION));
  });

  it('what one instance was answered, another gives without asking', async () => {
    const body = newLines();
    const first = await predict(one, body);
    const second = await predict(other, body);
    expect(second.headers['x-ai-source']).toBe('cache');
    expect(answerOf(second)).toEqual(answerOf(first));
    expect(one.fake.received).toHaveLength(1);
    const [key, , ttl] = store.set.mock.calls[0]!;
    expect(key).toMatch(/^[0-9a-f]{64}$/);
    expect(ttl).toBe(3_600_000);
  });

  it('a configuration change empties it for the instance that was told, at once', async () => {
    const body = newLines();
    await predict(one, body);
    await one.user.put('/api/config', {}).expect(200);
    expect((await predict(one, body)).headers['x-ai-source']).not.toBe('cache');
    expect((await predict(one, body)).headers['x-ai-source']).toBe('cache');
    await one.user.put('/api/config', { alphaKey: 'another' }).expect(200);
    expect((await predict(one, body)).headers['x-ai-source']).not.toBe('cache');
    expect(one.fake.received).toHaveLength(3);
    // It did not change the other's.
    expect((await predict(other, body)).headers['x-ai-source']).toBe('cache');
  });

  it('an answer of another shape is not served', async () => {
    const body = newLines();
    await predict(one, body);
    const [[key, text]] = [...kept] as [[string, string]];
    kept.set(key, JSON.stringify({ ...(JSON.parse(text) as object), answer: { reasoning: 7 } }));
    const again = await predict(one, body);
    expect(again.headers['x-ai-source']).not.toBe('cache');
    expect(answerOf(again)).toEqual(PREDICTION);
  });
});

describe('AI_RATE_STORE', () => {
  it('two instances together keep the rate, and none of their calls is lost', async () => {
    let taken: number[] = [];
    const store: AiRateStore = {
      take: (limit, window) => {
        const now = performance.now();
        taken = taken.filter((at) => at + window > now);
        if (taken.length >= limit) return Promise.resolve(taken[0]! + window - now);
        taken.push(now);
        return Promise.resolve(0);
      },
    };
    const extensions = [providing(AI_RATE_STORE, store)];
    const one = await bootAiApp('alpha', { extensions, realTime: true });
    const settings = { ALPHA_BASE_URL: one.fake.baseUrl };
    const other = await bootAiApp('alpha', { extensions, realTime: true, settings });
    try {
      one.fake.reset(answers(PREDICTION));
      // What is made once, clients, connections and compiled code, takes longer than a trip.
      for (let n = 0; n < 4; n += 1) {
        await Promise.all([one, other, one, other].map((ai) => predict(ai, newLines())));
      }
      one.fake.reset(answers(PREDICTION));
      taken = [];
      await Promise.all(Array.from({ length: 24 }, (_, n) => predict(n % 2 ? one : other, newLines())));
      expect(one.fake.received).toHaveLength(24);
      expectRate(one.fake.received.map(({ at }) => at));
    } finally {
      await other.close();
      await one.close();
    }
  });
});

describe('stores of AI calls', () => {
  it.each(FAULTS)(
    'that %s: providers are asked, once for equal calls, at the usual rate',
    async (_, fault) => {
      const [get, set, take] = [jest.fn(fault), jest.fn(fault), jest.fn(fault)];
      const extensions = [providing(AI_ANSWER_STORE, { get, set }), providing(AI_RATE_STORE, { take })];
      const ai = await bootAiApp('alpha', { extensions, realTime: true });
      try {
        ai.fake.reset(answers(PREDICTION));
        const join = jest.spyOn(SharedCalls.prototype, 'join');
        ai.fake.otherwise = async (exchange) => {
          // Nobody is answered before both of the first have come.
          while (join.mock.calls.length < 2) await new Promise(setImmediate);
          await answers(PREDICTION)(exchange);
        };
        const body = newLines();
        const seen = await Promise.all([predict(ai, body), predict(ai, body)]);
        expect(ai.fake.received).toHaveLength(1);
        for (const answer of seen) expect(answerOf(answer)).toEqual(PREDICTION);
        await Promise.all(Array.from({ length: 14 }, () => predict(ai, newLines())));
        expect(ai.fake.received).toHaveLength(15);
        expectRate(ai.fake.received.map(({ at }) => at));
        // Five, and one more for each five seconds that a busy machine takes.
        expect(take.mock.calls.length).toBeLessThan(10);
        await ai.user.put('/api/config', {}).expect(200);
        for (const name of ['AI_ANSWER_STORE', 'AI_RATE_STORE']) {
          expect(ai.logged.filter(({ text }) => text.includes(`${name} fails`))).toHaveLength(1);
        }
        const logged = JSON.stringify(ai.logged);
        const keys = get.mock.calls.map(([key]: unknown[]) => key as string);
        for (const secret of [SECRET, '成分', ...keys]) expect(logged).not.toContain(secret);
      } finally {
        await ai.close();
      }
    },
  );
});

describe('the start', () => {
  it.each<[string, symbol, object, string]>([
    ['THROTTLER_STORAGE', THROTTLER_STORAGE, { increment: () => undefined }, 'increment()'],
    ['AI_ANSWER_STORE', AI_ANSWER_STORE, { get: () => undefined, set: () => undefined }, 'get() and set()'],
    ['AI_RATE_STORE', AI_RATE_STORE, { take: () => undefined }, 'take()'],
  ])('refuses two under %s, and what is none, and names the modules', async (name, token, store, methods) => {
    @Injectable()
    class Made {}
    @Module({ providers: [{ provide: token, useFactory: () => Promise.resolve(store) }] })
    class FirstModule {}
    @Module({ providers: [{ provide: token, useClass: Made }] })
    class SecondModule {}
    const start = (...extensions: Type[]) =>
      bootApp({ module: { imports: [AppModule.register({ extensions })] } });
    await expect(start(FirstModule, SecondModule)).rejects.toThrow(
      `${name} is provided in FirstModule and SecondModule: there can be only one.`,
    );
    await expect(start(SecondModule)).rejects.toThrow(`${name} in SecondModule must have ${methods}.`);
    await (await start(FirstModule)).close();
  });
});
