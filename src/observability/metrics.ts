import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Type } from '@nestjs/common';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { AiPipeline } from '../ai/call/ai-pipeline';
import { SlidingWindowRate } from '../ai/call/rate-limit/ai-rate';
import { SharedRate } from '../ai/call/rate-limit/shared-rate';
import { PasswordHasher } from '../auth/password-hasher';
import { within } from '../common/within';
import { Database } from '../database/database';
import { DeliveriesRepository } from '../events/deliveries.repository';
import { EventHandlers } from '../events/event-handlers';
import { Redis } from '../redis/redis.module';
import { type Answer, Answers } from '../server/answers';
import type { HeavyKind } from '../shares/heavy-turn';
import { HeavyWork } from '../shares/heavy-work';
import { ClientPlacesGuard } from '../throttling/client-places.guard';
import { followedAiCalls } from './followed-ai-calls';

const HEAVY_KINDS: readonly HeavyKind[] = ['search', 'catalogue', 'reading', 'composition', 'ai'];

/** In seconds: short answers first, then those that wait for a provider. */
const ANSWER_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];
const CALL_BUCKETS = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** How exactly delays of the event loop are seen, in milliseconds. */
const LOOP_RESOLUTION_MS = 20;

/** Different names that extensions invent, of errors and of capabilities, that get series of their own. */
const MOST_NAMES = 100;

/** How long all other numbers wait for those that the database is asked for, in milliseconds. */
const DATABASE_PATIENCE_MS = 2_000;

const NANOSECONDS = 1e9;

type Get = <T>(token: Type<T> | (abstract new (...args: never[]) => T)) => T;

