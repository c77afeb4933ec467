import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Environment } from '../../config/environment';
import { TrashService } from './trash.service';

/** The first look waits until a start has settled. */
const FIRST_LOOK_MS = 5 * 60_000;
const LOOK_EVERY_MS = 3_600_000;

/** Formulas that one statement removes, each with up to a thousand versions. */
const FORMULAS_AT_ONCE = 10;

/** Statements of one look; the next look goes on. */
const MOST_STATEMENTS = 1000;

/** Between two statements, in milliseconds: others come first. */
const PAUSE_MS = 200;

/** Removes formulas from the trash whose time is over, every hour, a few at a time. */
@Injectable()
export class TrashPurge implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Trash');
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<unknown> | undefined;
  private isStopped = false;

  constructor(
    private readonly trash: TrashService,
    private readonly environment: Environment,
    private readonly adapterHost: HttpAdapterHost,
  ) {}

  onApplicationBootstrap(): void {
    // A command is no time for it.
    if (this.environment.labModules.includes('trash') && this.adapterHost.httpAdapter)
      this.lookAfter(FIRST_LOOK_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.isStopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /**
   * Removes what has expired; less where another instance is at it, or the service stops.
   * @returns how many formulas
   */
  async purge(pause = PAUSE_MS): Promise<number> {
    let purged = 0;
    for (let statements = 0; statements < MOST_STATEMENTS && !this.isStopped; statements++) {
      const formulas = await this.trash.purge(FORMULAS_AT_ONCE);
      purged += formulas;
      if (formulas < FORMULAS_AT_ONCE) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return purged;
  }

  private lookAfter(ms: number): void {
    if (this.isStopped) return;
    this.timer = setTimeout(() => {
      this.working = this.look();
    }, ms).unref();
  }

  private async look(): Promise<void> {
    try {
      const purged = await this.purge();
      if (purged > 0) this.logger.log(`Removed ${purged} formulas from the trash`);
    } catch (error) {
      this.logger.warn({ err: error }, 'The trash cannot be emptied');
    }
    this.lookAfter(LOOK_EVERY_MS);
  }
}
