import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Client } from 'pg';
import { randomUUID } from 'node:crypto';
import { Environment } from '../environment/environment';
import { Database } from './database';
import { INSTANCE_NAME, InstanceConnection } from './instance-connection';

/** What is told to the other instances: what has changed is read from the database. */
export const CONFIGURATION_CHANNEL = 'formula_configuration';

/** How often is asked what may have been missed, while nothing can be heard, in milliseconds. */
const LOOK_EVERY_MS = 250;

const TELL = { name: 'instances.tell', text: `SELECT pg_notify('${CONFIGURATION_CHANNEL}', $1)` };

const OTHERS = `
  SELECT count(*)::int AS others FROM pg_stat_activity
   WHERE datname = current_database() AND application_name = '${INSTANCE_NAME}' AND pid <> pg_backend_pid()`;

export interface Subscriber {
  /** Another instance has told. */
  told(): void;
  /** Another instance may have told while this one could not hear it. */
  missed(): Promise<void>;
}

/**
 * The instances that serve one database server: what one tells, the others hear, at the commit of its
 * transaction. The embedded database has one process; a command is no instance.
 */
@Injectable()
export class Instances implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger('Service');
  private readonly id = randomUUID();
  private connection: InstanceConnection | undefined;
  private looks: NodeJS.Timeout | undefined;
  private subscriber: Subscriber | undefined;
  private isOpen = false;
  /** Something may have been told that this one has not heard. */
  private isBehind = true;
  private isAlone: boolean | undefined;

  constructor(
    private readonly database: Database,
    private readonly environment: Environment,
    private readonly host: HttpAdapterHost,
  ) {}

  /** There is one who listens. */
  subscribe(subscriber: Subscriber): void {
    this.subscriber = subscriber;
  }

  /** Heard by the others when the current transaction is committed, never when it is undone. */
  async tell(): Promise<void> {
    if (this.environment.database.kind === 'server') await this.database.query(TELL, [this.id]);
  }

  /**
   * Rows of a statement, from the connection that hears the others: it has just answered, where those of the
   * pool may be dead, each of which is found to be so by waiting for it.
   * @returns undefined where it cannot be asked
   */
  async ask<Row extends object>(text: string): Promise<Row[] | undefined> {
    return this.connection?.ask<Row>(text);
  }

  onApplicationBootstrap(): void {
    const { database } = this.environment;
    if (database.kind !== 'server' || !this.host.httpAdapter) return;
    this.isOpen = true;
    this.lookLater();
    this.connection = new InstanceConnection(database.url, CONFIGURATION_CHANNEL, {
      heard: (from) => {
        if (from !== this.id) this.subscriber?.told();
      },
      listening: (client) => {
        void this.lookAround(client);
        // One that is under way may wait for a connection of the pool whose other side has vanished.
        this.isBehind = true;
        void this.look();
      },
    });
    this.connection.open();
  }

  /** Behind the last answer: a stop takes its time, and a key may be revoked in it. */
  async onApplicationShutdown(): Promise<void> {
    this.isOpen = false;
    clearTimeout(this.looks);
    const { connection } = this;
    this.connection = undefined;
    await connection?.close();
  }

  private lookLater(): void {
    this.looks = setTimeout(() => {
      void this.look().finally(() => {
        if (this.isOpen) this.lookLater();
      });
    }, LOOK_EVERY_MS).unref();
  }

  /** Until it has once been seen what there is, while everything that is told since then is heard. */
  private async look(): Promise<void> {
    if (!this.isBehind && this.connection?.isListening !== false) return;
    this.isBehind = this.connection?.isListening === false;
    try {
      await this.subscriber?.missed();
    } catch {
      // A database that is out of reach has its own line in the log.
      this.isBehind = true;
    }
  }

  /** Once, when this instance starts: of two, the second one says so. */
  private async lookAround(client: Pick<Client, 'query'>): Promise<void> {
    if (this.environment.redisUrl !== undefined || this.isAlone !== undefined) return;
    const found = await client.query<{ others: number }>(OTHERS).catch(() => undefined);
    if (!found) return;
    const { others } = found.rows[0]!;
    this.isAlone = others === 0;
    if (this.isAlone) return;
    this.logger.warn(
      `Another instance serves this database (${others} besides this one): without REDIS_URL each has limits of ` +
        'requests and logins, a rate of AI requests and AI answers of its own. Set the same REDIS_URL for all of them.',
    );
  }
}
