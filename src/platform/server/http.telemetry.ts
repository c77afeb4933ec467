import { Injectable } from '@nestjs/common';
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Request } from 'express';
import { boundedNames, Metrics } from '../observability/metrics';
import { tracer } from '../observability/spans';
import { Tracing } from '../observability/tracing';
import { type Answer, Answers, type Followed, NO_ROUTE } from './answers';

const DURATION_BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** Proxies and supervisors call these paths every few seconds. They are not traced. */
const PROBES = new Set(['/api/health', '/api/ext/live']);

/** Metrics and spans of requests. They contain the pattern of the route, never the path. */
@Injectable()
export class HttpTelemetry {
  constructor(answers: Answers, metrics: Metrics, tracing: Tracing) {
    registerMetrics(answers, metrics);
    if (tracing.isEnabled) answers.follow(startRequestSpan);
  }
}

function registerMetrics(answers: Answers, metrics: Metrics): void {
  metrics.gauge(
    'formula_http_requests_in_progress',
    'Requests without a complete response',
    () => answers.inProgress,
  );
  metrics.register(({ Counter, Histogram }, registers) => {
    const durations = new Histogram({
      name: 'formula_http_request_duration_seconds',
      help: 'Duration of requests up to the end of the response; status 499: the client disconnected',
      labelNames: ['method', 'route', 'status'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    const cut = new Counter({
      name: 'formula_http_cut_answers_total',
      help: 'Responses that ended before they were complete',
      labelNames: ['route'],
      registers,
    });
    const throttled = new Counter({
      name: 'formula_http_throttled_requests_total',
      help: 'Responses with status 429',
      labelNames: ['code'],
      registers,
    });
    const refused = new Counter({
      name: 'formula_http_refused_requests_total',
      help: 'Responses with status 503',
      labelNames: ['code'],
      registers,
    });
    const codeLabel = boundedNames();
    answers.watch(({ method, route, status, code = 'none', seconds, isComplete }: Answer) => {
      durations.observe({ method, route, status }, seconds);
      if (!isComplete) cut.inc({ route });
      if (status === 429) throttled.inc({ code: codeLabel(code) });
      if (status === 503) refused.inc({ code: codeLabel(code) });
    });
  });
}

function startRequestSpan({ method, url, headers }: Request): Followed | undefined {
  if (PROBES.has(url.split('?', 1)[0]!)) return undefined;
  // `tracestate` is not extracted: it could contain anything that a client sends, and would be exported.
  const caller = propagation.extract(ROOT_CONTEXT, { traceparent: headers.traceparent });
  const attributes = { 'http.request.method': method };
  const span = tracer().startSpan(method, { kind: SpanKind.SERVER, attributes }, caller);
  return {
    traceId: span.isRecording() ? span.spanContext().traceId : undefined,
    run: (work) => context.with(trace.setSpan(caller, span), work),
    over: ({ route, status, code, isComplete }) => {
      if (route !== NO_ROUTE) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      span.setAttribute('http.response.status_code', status);
      if (code !== undefined) span.setAttribute('error.type', code);
      if (!isComplete) span.setAttribute('formula.cut', true);
      if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
