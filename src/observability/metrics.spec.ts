import type { NestInterceptor } from '@nestjs/common';
import { concat, NEVER, type Observable, of, throwError } from 'rxjs';
import type { AiCall, AiEvent } from '../ai/call/ai-call';
import { AiCallContext } from '../ai/call/ai-call-context';
import { AiPipeline } from '../ai/call/ai-pipeline';
import { SlidingWindowRate } from '../ai/call/rate-limit/ai-rate';
import { SharedRate } from '../ai/call/rate-limit/shared-rate';
import { PasswordHasher } from '../auth/password-hasher';
import type { ReplicaFigures } from '../database/replicas/replica-reads';
import type { CutReason } from '../database/cut-statements';
import { Database } from '../database/database';
import { DeliveriesRepository } from '../events/deliveries.repository';
import { EventHandlers } from '../events/event-handlers';
import { Redis } from '../redis/redis.module';
import { type Answer, Answers } from '../server/answers';
import { HeavyWork } from '../shares/heavy-work';
import { ClientPlacesGuard } from '../throttling/client-places.guard';
import { Metrics } from './metrics';

const NANOSECONDS = 1e9;

/** What the event loop is said to have done, in seconds from one look to the next. */
const loop = { percentiles: {} as Record<number, number>, max: 0, resets: 0 };
jest.mock('node:perf_hooks', () => ({
  ...jest.requireActual<object>('node:perf_hooks'),
  monitorEventLoopDelay: () => ({
    enable: () => true,
    disable: () => true,
    percentile: (which: number) => (loop.percentiles[which] ?? 0) * NANOSECONDS,
    get max() {
      return loop.max * NANOSECONDS;
    },
    reset: () => (loop.resets += 1),
  }),
}));

const ANSWER: Answer = {
  requestId: 'r',
  method: 'GET',
  route: '/api/projects',
  status: 200,
  code: undefined,
  userId: 'u',
  seconds: 0.3,
  bytes: 5,
  isWhole: true,
};

/** Two kinds have their turns together, as on a small pool. */
const SHARED_TURNS = { load: { waiting: 1, running: 2 } };
const TURNS: Record<string, { load: { waiting: number; running: number } }> = {
  search: SHARED_TURNS,
  catalogue: SHARED_TURNS,
  reading: { load: { waiting: 3, running: 4 } },
  composition: { load: { waiting: 5, running: 6 } },
  ai: { load: { waiting: 7, running: 8 } },
};

