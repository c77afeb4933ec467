import { hash } from 'node:crypto';
import type { CurrentUser } from '../../platform/common/current-user';
import { type ProviderAccess } from '../../platform/runtime-config/runtime-configuration';
import { type AiProvider, type AnswerSchema } from '../providers/ai-provider';
import { strictJsonSchema } from './answer/strict-json-schema';
import { type Capability, type Prompt } from './capability';
import { Usage } from './usage';

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
