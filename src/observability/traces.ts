import { randomUUID } from 'node:crypto';
import type { Type } from '@nestjs/common';
import {
  context as api,
  type Attributes,
  type Context,
  createContextKey,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { parseTraceParent } from '@opentelemetry/core';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Request } from 'express';
import type { AiCall } from '../ai/call/ai-call';
import { AiPipeline } from '../ai/call/ai-pipeline';
import { AiFailure } from '../ai/provider/ai-failure';
import { within } from '../common/within';
import { Database } from '../database/database';
import { type Answer, Answers, type Followed, NO_ROUTE } from '../server/answers';
import { type FollowedAiCall, followedAiCalls } from './followed-ai-calls';
import { type FollowedRequest, followOutgoingRequests } from './outgoing-requests';
import { TraceContexts } from './trace-contexts';
import { TraceExporter } from './trace-exporter';

const SERVICE = 'formula-development-service';

/** Spans that wait to be sent; with more the newest are dropped. About a kilobyte each. */
const MOST_WAITING = 2048;

/** How many are sent together, and how long the first of them waits for the others, in milliseconds. */
const BATCH = 256;
const BATCH_MS = 5000;

/** After which a batch counts as lost; the exporter gives up long before. In milliseconds. */
const LOST_MS = 15_000;

/** How long the end of the service waits for the last spans, in milliseconds. */
const FAREWELL_MS = 1000;

/** Asked every few seconds by proxies and supervisors: nobody looks for them in traces. */
const PROBES = new Set(['/api/health', '/api/ext/live']);

/** Codes of PostgreSQL's errors. */
const SQLSTATE = /^[0-9A-Z]{5}$/;

/** How deep an error's causes are looked through for one. */
const MOST_CAUSES = 5;

type Get = <T>(token: Type<T> | (abstract new (...args: never[]) => T)) => T;

/**
 * What the service does, as OpenTelemetry's spans. They hold names and numbers of ours only: no path, query,
 * statement, value, prompt, key or text of an error, whoever wrote it.
 */
export class Traces {
  private readonly contexts = new TraceContexts();
  private readonly exporter: TraceExporter;
  private readonly provider: TracerProvider;
  private readonly tracer: Tracer;
  private readonly endOutgoing: () => void;
  private readonly isGlobal: boolean;

  /**
   * @param get a provider of the application
   * @param url where spans are sent to
   * @param share of requests that come without a trace of their own, 0 to 1
   */
  constructor(get: Get, url: string, share: number) {
    this.exporter = new TraceExporter(url);
    this.provider = new TracerProvider({
      resource: defaultResource().merge(
        resourceFromAttributes({ 'service.name': SERVICE, 'service.instance.id': randomUUID() }),
      ),
      sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
      spanLimits: { attributeValueLengthLimit: 1024 },
      spanProcessors: [
        new BatchSpanProcessor({
          exporter: this.exporter,
          maxQueueSize: MOST_WAITING,
          maxExportBatchSize: BATCH,
          scheduledDelayMillis: BATCH_MS,
          exportTimeoutMillis: LOST_MS,
        }),
      ],
    });
    this.tracer = this.provider.getTracer(SERVICE);
    get(Answers).follow((request) => this.request(request));
    get(Database).surround((name, work) => this.statement(name, work));
    get(AiPipeline).surround(followedAiCalls((call) => this.aiCall(call)));
    this.endOutgoing = followOutgoingRequests((method, origin) => this.outgoing(method, origin));
    // For spans of extensions. Where somebody has set up OpenTelemetry for the process, it stays theirs.
    this.isGlobal = trace.setGlobalTracerProvider(this.provider);
    if (this.isGlobal) api.setGlobalContextManager(this.contexts);
  }

  /** Sends what there is, for a second at most. */
  async end(): Promise<void> {
    this.endOutgoing();
    if (this.isGlobal) {
      trace.disable();
      api.disable();
    }
    const tooLong = () => new Error('The collector of TRACES_URL does not answer');
    // The exporter has told.
    await within(FAREWELL_MS, tooLong, () => this.provider.shutdown()).catch(() => undefined);
    await this.exporter.shutdown();
  }

  private request({ method, url, headers: { traceparent } }: Request): Followed | undefined {
    if (PROBES.has(url.split('?', 1)[0]!)) return undefined;
    const caller = typeof traceparent === 'string' ? parseTraceParent(traceparent) : null;
    const outer = caller ? trace.setSpanContext(ROOT_CONTEXT, { ...caller, isRemote: true }) : ROOT_CONTEXT;
    const { span, inner, end } = this.begin(outer, method, SpanKind.SERVER, {
      'http.request.method': method,
    });
    return {
      traceId: span.isRecording() ? span.spanContext().traceId : undefined,
      run: (work) => this.contexts.with(inner, work),
      over: ({ route, status, code, isWhole }: Answer) => {
        if (route !== NO_ROUTE) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
        span.setAttribute('http.response.status_code', status);
        if (code !== undefined) span.setAttribute('error.type', code);
        if (!isWhole) span.setAttribute('formula.cut', true);
        if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
        end();
      },
    };
  }

