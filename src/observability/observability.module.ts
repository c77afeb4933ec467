import { isIPv6 } from 'node:net';
import {
  Injectable,
  Logger,
  Module,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
  type Type,
} from '@nestjs/common';
import { HttpAdapterHost, ModuleRef } from '@nestjs/core';
import { Environment } from '../environment/environment';
import type { Metrics } from './metrics';
import { MetricsServer } from './metrics-server';
import type { Traces } from './traces';

/**
 * Gives metrics on `METRICS_PORT` and sends traces to `TRACES_URL`; where these are not set it measures
 * nothing, and loads nothing for it.
 */
@Injectable()
class Observability implements OnApplicationBootstrap, OnApplicationShutdown {
  private metrics: Metrics | undefined;
  private server: MetricsServer | undefined;
  private traces: Traces | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly modules: ModuleRef,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  /** @throws EnvironmentError where the port cannot be listened on */
  async onApplicationBootstrap(): Promise<void> {
    // Commands run without HTTP.
    if (!this.adapterHost.httpAdapter) return;
    this.trace();
    await this.measure();
  }

  /** Behind the last answer: a collector sees the end. */
  async onApplicationShutdown(): Promise<void> {
    this.metrics?.end();
    await Promise.all([this.server?.close(), this.traces?.end()]);
  }

  private trace(): void {
    const { tracesUrl, tracesShare } = this.environment;
    if (tracesUrl === undefined) return;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only loaded where somebody traces
    const { Traces: Traced } = require('./traces') as typeof import('./traces');
    this.traces = new Traced(this.get, tracesUrl, tracesShare);
    new Logger('Service').log(`Traces go to ${tracesUrl}`);
  }

  private async measure(): Promise<void> {
    const { metricsPort, metricsHost } = this.environment;
    if (metricsPort === undefined) return;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- only loaded where somebody measures
    const { Metrics: Measured } = require('./metrics') as typeof import('./metrics');
    this.metrics = new Measured(this.get);
    this.server = new MetricsServer(this.metrics);
    const port = await this.server.listen(metricsPort, metricsHost);
    new Logger('Service').log(`Metrics on http://${hostOf(metricsHost)}:${port}/metrics`);
  }

  /** A provider of any module. */
  private readonly get = <T>(token: Type<T> | (abstract new (...args: never[]) => T)): T =>
    this.modules.get(token, { strict: false });
}

/** As it stands in an address. */
const hostOf = (host = 'localhost'): string => (isIPv6(host) ? `[${host}]` : host);

@Module({ providers: [Observability] })
export class ObservabilityModule {}