/** What the service does, as Prometheus reads it. No label holds what a client wrote. */
export class Metrics {
  private readonly registry = new Registry();
  private readonly loop = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });

  /** @param get a provider of the application */
  constructor(private readonly get: Get) {
    this.measureAnswers();
    this.measureDatabase();
    this.measureRedis();
    this.measureAi();
    this.measureQueues();
    this.measureEvents();
    this.measureProcess();
  }

  get contentType(): string {
    return this.registry.contentType;
  }

  /** All of it as text. */
  metrics(): Promise<string> {
    return this.registry.metrics();
  }

  /** Each metric with its labels, whether or not it has a value by now. */
  described(): readonly Described[] {
    return this.registry.getMetricsAsArray() as unknown as Described[];
  }

  end(): void {
    this.loop.disable();
  }

  private measureAnswers(): void {
    const answers = this.get(Answers);
    const durations = this.histogram(
      'formula_http_request_duration_seconds',
      'Answers by route and status, from the turn of the request to the end of the answer; 499: the client had gone',
      ['method', 'route', 'status'],
      ANSWER_BUCKETS,
    );
    const cut = this.counter('formula_http_cut_answers_total', 'Answers that did not come to their end', [
      'route',
    ]);
    const throttled = this.counter('formula_http_throttled_requests_total', 'Answers of 429', ['code']);
    const refused = this.counter('formula_http_refused_requests_total', 'Answers of 503', ['code']);
    this.gauge('formula_http_requests_in_progress', 'Requests that have no whole answer yet', [], (set) =>
      set({}, answers.inProgress),
    );
    const bounded = boundedNames();
    answers.watch(({ method, route, status, code, seconds, isWhole }: Answer) => {
      durations.observe({ method, route, status }, seconds);
      if (!isWhole) cut.inc({ route });
      if (status === 429) throttled.inc({ code: bounded(code ?? 'none') });
      if (status === 503) refused.inc({ code: bounded(code ?? 'none') });
    });
  }

  private measureDatabase(): void {
    const database = this.get(Database);
    this.gauge('formula_database_connections', 'Connections of the pool', ['state'], (set) => {
      const { inUse, idle } = database.load;
      set({ state: 'in use' }, inUse);
      set({ state: 'idle' }, idle);
    });
    this.gauge('formula_database_connections_max', 'Connections the pool may have', [], (set) =>
      set({}, database.load.most),
    );
    this.gauge('formula_database_up', '0 since a statement found the database out of reach', [], (set) =>
      set({}, database.load.isLost ? 0 : 1),
    );
    const cut = this.counter('formula_database_cut_statements_total', 'Statements that were ended', [
      'reason',
    ]);
    for (const reason of ['timeout', 'lock', 'idle', 'cancelled', 'patience']) cut.inc({ reason }, 0);
    database.watchCuts((reason) => cut.inc({ reason }));
    this.measureReplicas(database);
  }

  private measureReplicas(database: Database): void {
    const labels = ['replica'];
    this.gauge('formula_database_replica_usable', '1 while reads that may lag go there', labels, (set) => {
      for (const { name, isUsable } of database.replicaFigures) set({ replica: name }, isUsable ? 1 : 0);
    });
    this.gauge(
      'formula_database_replica_lag_bytes',
      'Of the log, not replayed at the last look',
      labels,
      (set) => {
        for (const { name, lagBytes } of database.replicaFigures) {
          if (lagBytes !== undefined) set({ replica: name }, lagBytes);
        }
      },
    );
    this.read(
      'formula_database_replica_statements_total',
      'Answered there, or failed there and asked of the primary',
      ['replica', 'outcome'],
      () =>
        database.replicaFigures.flatMap(({ name, answered, failed }) => [
          { labels: { replica: name, outcome: 'answered' }, value: answered },
          { labels: { replica: name, outcome: 'failed' }, value: failed },
        ]),
    );
  }

  private measureRedis(): void {
    const { state } = this.get(Redis);
    if (!state) return;
    this.gauge('formula_redis_up', '0 while each instance keeps its own limits and answers', [], (set) =>
      set({}, state.figures.works ? 1 : 0),
    );
    this.read('formula_redis_failures_total', 'Questions to Redis that failed', [], () => [
      { labels: {}, value: state.figures.failed },
    ]);
  }

  private measureAi(): void {
    const labels = ['capability', 'provider'];
    const calls = this.counter('formula_ai_calls_total', 'AI calls that have ended', [...labels, 'outcome']);
    const durations = this.histogram(
      'formula_ai_call_duration_seconds',
      'AI calls, waits for the rate and further attempts included',
      labels,
      CALL_BUCKETS,
    );
    const tokens = this.counter('formula_ai_tokens_total', 'Tokens spent, as providers say', labels);
    const cache = this.counter('formula_ai_cache_lookups_total', 'Questions to the AI cache', ['result']);
    for (const result of ['hit', 'miss']) cache.inc({ result }, 0);
    const bounded = boundedNames();
    const measure = followedAiCalls((call) => {
      const begunAt = performance.now();
      return {
        run: (work) => work(),
        ended: (outcome) => {
          const of = { capability: bounded(call.capability.name), provider: call.provider.name };
          calls.inc({ ...of, outcome });
          durations.observe(of, (performance.now() - begunAt) / 1000);
          tokens.inc(of, call.countedTokens);
          if (call.cacheAnswer) cache.inc({ result: call.cacheAnswer });
        },
      };
    });
    this.get(AiPipeline).surround(measure);
  }

  private measureQueues(): void {
    const [work, places, hasher] = [
      this.get(HeavyWork),
      this.get(ClientPlacesGuard),
      this.get(PasswordHasher),
    ];
    const [rate, shared, database] = [this.get(SlidingWindowRate), this.get(SharedRate), this.get(Database)];
    // Kinds that have their turns together are one queue.
    const turns = new Map(HEAVY_KINDS.map((kind) => [work.turnsOf(kind), kind]));
    const names = new Map([...turns].map(([one]) => [one, kindsOf(work, one)]));
    this.gauge('formula_queue_length', 'Who waits', ['queue'], (set) => {
      const { requests, streams } = places.waiting;
      set({ queue: 'client requests' }, requests);
      set({ queue: 'client streams' }, streams);
      for (const [one, name] of names) set({ queue: `heavy ${name}` }, one.load.waiting);
      set({ queue: 'password hashes' }, hasher.load.waiting);
      set({ queue: 'ai rate' }, rate.waitingCount + shared.waitingCount);
      set({ queue: 'database connections' }, database.load.waiting);
      set({ queue: 'database shares' }, database.load.waitingForShare);
    });
    this.gauge('formula_turns_running', 'Work that is done in turns, under way', ['queue'], (set) => {
      for (const [one, name] of names) set({ queue: `heavy ${name}` }, one.load.running);
      set({ queue: 'password hashes' }, hasher.load.running);
    });
  }

  private measureEvents(): void {
    const [handlers, deliveries] = [this.get(EventHandlers), this.get(DeliveriesRepository)];
    this.gauge(
      'formula_events',
      'Events for handlers, up to 10 000 of each state',
      ['state'],
      async (set) => {
        const names = handlers.receivers.map(({ name }) => name);
        // A database that does not answer shows elsewhere: here there is no number then. Its own patience
        // begins with a connection, and there may be none.
        const counts =
          names.length === 0
            ? { waiting: 0, parked: 0 }
            : await within(
                DATABASE_PATIENCE_MS,
                () => undefined,
                () => deliveries.counts(names),
              ).catch(() => undefined);
        if (!counts) return;
        set({ state: 'waiting' }, counts.waiting);
        set({ state: 'parked' }, counts.parked);
      },
    );
  }

  private measureProcess(): void {
    this.loop.enable();
    this.gauge(
      'nodejs_eventloop_delay_seconds',
      'How much later than meant a turn came, since it was last read',
      ['quantile'],
      (set) => {
        // What is recorded is the time from one look to the next: the delay is what it is longer than meant.
        const seconds = (nanoseconds: number) =>
          Math.max(0, nanoseconds / NANOSECONDS - LOOP_RESOLUTION_MS / 1000);
        set({ quantile: '0.5' }, seconds(this.loop.percentile(50)));
        set({ quantile: '0.99' }, seconds(this.loop.percentile(99)));
        set({ quantile: '1' }, seconds(this.loop.max));
        this.loop.reset();
      },
    );
    this.gauge('process_memory_bytes', 'As process.memoryUsage() tells it', ['kind'], (set) => {
      for (const [kind, bytes] of Object.entries(process.memoryUsage())) set({ kind }, Number(bytes));
    });
    this.read(
      'process_cpu_seconds_total',
      'CPU time that the process has used, in all threads',
      ['mode'],
      () =>
        Object.entries(process.cpuUsage()).map(([mode, value]) => ({ labels: { mode }, value: value / 1e6 })),
    );
    const startedAt = Date.now() / 1000 - process.uptime();
    this.gauge('process_start_time_seconds', 'When the process began, since 1970', [], (set) =>
      set({}, startedAt),
    );
  }

  private counter<const Label extends string>(name: string, help: string, labelNames: Label[]) {
    return new Counter<Label>({ name, help, labelNames, registers: [this.registry] });
  }

  private histogram<const Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    buckets: number[],
  ) {
    return new Histogram<Label>({ name, help, labelNames, buckets, registers: [this.registry] });
  }

  /** Looked at when somebody asks. */
  private gauge(
    name: string,
    help: string,
    labelNames: string[],
    collect: (set: (labels: Record<string, string>, value: number) => void) => void | Promise<void>,
  ): void {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [this.registry],
      collect: () => {
        gauge.reset();
        return collect((labels, value) => gauge.set(labels, value));
      },
    });
  }

  /** What is counted elsewhere. */
  private read(
    name: string,
    help: string,
    labelNames: string[],
    values: () => readonly Value[],
    type: 'counter' | 'histogram' = 'counter',
  ): void {
    const get = () => Promise.resolve({ name, help, type, aggregator: 'sum', values: values() });
    // The registry asks a metric for no more than its name and this.
    this.registry.registerMetric({ name, type, labelNames, get } as unknown as Gauge);
  }
}

interface Described {
  readonly name: string;
  readonly type: string;
  readonly labelNames: readonly string[];
}

interface Value {
  readonly metricName?: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/** Gives each name back, and `other` for those beyond the bound: what is given must not grow without end. */
function boundedNames(): (name: string) => string {
  const names = new Set<string>();
  return (name) => {
    if (names.size < MOST_NAMES) names.add(name);
    return names.has(name) ? name : 'other';
  };
}

const kindsOf = (work: HeavyWork, turns: unknown): string =>
  HEAVY_KINDS.filter((kind) => work.turnsOf(kind) === turns).join(', ');
