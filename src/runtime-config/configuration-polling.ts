import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Environment } from '../config/environment';
import { DedicatedConnection } from '../database/dedicated-connection';
import { RuntimeConfiguration } from './runtime-configuration';
import { RuntimeSettingsRepository } from './runtime-settings.repository';

/** What another instance changes must be in force here within a second. */
const POLL_INTERVAL_MS = 400;

/**
 * Polls the configuration that other instances and commands store on the same database server. A command does
 * not poll, and the embedded database has one process.
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
    this.connection = new DedicatedConnection(database.url, 'formula-configuration');
    void this.poll(this.connection);
  }

  /** After the last answer: a key may be revoked while the service stops. */
  onApplicationShutdown(): void {
    clearTimeout(this.timer);
    this.connection?.close();
    this.connection = undefined;
  }

  private async poll(connection: DedicatedConnection): Promise<void> {
    // A database that cannot be reached has its own line in the log.
    await this.configuration.refresh(() => this.repository.allOn(connection)).catch(() => undefined);
    if (this.connection === undefined) return;
    this.timer = setTimeout(() => void this.poll(connection), POLL_INTERVAL_MS).unref();
  }
}
