import { isIPv6 } from 'node:net';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type * as PromClient from 'prom-client';
import { Environment } from '../config/environment';
import { MetricsServer } from './metrics-server';

/** prom-client's classes, and the option that adds a metric to this application's registry. */
type Register = (client: typeof PromClient, registers: PromClient.Registry[]) => void;

/**
 * The metrics of this application, served on `METRICS_PORT`. Each module registers its own. Without `METRICS_PORT`,
 * nothing is registered and prom-client is not loaded. A label must never contain text from a client.
 */
@Injectable()
export class Metrics implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly registry: PromClient.Registry | undefined;
  private readonly client: typeof PromClient | undefined;
  private server: MetricsServer | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly adapterHost: HttpAdapterHost,
  ) {
    if (environment.metricsPort === undefined) return;
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loading it takes a tenth of a second
    this.client = require('prom-client') as typeof PromClient;
    this.registry = new this.client.Registry();
    this.client.collectDefaultMetrics({ register: this.registry });
  }

  /** Called by modules when they are created. */
  register(register: Register): void {
    if (this.client && this.registry) register(this.client, [this.registry]);
  }

  /**
   * Registers a gauge.
   * @param read called when metrics are collected; returns the value, or the values by the label
   */
  gauge(name: string, help: string, read: () => number | Readonly<Record<string, number>>, label = ''): void {
    this.register(({ Gauge }, registers) => {
      new Gauge({
        name,
        help,
        labelNames: label ? [label] : [],
        registers,
        collect() {
          const values = read();
          if (typeof values === 'number') this.set(values);
          else for (const [value, number] of Object.entries(values)) this.set({ [label]: value }, number);
        },
      });
    });
  }

  /** @throws EnvironmentError if the port is in use */
  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort, metricsHost } = this.environment;
    // Commands run without HTTP.
    const hasHttp = (this.adapterHost.httpAdapter as unknown) !== undefined;
    if (!this.registry || metricsPort === undefined || !hasHttp) return;
    this.server = new MetricsServer(this.registry);
    const port = await this.server.listen(metricsPort, metricsHost);
    new Logger('Service').log(`Metrics on http://${urlHost(metricsHost)}:${port}/metrics`);
  }

  async onApplicationShutdown(): Promise<void> {
    await this.server?.close();
  }
}

const urlHost = (host = 'localhost'): string => (isIPv6(host) ? `[${host}]` : host);

/** Returns the first hundred names unchanged, and `other` for later ones, because series are never removed. */
export function boundedNames(): (name: string) => string {
  const names = new Set<string>();
  return (name) => {
    if (names.size < 100) names.add(name);
    return names.has(name) ? name : 'other';
  };
}
