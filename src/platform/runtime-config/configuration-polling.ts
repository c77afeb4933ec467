import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Environment } from '../config/environment';
import { type DedicatedConnection, dedicatedConnection } from '../database/dedicated-connection';
import { RuntimeConfiguration } from './runtime-configuration';
import { RuntimeSettingsRepository } from './runtime-settings.repository';

/**
 * Polls the configuration that other instances and commands store on the same database server. Commands do not
 * poll, and the embedded database has only one process.
 */
@Injectable()
export class ConfigurationPolling implements OnApplicationBootstrap, OnApplicationShutdown {
  private connection: DedicatedConnection | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly environment: Environment,
    private readonly host: HttpAdapterHost,
    private readonly repository: RuntimeSettingsRepository,
    private readonly configuration: RuntimeConfiguration,
  ) {}

  onApplicationBootstrap(): void {
    const { database } = this.environment;
    if (database.kind !== 'server' || !this.host.httpAdapter) return;
    this.connection = dedicatedConnection(database.url, 'formula-configuration');
    void this.poll(this.connection);
  }

  /** Runs after the last answer, because a key may be revoked while the service stops. */
  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    void this.connection?.end();
    this.connection = undefined;
  }

  private async poll(connection: DedicatedConnection): Promise<void> {
    // An unreachable database is logged elsewhere.
    await this.configuration.refresh(() => this.repository.allOn(connection)).catch(() => undefined);
    if (this.connection === undefined) return;
    // A change by another instance must take effect here within a second.
    this.timer = setTimeout(() => void this.poll(connection), 400).unref();
  }
}
