import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Logger } from '@nestjs/common';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { type ExportResult, ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { within } from '../common/within';
import { SERVICE_NAME } from './spans';

/** Logs one warning when the collector stops accepting spans, and one line when it accepts them again. */
class LoggingExporter extends OTLPTraceExporter {
  private readonly logger = new Logger('Traces');
  private isFailing = false;

  override export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    super.export(spans, (result) => {
      this.report(result);
      done(result);
    });
  }

  private report({ code, error }: ExportResult): void {
    const isFailing = code !== ExportResultCode.SUCCESS;
    if (isFailing && !this.isFailing) {
      const { code: reason, message } = (error ?? {}) as NodeJS.ErrnoException;
      this.logger.warn(
        `The collector of TRACES_URL takes no traces (${reason ?? message ?? 'no answer'}): they are dropped`,
      );
    }
    if (!isFailing && this.isFailing) this.logger.log('The collector of TRACES_URL takes traces again');
    this.isFailing = isFailing;
  }
}

/**
 * Registers OpenTelemetry for the process. If the process has registered it already, our spans are sent there.
 * @param share share of the requests without a trace that are recorded, 0 to 1
 * @returns a function that sends the last spans and shuts down
 */
export function startTracing(url: string, share: number): () => Promise<void> {
  const agent = url.startsWith('https:')
    ? new HttpsAgent({ keepAlive: true })
    : new HttpAgent({ keepAlive: true });
  const exporter = new LoggingExporter({
    url,
    timeoutMillis: 5000,
    httpAgentOptions: () => agent,
  });
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({ 'service.name': SERVICE_NAME, 'service.instance.id': randomUUID() }),
    ),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanLimits: { attributeValueLengthLimit: 1024 },
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const isRegistered = trace.setGlobalTracerProvider(provider);
  if (isRegistered) {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  }
  return async () => {
    const timeoutError = () => new Error('The collector of TRACES_URL does not answer');
    // The exporter has logged the failure.
    await within(1000, timeoutError, () => provider.shutdown()).catch(() => undefined);
    agent.destroy();
    if (!isRegistered) return;
    trace.disable();
    context.disable();
    propagation.disable();
  };
}
