import { hash } from 'node:crypto';
import { strictJsonSchema } from './answer/strict-json-schema';
import { type Capability, type Prompt } from './capability';
import { type ProviderAccess } from '../../runtime-config/runtime-configuration';
import { type AiProvider, type AnswerSchema } from '../provider/ai-provider';
import { Usage } from './usage';

/** Where an answer came from: a provider's name, or a part of the pipeline. */
export type AiSource = 'cache' | 'fallback' | (string & {});

/**
 * What flows through the pipeline: the parts that may be handed on early, and at the end the whole answer.
 */
export type AiEvent =
  | { readonly kind: 'part'; readonly part: unknown; readonly source: AiSource }
  | {
      readonly kind: 'answer';
      readonly answer: unknown;
      readonly source: AiSource;
      /**
       * Every bit of it came from a provider and passed its schema, so the same prompt may be answered with
       * it again.
       */
      readonly cacheable: boolean;
    };

export interface CallPolicy {
  /** Milliseconds for the whole call: waiting for the rate, attempts and pauses. */
  readonly deadlineMs: number;
  /** Milliseconds of silence after which one attempt is given up. */
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

/** One AI call on its way through the pipeline: what is asked of whom, and what has happened to it so far. */
export class AiCall {
  readonly prompt: Prompt;
  readonly schema: HashedSchema;
  /** SHA-256 of the full prompt text, in hex: what the audit log keeps instead of the prompt. */
  readonly promptHash: string;
  /**
   * SHA-256 over everything that decides the answer: capability, provider with its address, model, schema and
   * prompt.
   */
  readonly cacheKey: string;
  /** Tokens that this call has cost; shared by all calls that wait for the same answer. */
  usage = new Usage();
  /** A way of asking that a provider found out during the call. */
  readonly negotiated: { format?: string } = {};
  /** Set for the attempt after an invalid answer. */
  repair: { readonly answer: string; readonly problem: string } | undefined;
  /** Private at run time as well: a call that is logged does not show the key. */
  readonly #access: ProviderAccess;

  constructor(
    readonly capability: Capability<unknown, unknown>,
    readonly input: unknown,
    readonly provider: AiProvider,
    readonly model: string,
    access: ProviderAccess,
    readonly policy: CallPolicy,
  ) {
    this.#access = access;
    this.prompt = capability.prompt(input);
    this.schema = schemas.get(capability) ?? schemaOf(capability);
    this.promptHash = hash('sha256', `${this.prompt.system}\n\n${this.prompt.user}`);
    this.cacheKey = hash(
      'sha256',
      [capability.name, provider.name, access.baseUrl ?? '', model, this.schema.hash, this.promptHash].join(
        '\n',
      ),
    );
  }

  /** Key and address the provider is asked with. */
  get access(): ProviderAccess {
    return this.#access;
  }
}

/** Schemas are constant; building one anew for each call would cost more than the rest of the pipeline. */
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
