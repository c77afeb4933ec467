import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { loggedError } from '../../../common/errors/logged-error';
import { Environment } from '../../../config/environment';
import { AiAuditRepository } from './ai-audit.repository';

/** The first look waits until a start has settled. */
const FIRST_LOOK_MS = 5 * 60_000;
const LOOK_EVERY_MS = 3_600_000;

/** Rows that one statement deletes, some milliseconds of work. */
export const ROWS_AT_ONCE = 1000;

/** Between two statements, in milliseconds: others come first. */
const PAUSE_MS = 200;

/** Statements of one look; the next look goes on. */
const MOST_STATEMENTS = 1000;

/**
 * Deletes rows of the AI audit log older than `AI_AUDIT_RETENTION_DAYS`, every hour, a few at a time.
 * One instance at a time does.
 */
@Injectable()
export class AuditRetention implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('AiAudit');
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<unknown> | undefined;
  private isStopped = false;

  constructor(
    private readonly environment: Environment,
    private readonly repository: AiAuditRepository,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    // A command is no time for it.
    if (this.environment.aiAuditRetentionDays > 0 && this.adapterHost.httpAdapter)
      this.lookAfter(FIRST_LOOK_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /**
   * Deletes what is too old; less where another instance is at it, or the service stops.
   * @returns how many rows
   */
  async deleteOld(pause = PAUSE_MS): Promise<number> {
    let deleted = 0;
    for (let statements = 0; statements < MOST_STATEMENTS && !this.isStopped; statements++) {
      const rows = await this.repository.deleteOlder(this.environment.aiAuditRetentionDays, ROWS_AT_ONCE);
      deleted += rows;
      if (rows < ROWS_AT_ONCE) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return deleted;
  }

  private lookAfter(ms: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.working = this.look();
    }, ms).unref();
  }

  private async look(): Promise<void> {
    try {
      const deleted = await this.deleteOld();
      if (deleted > 0) this.logger.log(`Deleted ${deleted} audit rows that were too old`);
    } catch (error) {
      this.logger.warn({ err: loggedError(error) }, 'Old audit rows cannot be deleted');
    }
    this.lookAfter(LOOK_EVERY_MS);
  }
}
