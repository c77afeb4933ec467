import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { z } from 'zod';
import { Clock } from '../../platform/common/clock';
import { contentFault } from '../../platform/http/request-content';
import { Environment } from '../../platform/config/environment';
import { Redis } from '../../platform/redis/redis.module';
import { parseJson } from './answer/json';
import { RuntimeConfiguration } from '../../platform/runtime-config/runtime-configuration';

/** AI answers of all instances, in Redis. */
@Injectable()
export class SharedAnswers implements OnApplicationBootstrap {
  /** True if the instances share their answers; otherwise each has its own. */
  readonly isUsed: boolean;
  private readonly ttl: number;
  private readonly version = serviceVersion();
  /** Version of the configuration under which answers are stored and found; absent until it is known. */
  private revision: Promise<string> | undefined;
  /** Separates the answers of this instance from stored ones that it must no longer use, until they expire. */
  private apart: { readonly mark: string; readonly until: number } | undefined;

  constructor(
    private readonly configuration: RuntimeConfiguration,
    private readonly clock: Clock,
    { aiCacheTtlSeconds }: Environment,
    private readonly redis: Redis,
  ) {
    this.isUsed = redis.state !== undefined;
    this.ttl = Math.max(1, aiCacheTtlSeconds * 1000);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.isUsed) await this.currentRevision().catch(() => undefined);
  }

  /** The stored answer; undefined if there is none, it does not match the schema, or Redis fails. */
  async get(key: string, schema: z.ZodType): Promise<unknown> {
    const storedKey = await this.storedKey(key);
    const { state } = this.redis;
    if (!state || storedKey === undefined) return undefined;
    const text = await state.circuit.execute(
      () => state.answers.get(storedKey),
      () => undefined,
    );
    if (text === undefined) return undefined;
    // An answer stored by another version of an extension may not match the schema.
    const { success, data } = schema.safeParse(parseJson(text));
    return success && !contentFault(data) ? data : undefined;
  }

  async keep(key: string, answer: unknown): Promise<void> {
    const storedKey = await this.storedKey(key);
    const { state } = this.redis;
    const text = answerText(answer);
    if (!state || storedKey === undefined || text === undefined || text.length > 1_000_000) return;
    await state.circuit.execute(
      () => state.answers.set(storedKey, text, this.ttl),
      () => undefined,
    );
  }

  /**
   * Forgets all answers stored before. Redis itself is not emptied: answers are stored under the version of
   * the configuration, which is the same for all instances. If that has not changed, this instance uses keys of
   * its own until the earlier answers have expired.
   */
  async empty(): Promise<void> {
    const before = this.revision;
    this.revision = undefined;
    // Immediately, so that calls made from now on find no earlier answer either.
    this.apart = { mark: randomUUID(), until: this.clock.elapsed() + this.ttl };
    const { apart } = this;
    const [was, is] = await Promise.all([before, this.currentRevision()]).catch(() => []);
    const hasChanged = was !== undefined && is !== undefined && was !== is;
    if (hasChanged && this.apart === apart) this.apart = undefined;
  }

  /** Undefined while the configuration is not known. */
  private async storedKey(key: string): Promise<string | undefined> {
    // Computed when the call begins: an answer is stored under the configuration of its request.
    const { apart } = this;
    const mark = apart && this.clock.elapsed() < apart.until ? apart.mark : '';
    const revision = await this.currentRevision().catch(() => undefined);
    return revision === undefined ? undefined : `${this.version}|${revision}|${mark}|${key}`;
  }

  private currentRevision(): Promise<string> {
    if (this.revision) return this.revision;
    const revision = this.configuration.current().then((settings) => settings.revision);
    this.revision = revision;
    revision.catch(() => {
      if (this.revision === revision) this.revision = undefined;
    });
    return revision;
  }
}

/** Undefined if an extension's answer cannot be written as JSON. */
function answerText(answer: unknown): string | undefined {
  try {
    return JSON.stringify(answer);
  } catch {
    return undefined;
  }
}

/** Another version of the service may read a provider's answer differently. */
function serviceVersion(): string {
  const text = readFileSync(join(__dirname, '../../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