  /** Only within a trace: what the service does on its own account is none. */
  private async statement<T>(name: string, work: () => Promise<T>): Promise<T> {
    const outer = this.recorded;
    if (!outer) return work();
    const { span, inner, end } = this.begin(outer, name, SpanKind.CLIENT, {
      'db.system.name': 'postgresql',
      'db.query.summary': name,
    });
    try {
      return await this.contexts.with(inner, work);
    } catch (error) {
      const state = stateOf(error);
      if (state !== undefined) span.setAttribute('db.response.status_code', state);
      failed(span, error);
      throw error;
    } finally {
      end();
    }
  }

  /** A trace of its own where no request makes it. */
  private aiCall(call: AiCall): FollowedAiCall {
    const { capability, provider, model } = call;
    const outer = this.contexts.active();
    const { span, inner, end } = this.begin(outer, `ai ${capability.name}`, SpanKind.INTERNAL, {
      'formula.ai.capability': capability.name,
      'gen_ai.provider.name': provider.name,
      'gen_ai.request.model': model,
    });
    return {
      run: (work) => this.contexts.with(inner, work),
      ended: (outcome, error) => {
        span.setAttribute('formula.ai.outcome', outcome);
        span.setAttribute('formula.ai.tokens', call.countedTokens);
        if (call.cacheAnswer) span.setAttribute('formula.ai.cache', call.cacheAnswer);
        if (outcome === 'failed') failed(span, error);
        end();
      },
    };
  }

  /** The trace does not go along: who is asked may be a stranger. */
  private outgoing(method: string, origin: string): FollowedRequest | undefined {
    const outer = this.recorded;
    if (!outer) return undefined;
    const { hostname, port, protocol } = new URL(origin);
    const { span, end } = this.begin(outer, method, SpanKind.CLIENT, {
      'http.request.method': method,
      'server.address': hostname,
      'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    });
    let isAnswered = false;
    return {
      answered: (status) => {
        isAnswered = true;
        span.setAttribute('http.response.status_code', status);
        if (status >= 400) span.setStatus({ code: SpanStatusCode.ERROR });
      },
      ended: (error) => {
        // An answer of which enough was read is let go as one is that nobody waits for.
        if (error !== undefined && !(isAnswered && isAbort(error))) failed(span, error);
        end();
      },
    };
  }

  private begin(outer: Context, name: string, kind: SpanKind, attributes: Attributes): Begun {
    const clock = (outer.getValue(CLOCK) as SpanClock | undefined) ?? spanClock();
    const span = this.tracer.startSpan(name, { kind, attributes, startTime: clock() }, outer);
    return {
      span,
      inner: trace.setSpan(outer, span).setValue(CLOCK, clock),
      end: () => span.end(clock()),
    };
  }

  /** The context of now where it belongs to a trace that is recorded. */
  private get recorded(): Context | undefined {
    const { current } = this.contexts;
    const flags = current && trace.getSpanContext(current)?.traceFlags;
    return (flags ?? TraceFlags.NONE) & TraceFlags.SAMPLED ? current : undefined;
  }
}

/** Milliseconds since 1970, with their fractions. */
type SpanClock = () => number;

/**
 * Spans of one trace here share it. Each would otherwise read `Date` when it begins, which is exact to a
 * millisecond: a statement could end after its request.
 */
function spanClock(): SpanClock {
  const behind = Date.now() - performance.now();
  return () => behind + performance.now();
}

const CLOCK = createContextKey('clock of spans');

interface Begun {
  readonly span: Span;
  /** What belongs to it. */
  readonly inner: Context;
  readonly end: () => void;
}

/** By the kind of the error: its text may quote what a client wrote. */
function failed(span: Span, error: unknown): void {
  const kind = error instanceof Error ? error.constructor.name : typeof error;
  span.setAttribute('error.type', error instanceof AiFailure ? error.kind : kind);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

function stateOf(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < MOST_CAUSES && cause instanceof Error; depth += 1) {
    const { code } = cause as { code?: unknown };
    if (typeof code === 'string' && SQLSTATE.test(code)) return code;
    ({ cause } = cause);
  }
  return undefined;
}

const isAbort = (error: unknown): boolean => (error as { name?: unknown } | null)?.name === 'AbortError';
