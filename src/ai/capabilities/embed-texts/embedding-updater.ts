import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock';
import { Embedder } from './embedder';
import { EmbeddingsRepository } from './embeddings.repository';

const BATCH = 32;
/**
 * Updates the embeddings of formulas in the background. The database knows which ones are out of
 * date, so restarts, imports and writes of other instances need no special handling.
 */
@Injectable()
export class EmbeddingUpdater implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly logger = new Logger('Embeddings');
  private timer: NodeJS.Timeout | undefined;
  private working: Promise<unknown> | undefined;
  private stopped = false;
  private knownMaker: string | undefined;
  private failing = false;

  constructor(
    private readonly repository: EmbeddingsRepository,
    private readonly embedder: Embedder,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.lookAfter(10_000);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /**
   * Updates one batch.
   *
   * @returns the number of formulas that were out of date; fewer than a full batch means that none are left
   */
  async catchUp(): Promise<number> {
    const maker = await this.embedder.current();
    if (maker.name !== this.knownMaker) {
      await this.repository.forgetOtherMakers(maker.name);
      this.knownMaker = maker.name;
    }
    const stale = await this.repository.stale(BATCH);
    if (stale.length === 0) return 0;
    const vectors = await maker.embed(stale.map(({ text }) => text));
    await this.repository.store(
      maker.name,
      stale.map(({ id, updatedAt }, at) => ({ id, stamp: updatedAt, vector: vectors[at] as Float32Array })),
    );
    return stale.length;
  }

  private lookAfter(ms: number): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      this.working = this.look();
    }, ms);
    this.timer.unref();
  }

  private async look(): Promise<void> {
    const startedAt = this.clock.elapsed();
    let pause = 5_000;
    try {
      const found = await this.catchUp();
      // While catching up, each pause is nine times as long as the batch before it, to leave time for requests.
      if (found === BATCH) pause = 9 * (this.clock.elapsed() - startedAt);
      this.failing = false;
    } catch (error) {
      this.report(error);
      pause = 60_000;
    }
    this.lookAfter(pause);
  }

  /** Logs only the first of consecutive failures: other parts of the service also report a database that is down. */
  private report(error: unknown): void {
    if (!this.failing) {
      this.logger.warn(
        `Embeddings cannot be brought up to date: ${error instanceof Error ? error.message : 'unknown'}`,
      );
    }
    this.failing = true;
  }
}
