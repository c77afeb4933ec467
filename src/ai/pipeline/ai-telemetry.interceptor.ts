import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import { context as activeContext, type Span, trace } from '@opentelemetry/api';
import { finalize, Observable, tap } from 'rxjs';
import { boundedNames, Metrics } from '../../platform/observability/metrics';
import { errorType, failSpan, tracer } from '../../platform/observability/spans';
import { Tracing } from '../../platform/observability/tracing';
import { AiFailure } from '../../platform/common/errors/ai-failure';
import { type AiCall, aiCallOf, type AiEvent } from './ai-call';
import { AiRate } from './rate-limit.interceptor';

const DURATION_BUCKETS = [0.01, 0.1, 0.5, 1, 2.5, 5, 10, 20, 30, 60];

/** `abandoned`: the client disconnected. */
type Outcome = 'answered' | 'cached' | 'fallback' | 'failed' | 'abandoned';

type Measure = (call: AiCall, outcome: Outcome, seconds: number) => void;

/** Records metrics and a span for every AI call. The span contains no prompt, answer or key. */
@Injectable()
export class AiTelemetryInterceptor implements NestInterceptor<AiEvent, AiEvent> {
  private measure: Measure | undefined;

  constructor(
    metrics: Metrics,
    private readonly tracing: Tracing,
    rate: AiRate,
  ) {
    metrics.register((client, registers) => {
      this.measure = createMeasure(client, registers);
      new client.Gauge({
        name: 'formula_ai_rate_waiting',
        help: 'Provider requests that wait for the AI rate',
        registers,
        collect() {
          this.set(rate.waitingCount);
        },
      });
    });
  }

  intercept(context: ExecutionContext, next: CallHandler<AiEvent>): Observable<AiEvent> {
    const { measure } = this;
    const { isEnabled } = this.tracing;
    if (!measure && !isEnabled) return next.handle();
    return new Observable((subscriber) => {
      const call = aiCallOf(context);
      const startedAt = performance.now();
      const span = isEnabled ? startSpan(call) : undefined;
      let outcome: Outcome = 'abandoned';
      const events = next.handle().pipe(
        tap({
          next: (event) => {
            if (event.kind === 'answer') outcome = outcomeOf(event.source);
          },
          error: (error: unknown) => {
            outcome = 'failed';
            if (span) failSpan(span, error instanceof AiFailure ? error.kind : errorType(error));
          },
        }),
        finalize(() => {
          measure?.(call, outcome, (performance.now() - startedAt) / 1000);
          if (span) endSpan(span, call, outcome);
        }),
      );
      if (!span) return events.subscribe(subscriber);
      return activeContext.with(trace.setSpan(activeContext.active(), span), () =>
        events.subscribe(subscriber),
      );
    });
  }
}

const outcomeOf = (source: string): Outcome =>
  source === 'cache' ? 'cached' : source === 'fallback' ? 'fallback' : 'answered';

function createMeasure(...[client, registers]: Parameters<Parameters<Metrics['register']>[0]>): Measure {
  const labelNames = ['capability', 'provider'] as const;
  const calls = new client.Counter({
    name: 'formula_ai_calls_total',
    help: 'AI calls that have ended',
    labelNames: [...labelNames, 'outcome'],
    registers,
  });
  const durations = new client.Histogram({
    name: 'formula_ai_call_duration_seconds',
    help: 'Duration of AI calls, including waits for the rate and retries',
    labelNames,
    buckets: DURATION_BUCKETS,
    registers,
  });
  const tokens = new client.Counter({
    name: 'formula_ai_tokens_total',
    help: 'Tokens used, as reported by the providers',
    labelNames,
    registers,
  });
  const lookups = new client.Counter({
    name: 'formula_ai_cache_lookups_total',
    help: 'Look-ups in the AI cache',
    labelNames: ['result'],
    registers,
  });
  const capabilityLabel = boundedNames();
  return (call, outcome, seconds) => {
    const labels = { capability: capabilityLabel(call.capability.name), provider: call.provider.name };
    calls.inc({ ...labels, outcome });
    durations.observe(labels, seconds);
    tokens.inc(labels, call.countedTokens);
    if (call.cacheAnswer) lookups.inc({ result: call.cacheAnswer });
  };
}

/** The span starts a new trace if the call does not come from a request. */
const startSpan = ({ capability, provider, model }: AiCall): Span =>
  tracer().startSpan(`ai ${capability.name}`, {
    attributes: {
      'formula.ai.capability': capability.name,
      'gen_ai.provider.name': provider.name,
      'gen_ai.request.model': model,
    },
  });

function endSpan(span: Span, call: AiCall, outcome: Outcome): void {
  span.setAttribute('formula.ai.outcome', outcome);
  span.setAttribute('formula.ai.tokens', call.countedTokens);
  if (call.cacheAnswer) span.setAttribute('formula.ai.cache', call.cacheAnswer);
  span.end();
}
