import { type Span, type SpanOptions, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';

export const SERVICE_NAME = 'formula-development-service';

/** Not cached: OpenTelemetry binds a tracer to the provider that was set when it was created. */
export const tracer = (): Tracer => trace.getTracer(SERVICE_NAME);

/** Runs `work` inside a span that ends with it. */
export function withSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  return tracer().startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      failSpan(span, errorType(error));
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Marks a span as failed, with the type of the error. Its message is left out, because it may quote a client. */
export function failSpan(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

export const errorType = (error: unknown): string =>
  error instanceof Error ? error.constructor.name : typeof error;