describe('Metrics', () => {
  let answers: Answers;
  let database: {
    load: Record<string, number | boolean>;
    replicaFigures: ReplicaFigures[];
    watchCuts: (listener: (reason: CutReason) => void) => void;
  };
  let cut: (reason: CutReason) => void;
  let surrounding: NestInterceptor<AiEvent, AiEvent>;
  let receivers: { name: string }[];
  let counts: jest.Mock<Promise<{ waiting: number; parked: number }>, [string[]]>;
  let redis: { figures: { works: boolean; failed: number } } | undefined;
  let metrics: Metrics;

  const start = () => {
    const parts = new Map<unknown, unknown>([
      [Answers, answers],
      [Database, database],
      [AiPipeline, { surround: (one: typeof surrounding) => (surrounding = one) }],
      [HeavyWork, { turnsOf: (kind: string) => TURNS[kind] }],
      [ClientPlacesGuard, { waiting: { requests: 11, streams: 12 } }],
      [PasswordHasher, { load: { waiting: 13, running: 14 } }],
      [SlidingWindowRate, { waitingCount: 20 }],
      [SharedRate, { waitingCount: 5 }],
      [EventHandlers, { receivers }],
      [DeliveriesRepository, { counts }],
      [Redis, { state: redis }],
    ]);
    metrics = new Metrics((token) => parts.get(token) as never);
  };
  /** The values of all series of a metric, by their labels. */
  const series = async (name: string): Promise<Record<string, number>> => {
    const lines = (await metrics.metrics()).split('\n');
    const own = lines.flatMap((line) => /^(\w+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? []);
    const found: Record<string, number> = {};
    for (let at = 0; at < own.length; at += 4) {
      if (own[at + 1] === name) found[own[at + 2] ?? ''] = Number(own[at + 3]);
    }
    return found;
  };
  const tell = (answer: Partial<Answer>) => answers['tell']({ ...ANSWER, ...answer });

  beforeEach(() => {
    answers = new Answers();
    database = {
      load: { most: 20, inUse: 3, idle: 4, waiting: 15, waitingForShare: 16, isLost: false },
      replicaFigures: [],
      watchCuts: (listener) => (cut = listener),
    };
    receivers = [];
    counts = jest.fn();
    redis = undefined;
    Object.assign(loop, { percentiles: {}, max: 0, resets: 0 });
    start();
  });
  afterEach(() => metrics.end());

  it('answers are in the classes of their seconds', async () => {
    tell({ seconds: 0.3 });
    tell({ seconds: 61 });
    tell({ seconds: 0.3, status: 404, method: 'HEAD' });
    const labels = 'method="GET",route="/api/projects",status="200"';
    const buckets = await series('formula_http_request_duration_seconds_bucket');
    expect(buckets[`le="0.25",${labels}`]).toBe(0);
    expect(buckets[`le="0.5",${labels}`]).toBe(1);
    expect(buckets[`le="60",${labels}`]).toBe(1);
    expect(buckets[`le="+Inf",${labels}`]).toBe(2);
    expect(await series('formula_http_request_duration_seconds_sum')).toMatchObject({ [labels]: 61.3 });
    expect(await series('formula_http_request_duration_seconds_count')).toEqual({
      [labels]: 2,
      'method="HEAD",route="/api/projects",status="404"': 1,
    });
  });

  it('429, 503 and answers that were cut are counted apart', async () => {
    tell({ status: 429, code: 'rate.exceeded' });
    tell({ status: 503, code: 'database.busy' });
    tell({ status: 503, code: 'database.busy' });
    tell({ status: 503 });
    tell({ status: 500, code: 'internal' });
    tell({ status: 499, isWhole: false });
    expect(await series('formula_http_throttled_requests_total')).toEqual({ 'code="rate.exceeded"': 1 });
    expect(await series('formula_http_refused_requests_total')).toEqual({
      'code="database.busy"': 2,
      'code="none"': 1,
    });
    expect(await series('formula_http_cut_answers_total')).toEqual({ 'route="/api/projects"': 1 });
  });

  it('a hundred codes have series of their own', async () => {
    for (let n = 0; n < 150; n++) tell({ status: 503, code: `extension.${n}` });
    tell({ status: 503, code: 'extension.7' });
    const found = await series('formula_http_refused_requests_total');
    expect(Object.keys(found)).toHaveLength(101);
    expect(found).toMatchObject({ 'code="extension.7"': 2, 'code="other"': 50 });
  });

  it('the database: its connections, whether it is within reach, statements that were cut', async () => {
    expect(await series('formula_database_connections')).toEqual({ 'state="in use"': 3, 'state="idle"': 4 });
    expect(await series('formula_database_connections_max')).toEqual({ '': 20 });
    expect(await series('formula_database_up')).toEqual({ '': 1 });
    database.load.isLost = true;
    expect(await series('formula_database_up')).toEqual({ '': 0 });
    for (const reason of ['lock', 'lock', 'patience'] as const) cut(reason);
    expect(await series('formula_database_cut_statements_total')).toEqual({
      'reason="timeout"': 0,
      'reason="lock"': 2,
      'reason="idle"': 0,
      'reason="cancelled"': 0,
      'reason="patience"': 1,
    });
  });

  it('queues and turns: those of kinds that have their turns together are one', async () => {
    expect(await series('formula_queue_length')).toEqual({
      'queue="client requests"': 11,
      'queue="client streams"': 12,
      'queue="heavy search, catalogue"': 1,
      'queue="heavy reading"': 3,
      'queue="heavy composition"': 5,
      'queue="heavy ai"': 7,
      'queue="password hashes"': 13,
      'queue="ai rate"': 25,
      'queue="database connections"': 15,
      'queue="database shares"': 16,
    });
    expect(await series('formula_turns_running')).toEqual({
      'queue="heavy search, catalogue"': 2,
      'queue="heavy reading"': 4,
      'queue="heavy composition"': 6,
      'queue="heavy ai"': 8,
      'queue="password hashes"': 14,
    });
  });

  describe('AI calls', () => {
    const answered = (source: string): Observable<AiEvent> =>
      of({ kind: 'answer', answer: 'a', source, cacheable: true });
    const part: AiEvent = { kind: 'part', part: 'p', source: 'alpha' };

    /** A call that nobody waits for after what it has given at once. */
    const call = (events: Observable<AiEvent>, of: Partial<AiCall> = {}, capability = 'predict') => {
      const made = { capability: { name: capability }, provider: { name: 'alpha' }, countedTokens: 0, ...of };
      const context = new AiCallContext(made as unknown as AiCall);
      const seen = surrounding.intercept(context, { handle: () => events }) as Observable<AiEvent>;
      seen.subscribe({ error: () => undefined }).unsubscribe();
    };

    it.each<[string, Observable<AiEvent>]>([
      ['answered', answered('alpha')],
      ['answered', concat(of(part), answered('alpha'))],
      ['cached', answered('cache')],
      ['fallback', answered('fallback')],
      ['failed', throwError(() => new Error('no'))],
      [
        'failed',
        concat(
          answered('alpha'),
          throwError(() => new Error('no')),
        ),
      ],
      ['abandoned', NEVER],
      ['abandoned', concat(of(part), NEVER)],
    ])('%s', async (outcome, events) => {
      call(events);
      expect(await series('formula_ai_calls_total')).toEqual({
        [`capability="predict",provider="alpha",outcome="${outcome}"`]: 1,
      });
      const labels = 'capability="predict",provider="alpha"';
      expect(await series('formula_ai_call_duration_seconds_count')).toEqual({ [labels]: 1 });
    });

    it('with their tokens, and what the cache said', async () => {
      call(answered('alpha'), { countedTokens: 40, cacheAnswer: 'miss' });
      call(answered('cache'), { countedTokens: 2, cacheAnswer: 'hit' });
      call(answered('alpha'));
      expect(await series('formula_ai_tokens_total')).toEqual({
        'capability="predict",provider="alpha"': 42,
      });
      expect(await series('formula_ai_cache_lookups_total')).toEqual({
        'result="hit"': 1,
        'result="miss"': 1,
      });
    });

    it('with their seconds', async () => {
      const clock = jest.spyOn(performance, 'now').mockReturnValueOnce(1_000).mockReturnValueOnce(3_500);
      call(answered('alpha'));
      clock.mockRestore();
      expect(await series('formula_ai_call_duration_seconds_sum')).toEqual({
        'capability="predict",provider="alpha"': 2.5,
      });
    });

    it('of a hundred capabilities have series of their own', async () => {
      for (let n = 0; n < 120; n++) call(answered('alpha'), {}, `c-${n}`);
      expect(Object.keys(await series('formula_ai_calls_total'))).toHaveLength(101);
    });
  });

  describe('events', () => {
    it('are none where nobody handles any, and the database is not asked', async () => {
      expect(await series('formula_events')).toEqual({ 'state="waiting"': 0, 'state="parked"': 0 });
      expect(counts).not.toHaveBeenCalled();
    });

    it('are those of the handlers', async () => {
      receivers.push({ name: 'labels' });
      counts.mockResolvedValue({ waiting: 3, parked: 1 });
      expect(await series('formula_events')).toEqual({ 'state="waiting"': 3, 'state="parked"': 1 });
      expect(counts.mock.calls).toEqual([[['labels']]]);
    });

    it('have no number while the database fails or hangs, and nothing else waits for that', async () => {
      receivers.push({ name: 'labels' });
      counts.mockRejectedValueOnce(new Error('away'));
      expect(await series('formula_events')).toEqual({});

      jest.useFakeTimers();
      counts.mockReturnValueOnce(new Promise(() => undefined));
      const asked = series('formula_events');
      await jest.advanceTimersByTimeAsync(2000);
      jest.useRealTimers();
      expect(await asked).toEqual({});
    });
  });

  it('Redis: nothing without it, else whether it works and how often it has failed', async () => {
    expect(await series('formula_redis_up')).toEqual({});
    for (const works of [true, false]) {
      redis = { figures: { works, failed: 3 } };
      start();
      expect(await series('formula_redis_up')).toEqual({ '': works ? 1 : 0 });
      expect(await series('formula_redis_failures_total')).toEqual({ '': 3 });
    }
  });

  it('replicas: nothing without them, else whether they are read, how far behind, and what they did', async () => {
    expect(await series('formula_database_replica_usable')).toEqual({});
    expect(await series('formula_database_replica_statements_total')).toEqual({});
    database.replicaFigures = [
      { name: 'a:1', isUsable: true, lagBytes: 0, answered: 5, failed: 1 },
      // Not seen yet.
      { name: 'b:2', isUsable: false, lagBytes: undefined, answered: 0, failed: 0 },
    ];
    expect(await series('formula_database_replica_usable')).toEqual({
      'replica="a:1"': 1,
      'replica="b:2"': 0,
    });
    expect(await series('formula_database_replica_lag_bytes')).toEqual({ 'replica="a:1"': 0 });
    expect(await series('formula_database_replica_statements_total')).toEqual({
      'replica="a:1",outcome="answered"': 5,
      'replica="a:1",outcome="failed"': 1,
      'replica="b:2",outcome="answered"': 0,
      'replica="b:2",outcome="failed"': 0,
    });
  });

  it('the event loop: how much later than meant its turns came, since it was last asked', async () => {
    // A quiet one is looked at every 20 ms.
    loop.percentiles = { 50: 0.0199, 99: 0.021 };
    loop.max = 0.32;
    const delays = await series('nodejs_eventloop_delay_seconds');
    expect(delays['quantile="0.5"']).toBe(0);
    expect(delays['quantile="0.99"']).toBeCloseTo(0.001, 9);
    expect(delays['quantile="1"']).toBeCloseTo(0.3, 9);
    expect(loop.resets).toBe(1);
  });

  it('the process: memory in bytes, seconds of its processors, its beginning', async () => {
    jest.spyOn(process, 'cpuUsage').mockReturnValue({ user: 2_500_000, system: 500_000 });
    jest
      .spyOn(process, 'memoryUsage')
      .mockReturnValue({ rss: 5, heapTotal: 4, heapUsed: 3, external: 2, arrayBuffers: 1 });
    expect(await series('process_cpu_seconds_total')).toEqual({ 'mode="user"': 2.5, 'mode="system"': 0.5 });
    expect(await series('process_memory_bytes')).toMatchObject({ 'kind="rss"': 5, 'kind="heapUsed"': 3 });
    jest.restoreAllMocks();
    const [begun] = Object.values(await series('process_start_time_seconds'));
    expect(Math.abs(begun! + process.uptime() - Date.now() / 1000)).toBeLessThan(60);
  });

  it('what only grows is a counter', () => {
    const types = metrics.described().map(({ name, type }) => [name, type]);
    for (const [name, type] of types)
      expect([name, type === 'counter']).toEqual([name, name!.endsWith('_total')]);
  });
});
