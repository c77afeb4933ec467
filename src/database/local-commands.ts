import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { DataSource } from 'typeorm';
import { Environment } from '../environment/environment';
import { commandIdentityOf } from './command-identity';
import type { CommandSocket } from './embedded/commands/command-socket';
import { EmbeddedDataSource } from './embedded-data-source';

/** Lets commands work on the embedded database of a service that runs; what is no service does not. */
@Injectable()
export class LocalCommands implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Database');
  private socket: CommandSocket | undefined;
  private isOver = false;

  constructor(
    private readonly dataSource: DataSource,
    private readonly environment: Environment,
    private readonly host: HttpAdapterHost,
  ) {}

  /** Without it the service runs all the same. */
  async onApplicationBootstrap(): Promise<void> {
    const { dataSource, environment } = this;
    const { database } = environment;
    if (database.kind !== 'directory' || !this.host.httpAdapter) return;
    if (!(dataSource instanceof EmbeddedDataSource)) return;
    try {
      this.socket = await dataSource.openToCommands({
        dataDir: database.dataDir,
        identity: commandIdentityOf(environment),
        warn: (message) => this.logger.warn(message),
      });
      // It may have been stopped meanwhile.
      if (this.isOver) this.socket.close();
    } catch (error) {
      this.logger.warn(
        `Commands can use the database only while the service is stopped: ${(error as Error).message}`,
      );
    }
  }

  onModuleDestroy(): void {
    this.isOver = true;
    this.socket?.close();
  }

  /** Whether a command has been connected since this was last asked, and none has a transaction open. */
  takeVisited(): boolean {
    return this.socket?.takeVisited() ?? false;
  }
}
