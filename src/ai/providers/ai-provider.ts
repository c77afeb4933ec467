import type { ProviderAccess } from '../../platform/runtime-config/runtime-configuration';

/** A request to a provider: one prompt, one JSON answer. */
export interface CompletionRequest {
  readonly model: string;
  /** API key and address configured for the provider when the call began. */
  readonly access: ProviderAccess;
  /** Instructions of the service. */
  readonly system: string;
  /** Data of the users, in delimited blocks. */
  readonly user: string;
  readonly schema: AnswerSchema;
  /** Set if the previous answer did not match the schema: that answer and the problem with it. */
  readonly repair?: { readonly answer: string; readonly problem: string };
  /** Shared by all attempts of one call. A provider stores here that it had to fall back to a simpler output format. */
  readonly negotiated: { format?: string };
  /** Returns the capability's preset answer. */
  readonly preset: () => unknown;
  /** Upper bound of the answer's length in tokens. */
  readonly maxTokens: number;
  /** Aborts the HTTP request. */
  readonly signal: AbortSignal;
}

export interface AnswerSchema {
  /** Letters, digits, `_` and `-` only. */
  readonly name: string;
  readonly json: Readonly<Record<string, unknown>>;
}

export interface Completion {
  /** The model's answer, unchanged. It should be JSON, but this is not guaranteed. */
  readonly text: string;
  readonly tokensUsed?: number;
}

/** A chunk of a streamed answer. Any chunk may report usage, which is the attempt's total so far. */
export interface CompletionChunk {
  readonly text?: string;
  readonly tokensUsed?: number;
}

export interface EmbeddingRequest {
  readonly model: string;
  readonly access: ProviderAccess;
  readonly texts: readonly string[];
  /** Numbers in each vector. */
  readonly size: number;
  readonly signal: AbortSignal;
}

export interface Embeddings {
  /** A vector for each text, in the same order. */
  readonly vectors: readonly (readonly number[])[];
  readonly tokensUsed?: number;
}

export interface ProviderCapabilities {
  /** Requests leave the process, so they are rate limited and cached. */
  readonly remote: boolean;
  readonly streaming: boolean;
}

/**
 * Role of a provider. A provider that only serves its own models has none.
 * - `default`: its default model is used if `AI_DEFAULT_MODEL` is not set;
 * - `any-model`: may serve models of any name; used for models that no other provider serves;
 * - `presets`: has no model and answers with presets; used in mock mode, and if no other provider is configured.
 */
export type ProviderRole = 'default' | 'any-model' | 'presets';

/**
 * A source of AI answers. To add one, provide a class under the token `AI_PROVIDER` in any module of the application.
 *
 * Every method makes exactly one request and throws an `AiFailure`, which states whether another
 * attempt can succeed. The caller does the retries, the waiting and the counting.
 */
export interface AiProvider {
  /** Lower case. Part of the names of its settings, and a value of `X-AI-Source`. */
  readonly name: string;
  readonly role?: ProviderRole;
  readonly defaultModel: string;
  readonly capabilities: ProviderCapabilities;
  /** Returns true if this provider serves the model. */
  serves(model: string): boolean;
  /**
   * Returns true if the provider can be called now. Errors, and no result after 5 s, count as false.
   *
   * @param access key and address that are configured for this provider
   */
  isConfigured(access: ProviderAccess): Promise<boolean>;
  complete(request: CompletionRequest): Promise<Completion>;
  /** Absent if `capabilities.streaming` is false. */
  stream?(request: CompletionRequest): AsyncIterable<CompletionChunk>;
  /** Absent if the provider makes no embeddings. */
  embed?(request: EmbeddingRequest): Promise<Embeddings>;
}

/** Token under which modules provide an `AiProvider`; several modules may each provide one. */
export const AI_PROVIDER = Symbol('AI_PROVIDER');

/** A provider and one of its models. */
export interface AiTarget {
  readonly provider: AiProvider;
  readonly model: string;
  /** Key and address for the request. If absent, those that are configured when the call begins. */
  readonly access?: ProviderAccess;
}

/** Chooses the provider for a call. Use it for each call: the configuration changes while the service runs. */
export abstract class AiStrategy {
  /** Returns the provider and the model for a call that starts now. */
  abstract current(): Promise<AiTarget>;

  /** Returns the provider of this name and its default model, or undefined if there is none. */
  abstract named(name: string): AiTarget | undefined;

  /** Returns the provider that makes embeddings with this model, or undefined in mock mode and if no provider can. */
  abstract embedding(model: string): Promise<AiTarget | undefined>;
}

/** Returns the number of tokens that a provider or gateway reports, or undefined if the value is not a valid number. */
export function tokenCount(value: unknown): number | undefined {
  // Largest value of the audit log's column.
  const isCount = Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 2_147_483_647;
  return isCount ? (value as number) : undefined;
}
