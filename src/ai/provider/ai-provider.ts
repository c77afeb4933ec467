import { type ProviderAccess } from '../../runtime-config/runtime-configuration';

/** A request to a provider: one prompt, one JSON answer. */
export interface CompletionRequest {
  readonly model: string;
  /** Key and address configured under the provider's name when the call began. */
  readonly access: ProviderAccess;
  /** Our instructions. */
  readonly system: string;
  /** The users' data, delimited. */
  readonly user: string;
  readonly schema: AnswerSchema;
  /** Set when an earlier answer broke the schema: what it was, and what was wrong with it. */
  readonly repair?: { readonly answer: string; readonly problem: string };
  /**
   * Shared by all attempts of one call: a provider notes here that it had to fall back to a simpler way of
   * asking.
   */
  readonly negotiated: { format?: string };
  /** The capability's preset answer. */
  readonly preset: () => unknown;
  /** Upper bound of the answer's length in tokens. */
  readonly maxTokens: number;
  /** Aborts the request on the wire. */
  readonly signal: AbortSignal;
}

export interface AnswerSchema {
  /** Letters, digits, `_` and `-` only. */
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Completion {
  /** The answer as the model wrote it: JSON is expected, but nothing is promised. */
  readonly text: string;
  readonly tokensUsed?: number;
}

/** A piece of a streamed answer; usage may come in any piece and counts as the attempt's total so far. */
export interface CompletionChunk {
  readonly text?: string;
  readonly tokensUsed?: number;
}

/** Texts to be turned into vectors. */
export interface EmbeddingRequest {
  readonly model: string;
  readonly access: ProviderAccess;
  readonly texts: readonly string[];
  /** Numbers in each vector. */
  readonly size: number;
  readonly signal: AbortSignal;
}

export interface Embeddings {
  /** One for each text, in their order. */
  readonly vectors: readonly (readonly number[])[];
  readonly tokensUsed?: number;
}

export interface ProviderCapabilities {
  /** Requests leave the process: they are rate limited and cached. */
  readonly remote: boolean;
  readonly streaming: boolean;
}

/**
 * What sets a provider apart from one that serves models of its own, which has no role:
 * - `default`: its default model is used where `AI_DEFAULT_MODEL` is not set;
 * - `any-model`: may serve a model of any name; used for one that no other provider knows;
 * - `presets`: has no model and answers with presets; used in mock mode, and when no other one is
 *   configured.
 */
export type ProviderRole = 'default' | 'any-model' | 'presets';

/**
 * A source of AI answers. To add one, provide a class under the token `AI_PROVIDER` in any module of the
 * application.
 *
 * Every method fails with an `AiFailure`, which says whether trying again can help, and makes exactly one
 * request: repeating, waiting and counting are done around it.
 */
export interface AiProvider {
  /** Lower case. Its settings have it in their names; it appears in `X-AI-Source`. */
  readonly name: string;
  readonly role?: ProviderRole;
  readonly defaultModel: string;
  readonly capabilities: ProviderCapabilities;
  /** Whether a model of this name is this provider's. */
  serves(model: string): boolean;
  /**
   * Whether it could be called now. It has 5 s; one that fails to say it could not.
   *
   * @param access what is configured under its name; one that needs a key has it there
   */
  isConfigured(access: ProviderAccess): Promise<boolean>;
  complete(request: CompletionRequest): Promise<Completion>;
  /** Left out by providers whose `capabilities.streaming` is false. */
  stream?(request: CompletionRequest): AsyncIterable<CompletionChunk>;
  /** Left out by providers that make no embeddings. */
  embed?(request: EmbeddingRequest): Promise<Embeddings>;
}

/** Token under which modules provide an `AiProvider`; several modules may each provide one. */
export const AI_PROVIDER = Symbol('AI_PROVIDER');
