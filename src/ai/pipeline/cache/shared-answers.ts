import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { type z } from 'zod';
import { CircuitBreaker, StoreFault } from '../../../platform/common/circuit-breaker';
import { Clock } from '../../../platform/common/clock';
import { theOneWith } from '../../../platform/common/extension-tokens';
import { contentFault } from '../../../platform/http/request-content';
import { StoreKeys } from '../../../platform/common/store-keys';
import { Environment } from '../../../platform/config/environment';
import { SigningSecret } from '../../../platform/config/signing-secret';
import { Redis } from '../../../platform/redis/redis.module';
import { RuntimeConfiguration } from '../../../platform/runtime-config/runtime-configuration';
import { AnswerCache } from './answer-cache';

/**
 * Token under which a module provides an `AiAnswerStore` for the AI answers of all instances. If
 * there is none, they are stored in Redis, or, without Redis, in the memory of each instance.
 */
export const AI_ANSWER_STORE = Symbol('AI_ANSWER_STORE');

/** Stores texts under keys. The texts are answers, so they need the same protection as the database. */
export interface AiAnswerStore {
  /** Returns the text of a key of 64 hexadecimal digits; undefined or null if there is none. */
  get(key: string): Promise<string | null | undefined>;
  /**
   * Stores a text of at most 1 000 000 characters.
   *
   * @param ttl milliseconds after which the text must be deleted, from 1 to the number of a year
   */
  set(key: string, value: string, ttl: number): Promise<unknown>;
}

/** Time limit for an extension's store, for each read and each write. */
const TIMEOUT_MS = 1_000;

/** Longest text that is stored, in characters. */
const MAX_TEXT = 1_000_000;

/** A stored value. Its key proves that it belongs to this call. */
interface Kept {
  readonly key: string;
  readonly answer: unknown;
}

/** Answers in the store of an extension, else in Redis. */
@Injectable()
export class SharedAnswers implements OnModuleInit, OnApplicationBootstrap {
  private store: AiAnswerStore | undefined;
  private keys!: StoreKeys;
  private readonly ttl: number;
  private circuit: CircuitBreaker;
  /** Version of the configuration under which answers are stored and found; absent until it is known. */
  private revision: Promise<string> | undefined;
  /** Separates the answers of this instance from stored ones that it must no longer use, until they expire. */
  private apart: { readonly mark: string; readonly until: number } | undefined;

  constructor(
    private readonly cache: AnswerCache,
    private readonly discovery: DiscoveryService,
    private readonly configuration: RuntimeConfiguration,
    private readonly clock: Clock,
    private readonly secret: SigningSecret,
    { aiCacheTtlSeconds }: Environment,
    private readonly redis: Redis,
  ) {
    this.ttl = Math.max(1, aiCacheTtlSeconds * 1000);
    this.circuit = new CircuitBreaker('AI_ANSWER_STORE', 'providers are asked anew', TIMEOUT_MS, clock);
  }

  /** All modules are loaded at this point. */
  onModuleInit(): void {
    this.store = theOneWith<AiAnswerStore>(AI_ANSWER_STORE, this.discovery, ['get', 'set']);
    const { state } = this.redis;
    if (!this.store && state) {
      this.store = state.answers;
      this.circuit = state.circuit;
    }
    if (!this.store) return;
    this.cache.keepIn(this);
    this.keys = new StoreKeys(this.secret.value, `ai-answer-store ${serviceVersion()}`);
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.store) await this.currentRevision().catch(() => undefined);
  }

  /** The stored answer; undefined if there is none, it does not match the schema, or the store fails. */
  async get(key: string, schema: z.ZodType): Promise<unknown> {
    const storeKey = await this.storeKey(key);
    if (storeKey === undefined) return undefined;
    const kept = await this.circuit.execute<Kept | undefined>(
      () => this.store?.get(storeKey),
      (text) => keptOf(text, key),
      () => undefined,
    );
    if (!kept) return undefined;
    // An answer stored by another version of an extension may not match the schema. The store is not at fault.
    const { success, data } = schema.safeParse(kept.answer);
    return success && !contentFault(data) ? data : undefined;
  }

  async keep(key: string, answer: unknown): Promise<void> {
    const storeKey = await this.storeKey(key);
    const text = textOf({ key, answer });
    if (storeKey === undefined || text === undefined || text.length > MAX_TEXT) return;
    await this.circuit.execute(
      () => this.store?.set(storeKey, text, this.ttl),
      () => undefined,
      () => undefined,
    );
  }

  /**
   * Forgets all answers stored before. The store itself is not emptied: answers are stored under the version of
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
  private async storeKey(key: string): Promise<string | undefined> {
    // Computed when the call begins: an answer is stored under the configuration of its request.
    const { apart } = this;
    const mark = apart && this.clock.elapsed() < apart.until ? apart.mark : '';
    const revision = await this.currentRevision().catch(() => undefined);
    return revision === undefined ? undefined : this.keys.of(`${revision}|${mark}|${key}`);
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

/** @throws StoreFault if the value is neither empty nor one that was stored for this call */
function keptOf(text: unknown, key: string): Kept | undefined {
  if (text === undefined || text === null) return undefined;
  if (typeof text !== 'string') throw new StoreFault('The value is no text');
  if (text.length > MAX_TEXT) throw new StoreFault('The value is longer than any that was kept');
  const kept = readJson(text) as Partial<Kept> | null | undefined;
  if (kept?.key !== key || kept.answer === undefined) throw new StoreFault('The value is not what was kept');
  return kept as Kept;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Undefined if an extension's answer cannot be written as JSON. */
function textOf(kept: Kept): string | undefined {
  try {
    return JSON.stringify(kept);
  } catch {
    return undefined;
  }
}

/** Another version of the service may read a provider's answer differently. */
function serviceVersion(): string {
  const text = readFileSync(join(__dirname, '../../../../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
