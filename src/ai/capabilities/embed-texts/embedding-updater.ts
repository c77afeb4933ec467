import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { Embedder } from './embedder';
import { EmbeddingsRepository } from './embeddings.repository';

const BATCH = 32;
/** The first look waits until a start has settled. */
const FIRST_LOOK_MS = 10_000;
const LOOK_EVERY_MS = 5_000;
const AFTER_FAILURE_MS = 60_000;
/** While catching up, pauses are this many times as long as the work before: it stays in the background. */
const REST = 9;

/**
 * Keeps the formulas' embeddings up to date, in the background. Which ones are out of date is a question to
 * the database, so a restart, an import or another instance's write need nothing special.
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
    this.lookAfter(FIRST_LOOK_MS);
  }

  async onModuleDestroy(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.working;
  }

  /**
   * Brings one batch up to date.
   *
   * @returns how many formulas were out of date; fewer than a full batch means that no more are
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
    let pause = LOOK_EVERY_MS;
    try {
      const found = await this.catchUp();
      if (found === BATCH) pause = REST * (this.clock.elapsed() - startedAt);
      this.failing = false;
    } catch (error) {
      this.report(error);
      pause = AFTER_FAILURE_MS;
    }
    this.lookAfter(pause);
  }

  /** Logged when it begins, not every few seconds: a database that is away is noticed by others too. */
  private report(error: unknown): void {
    if (!this.failing) {
      this.logger.warn(
        `Embeddings cannot be brought up to date: ${error instanceof Error ? error.message : 'unknown'}`,
      );
    }
    this.failing = true;
  }
}
