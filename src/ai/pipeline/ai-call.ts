import { hash } from 'node:crypto';
import { type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs';
import type { CurrentUser } from '../../platform/common/current-user';
import type { ProviderAccess } from '../../platform/runtime-config/runtime-configuration';
import { type AiProvider, type AnswerSchema, tokenCount } from '../providers/ai-provider';
import { type Capability, type Prompt, strictJsonSchema } from './capability';

/** Source of an answer: a provider's name, or a part of the pipeline. */
export type AiSource = 'cache' | 'fallback' | (string & {});

/**
 * The values that the pipeline's observable emits: parts that may be sent early, and at the end the complete
 * answer.
 */
export type AiEvent =
  | { readonly kind: 'part'; readonly part: unknown; readonly source: AiSource }
  | {
      readonly kind: 'answer';
      readonly answer: unknown;
      readonly source: AiSource;
      /**
       * The answer comes from a provider and passed its schema completely, so it may be cached for the same
       * prompt.
       */
      readonly cacheable: boolean;
    };

export interface CallPolicy {
  /** Time limit of the entire call in milliseconds: waiting for the rate limit, attempts and pauses. */
  readonly deadlineMs: number;
  /** Milliseconds without data after which an attempt is aborted. */
  readonly attemptMs: number;
  /** Attempts after the first one. */
  readonly retries: number;
  readonly cache: boolean;
  readonly whenFailed: 'preset' | 'failure';
}

interface HashedSchema extends AnswerSchema {
  /** SHA-256 of the schema, in hex. */
  readonly hash: string;
}

/** An AI call on its way through the pipeline: its prompt, its provider and its state so far. */
export class AiCall {
  readonly schema: HashedSchema;
  /** Tokens that this call has cost; shared by all calls that wait for the same answer. */
  usage = new Usage();
  /** The output format that the provider turned out to accept during this call. */
  readonly negotiated: { format?: string } = {};
  /** Set for the attempt after an invalid answer. */
  repair: { readonly answer: string; readonly problem: string } | undefined;
  /** Result of the cache lookup; absent if there was none. */
  cacheAnswer: 'hit' | 'miss' | undefined;
  /** Tokens that the audit row of this call counts, and no other row. Known when the call has ended. */
  countedTokens = 0;
  /** Private at run time as well: a call that is logged does not show the key. */
  #access: ProviderAccess;
  /** Address of the provider when the call began. */
  readonly #address: string;
  #sent: SentText;

  constructor(
    readonly capability: Capability<unknown, unknown>,
    readonly input: unknown,
    readonly provider: AiProvider,
    readonly model: string,
    access: ProviderAccess,
    readonly policy: CallPolicy,
    /** The user who makes the call; absent if it does not come from a request or a job of a user. */
    readonly user?: CurrentUser,
  ) {
    this.#access = access;
    this.#address = access.baseUrl ?? '';
    this.schema = schemas.get(capability) ?? schemaOf(capability);
    this.#sent = this.hashed(capability.prompt(input), capability.embedding?.texts(input));
  }

  get prompt(): Prompt {
    return this.#sent.prompt;
  }

  /** Texts that the capability turns into vectors. They are sent instead of the prompt. */
  get texts(): readonly string[] {
    return this.#sent.texts ?? [];
  }

  /** SHA-256 of the full prompt text, in hex. The audit log stores it instead of the prompt. */
  get promptHash(): string {
    return this.#sent.promptHash;
  }

  /**
   * SHA-256 over everything that decides the answer: capability, provider with its address, model,
   * schema, prompt, and the capability's `alsoDependsOn`.
   */
  get cacheKey(): string {
    const { capability, input, schema } = this;
    const more = capability.alsoDependsOn?.(input) ?? '';
    const parts = [capability.name, this.provider.name, this.#address, this.model, schema.hash];
    return hash('sha256', [...parts, this.promptHash, more].join('\n'));
  }

  /**
   * Replaces the prompt. An interceptor that removes confidential data calls this before `next.handle()`. Audit
   * log and cache use the prompt that is sent.
   * @param change absent properties keep their values
   * @throws Error for a capability that sends texts
   */
  withPrompt(change: Partial<Prompt>): this {
    if (this.#sent.texts) throw new Error(`${this.capability.name} sends texts: change them by withTexts`);
    this.#sent = this.hashed({ ...this.prompt, ...change });
    return this;
  }

  /**
   * Replaces the texts that are turned into vectors.
   * @param texts one for each earlier text, in the same order
   * @throws Error for a capability that sends a prompt, and for another number of texts
   */
  withTexts(texts: readonly string[]): this {
    if (!this.#sent.texts) throw new Error(`${this.capability.name} sends a prompt: change it by withPrompt`);
    if (texts.length !== this.texts.length) throw new Error('There must be a text for each that there was');
    this.#sent = this.hashed({ ...this.prompt, user: JSON.stringify(texts) }, texts);
    return this;
  }

  /** API key and address of the provider for this call. */
  get access(): ProviderAccess {
    return this.#access;
  }

  /**
   * Uses the provider's current key from now on.
   * @param access must have the same address, because `cacheKey` was computed with it
   * @internal
   */
  renewAccess(access: ProviderAccess): void {
    this.#access = access;
  }

  private hashed(prompt: Prompt, texts?: readonly string[]): SentText {
    return { prompt, texts, promptHash: hash('sha256', `${prompt.system}\n\n${prompt.user}`) };
  }
}

/** The text that is sent to the provider, and its hash. */
interface SentText {
  readonly prompt: Prompt;
  readonly texts?: readonly string[];
  readonly promptHash: string;
}

/** Schemas are constant. Building one for each call would cost more than the rest of the pipeline. */
const schemas = new WeakMap<object, HashedSchema>();

function schemaOf(capability: Capability<unknown, unknown>): HashedSchema {
  const json = strictJsonSchema(capability.schema);
  const schema = {
    name: capability.name.replace(/[^a-zA-Z0-9_-]/g, '_'),
    json,
    hash: hash('sha256', JSON.stringify(json)),
  };
  schemas.set(capability, schema);
  return schema;
}

/** Tokens used for one answer over all attempts, shared by all calls that wait for it. */
export class Usage {
  private spent: number | undefined;
  private taken: number | undefined;

  /**
   * @param total tokens of an attempt so far, as reported by the provider; ignored if it is not a valid number
   * @param counted the part of `total` that has been added before
   * @returns the part of `total` that has been added now
   */
  add(total: unknown, counted = 0): number {
    const count = tokenCount(total);
    if (count === undefined) return counted;
    this.spent = (this.spent ?? 0) + count - counted;
    return count;
  }

  /**
   * Tokens so far; undefined if none were used or the provider did not report them. Calls that share an
   * answer see the same number.
   */
  get tokens(): number | undefined {
    return this.spent;
  }

  /**
   * Returns the tokens since the last call of this method, for the audit log. Each token is counted once, so the
   * sum of the log is the true usage. Undefined if the number does not fit into the column.
   */
  take(): number | undefined {
    if (this.spent === this.taken) return undefined;
    const rest = (this.spent ?? 0) - (this.taken ?? 0);
    this.taken = this.spent;
    return tokenCount(rest);
  }
}

/** The clock of AI calls: their limits, pauses and windows. Injected, so that tests can control it. */
@Injectable()
export class AiScheduler implements SchedulerLike {
  /** Milliseconds; only differences are meaningful. */
  now(): number {
    // Monotonic: a correction of the wall clock must not empty or extend a rate window.
    return performance.now();
  }

  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
    return asyncScheduler.schedule(work, delay, state);
  }
}

/**
 * The `ExecutionContext` of an interceptor around an AI call. Its type is `ai`, its only argument is the call.
 * It has no HTTP request: a module of this process can make AI calls too.
 */
export class AiCallContext implements ExecutionContext {
  constructor(readonly call: AiCall) {}

  getType<T extends string = 'ai'>(): T {
    return 'ai' as T;
  }

  getClass<T = unknown>(): Type<T> {
    return AiCall as unknown as Type<T>;
  }

  /** The capability's prompt represents the handler, so that decorators can attach metadata to it. */
  getHandler(): ReturnType<ExecutionContext['getHandler']> {
    return this.call.capability.prompt;
  }

  getArgs<T extends unknown[] = [AiCall]>(): T {
    return [this.call] as unknown as T;
  }

  getArgByIndex<T = AiCall>(index: number): T {
    return [this.call][index] as T;
  }

  switchToHttp(): ReturnType<ExecutionContext['switchToHttp']> {
    throw notHttp();
  }

  switchToRpc(): ReturnType<ExecutionContext['switchToRpc']> {
    throw notHttp();
  }

  switchToWs(): ReturnType<ExecutionContext['switchToWs']> {
    throw notHttp();
  }
}

/** Returns the AI call from the context of an interceptor of the AI pipeline. */
export function aiCallOf(context: ExecutionContext): AiCall {
  if (!(context instanceof AiCallContext)) throw new Error('This interceptor belongs around AI calls only');
  return context.call;
}

function notHttp(): Error {
  return new Error('An AI call has no transport: read the call from the context');
}
