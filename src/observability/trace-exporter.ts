import { AsyncResource } from 'node:async_hooks';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Logger } from '@nestjs/common';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';

/** How long the collector may take to answer, in milliseconds. */
const PATIENCE_MS = 5000;

/**
 * Sends spans to a collector, as JSON of OTLP over HTTP. What it does not take is dropped: nothing waits for
 * it, and one line of the log tells that it is away, another that it is back.
 */
export class TraceExporter implements SpanExporter {
  private readonly agent: HttpAgent;
  private readonly logger = new Logger('Traces');
  /** Told in nobody's context: a batch is sent while some request is handled, of which it is no part. */
  private readonly tell = AsyncResource.bind((failure: string | undefined) => this.log(failure));
  private isLost = false;

  constructor(private readonly url: string) {
    this.agent = url.startsWith('https:')
      ? new HttpsAgent({ keepAlive: true })
      : new HttpAgent({ keepAlive: true });
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    this.post(spans).then(
      (status) => {
        const isTaken = status >= 200 && status < 300;
        this.tell(isTaken ? undefined : `status ${status}`);
        done({ code: isTaken ? ExportResultCode.SUCCESS : ExportResultCode.FAILED });
      },
      (error: NodeJS.ErrnoException) => {
        const isSilent = error.name === 'AbortError' || error.name === 'TimeoutError';
        this.tell(isSilent ? `no answer in ${PATIENCE_MS / 1000} s` : (error.code ?? error.name));
        done({ code: ExportResultCode.FAILED });
      },
    );
  }

  /** Cuts what is under way. */
  shutdown(): Promise<void> {
    this.agent.destroy();
    return Promise.resolve();
  }

  /** @returns the status of the answer, whose body nobody reads */
  private post(spans: ReadableSpan[]): Promise<number> {
    return new Promise((resolve, reject) => {
      const request = this.agent instanceof HttpsAgent ? requestHttps : requestHttp;
      const headers = { 'Content-Type': 'application/json' };
      const options = {
        method: 'POST',
        headers,
        agent: this.agent,
        signal: AbortSignal.timeout(PATIENCE_MS),
      };
      const asked = request(this.url, options, (response) => {
        // It may still break, or be cut at the time limit.
        response.on('error', () => undefined).resume();
        resolve(response.statusCode ?? 0);
      });
      asked.on('error', reject);
      asked.end(JsonTraceSerializer.serializeRequest(spans));
    });
  }

  private log(failure: string | undefined): void {
    if (failure !== undefined && !this.isLost) {
      this.logger.warn(
        `The collector of TRACES_URL takes no traces (${failure}): they are dropped until it does`,
      );
    }
    if (failure === undefined && this.isLost)
      this.logger.log('The collector of TRACES_URL takes traces again');
    this.isLost = failure !== undefined;
  }
}
