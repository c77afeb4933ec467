import { Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { HttpAdapterHost } from '@nestjs/core';
import { loggedError } from './errors/logged-error';

/** Most steps of one run. The next run continues. */
const MOST_STEPS = 1000;

/**
 * Deletes old rows every hour while the service runs, a few at a time. Commands never start it. When the service
 * stops, it waits for the current step.
 *
 * A provider that extends this class sets the number of rows per step and deletes them in `deleteStep`.
 */
export abstract class HourlyDeletion implements OnApplicationBootstrap, OnModuleDestroy {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<unknown> | undefined;
  private isStopped = false;
  private readonly logger: Logger;

  /**
   * @param rows the name of the rows in log lines, in the plural
   * @param rowsPerStep most rows that one step deletes; a step that deletes fewer is the last of its run
   */
  protected constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly rows: string,
    private readonly rowsPerStep: number,
  ) {
    this.logger = new Logger(new.target.name);
  }

  /** Returns false if a setting disables the deletion. */
  protected abstract isEnabled(): boolean;

  /**
   * Deletes at most `rowsPerStep` rows.
   * @returns the number of deleted rows; 0 while another instance deletes
   */
  protected abstract deleteStep(): Promise<number>;

  onApplicationBootstrap(): void {
    // Late enough not to slow down a start.
    if (this.isEnabled() && this.adapterHost.httpAdapter) this.schedule(5 * 60_000);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.running;
  }

  /**
   * Deletes step by step until no old rows are left, the service stops, or `MOST_STEPS` are done.
   * @param pauseMs pause between two steps
   * @returns the number of deleted rows
   */
  async deleteOld(pauseMs = 200): Promise<number> {
    let deleted = 0;
    for (let step = 0; step < MOST_STEPS && !this.isStopped; step++) {
      const rows = await this.deleteStep();
      deleted += rows;
      if (rows < this.rowsPerStep) break;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return deleted;
  }

  private schedule(ms: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.running = this.run();
    }, ms).unref();
  }

  private async run(): Promise<void> {
    try {
      const deleted = await this.deleteOld();
      if (deleted > 0) this.logger.log(`Deleted ${deleted} ${this.rows} that were too old`);
    } catch (error) {
      this.logger.warn({ err: loggedError(error) }, `Old ${this.rows} cannot be deleted`);
    }
    this.schedule(3_600_000);
  }
}
