import {
  Global,
  Injectable,
  Logger,
  Module,
  type OnApplicationShutdown,
  type OnModuleInit,
} from '@nestjs/common';
import { Environment } from '../config/environment';
import { Metrics } from './metrics';

/**
 * Sends OpenTelemetry spans to `TRACES_URL`. Modules create spans through `@opentelemetry/api`. Without
 * `TRACES_URL` they create none, and OpenTelemetry's SDK is not loaded.
 */
@Injectable()
export class Tracing implements OnModuleInit, OnApplicationShutdown {
  private stop: (() => Promise<void>) | undefined;

  constructor(private readonly environment: Environment) {}

  get isEnabled(): boolean {
    return this.environment.tracesUrl !== undefined;
  }

  onModuleInit(): void {
    const { tracesUrl, tracesShare } = this.environment;
    if (tracesUrl === undefined) return;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only if traces are on
    const { startTracing } = require('./tracing-sdk') as typeof import('./tracing-sdk');
    this.stop = startTracing(tracesUrl, tracesShare);
    new Logger('Service').log(`Traces go to ${tracesUrl}`);
  }

  /** Runs after the last answer, so that the collector receives its span too. */
  async onApplicationShutdown(): Promise<void> {
    await this.stop?.();
  }
}

/** Metrics and traces, for every module that has something to report. */
@Global()
@Module({ providers: [Metrics, Tracing], exports: [Metrics, Tracing] })
export class ObservabilityModule {}
