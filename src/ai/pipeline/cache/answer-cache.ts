import { CACHE_MANAGER } from '@nestjs/cache-manager';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { type Cache } from 'cache-manager';
import { type z } from 'zod';

/** A cache that several instances share. Its methods never reject. */
interface SharedMemory {
  get(key: string, schema: z.ZodType): Promise<unknown>;
  keep(key: string, answer: unknown): Promise<void>;
  empty(): Promise<void>;
}

/** Cached answers of providers: in Redis, or without it in the memory of this process. */
@Injectable()
export class AnswerCache {
  private readonly logger = new Logger('AI');
  private current = 0;

  private shared: SharedMemory | undefined;

  constructor(@Inject(CACHE_MANAGER) private readonly cache: Cache) {}

  /** Uses this store from now on. */
  keepIn(shared: SharedMemory): void {
    this.shared = shared;
  }

  /** Increases each time the cache is emptied. An answer requested in an earlier generation is not cached. */
  get generation(): number {
    return this.current;
  }

  /** Returns the stored answer, or undefined if there is none or the store does not work. */
  async get(key: string, schema: z.ZodType): Promise<unknown> {
    if (this.shared) return this.shared.get(key, schema);
    try {
      return await this.cache.get(key);
    } catch {
      this.logger.warn('The answer cache cannot be read');
      return undefined;
    }
  }

  async keep(key: string, answer: unknown, generation: number): Promise<void> {
    if (generation !== this.current) return;
    if (this.shared) return this.shared.keep(key, answer);
    try {
      await this.cache.set(key, answer);
      // The configuration may have changed while the store was writing.
      if (generation !== this.current) await this.cache.del(key);
    } catch {
      this.logger.warn('The answer cache cannot be written');
    }
  }

  async clear(): Promise<void> {
    this.current += 1;
    if (this.shared) return this.shared.empty();
    await this.cache.clear();
  }
}
