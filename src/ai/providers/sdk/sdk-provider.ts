import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock';
import { namesPrivateHost } from '../../../platform/http/private-address';
import type { ProviderAccess } from '../../../platform/runtime-config/runtime-configuration';
import { AiFailure, InvalidAnswer, statusFailure } from '../../../platform/common/errors/ai-failure';
import type {
  AiProvider,
  Completion,
  CompletionChunk,
  CompletionRequest,
  ProviderRole,
} from '../ai-provider';
import { AnswerTooLong, boundedFetch, publicNetwork } from './provider-fetch';

/** Options for opening a client of an SDK. */
export interface Connection {
  readonly key: string;
  readonly baseUrl: string;
  /** The address must not lead to this machine or a private network. */
  readonly mustBePublic?: boolean;
}

/** Returns the options that all SDK clients share. */
export const sdkOptions = ({ mustBePublic }: Connection) =>
  ({
    maxRetries: 0,
    // Attempts are ended much earlier by the limits of the call.
    timeout: 600_000,
    logLevel: 'off',
    fetch: boundedFetch,
    fetchOptions: {
      // A redirect would send prompts to an address that is not configured.
      redirect: 'manual',
      ...(mustBePublic && { dispatcher: publicNetwork() as never }),
    },
  }) as const;

export interface SdkStream {
  readonly response: Response;
  readonly chunks: AsyncIterable<CompletionChunk>;
}

interface Client<Sdk, Format extends string> {
  readonly access: ProviderAccess;
  readonly sdk: Sdk;
  readonly formats: AnswerFormats<Format>;
}

/**
 * Base class of providers that use an SDK. Key and address come with each request. If they have
 * changed, a new client is opened; running calls continue with the old one.
 *
 * A subclass implements the protocol. This class interprets failures and chooses the output format.
 */
@Injectable()
export abstract class SdkProvider<Sdk, Format extends string, Answer> implements AiProvider {
  abstract readonly name: string;
  abstract readonly defaultModel: string;
  readonly role?: ProviderRole;
  /** Used if no other address is configured. */
  protected abstract readonly defaultAddress: string;
  readonly capabilities = { remote: true, streaming: true };
  /** Output formats of the protocol, the strictest first. */
  protected abstract readonly formats: readonly [Format, ...Format[]];
  private client: Client<Sdk, Format> | undefined;

  constructor(private readonly clock: Clock) {}

  abstract serves(model: string): boolean;

  isConfigured({ key }: ProviderAccess): Promise<boolean> {
    return Promise.resolve(key !== undefined);
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    const { sdk, formats } = this.opened(request.access);
    const format = formats.for(request);
    try {
      const answer = await this.ask(sdk, request, format);
      this.refuseReported(answer);
      formats.worked(format);
      return this.read(answer);
    } catch (error) {
      throw formats.refused(this.failure(error), format, request);
    }
  }

  async *stream(request: CompletionRequest): AsyncGenerator<CompletionChunk> {
    const { sdk, formats } = this.opened(request.access);
    const format = formats.for(request);
    try {
      const { response, chunks } = await this.askStream(sdk, request, format);
      const answer = isJson(response) ? ((await response.json()) as Answer) : undefined;
      this.refuseReported(answer);
      formats.worked(format);
      if (answer === undefined) yield* chunks;
      else yield this.read(answer);
    } catch (error) {
      throw formats.refused(this.failure(error), format, request);
    }
  }

  /** Opens a client. Loads the SDK here, so that an installation without a key saves its memory and startup time. */
  protected abstract open(connection: Connection): Sdk;
  /** Returns the error classes of the SDK. */
  protected abstract errors(): SdkErrors;
  protected abstract ask(sdk: Sdk, request: CompletionRequest, format: Format): Promise<Answer>;
  protected abstract askStream(sdk: Sdk, request: CompletionRequest, format: Format): Promise<SdkStream>;
  /** Reads the provider's answer. Its content is not validated, so every property may be missing. */
  protected abstract read(answer: Answer | null): Completion;

  /** Returns a configured address in the form that the SDK expects. */
  protected address(url: string): string {
    return url.replace(/\/+$/, '');
  }

  /** @throws AiFailure `not-configured` without a key */
  protected opened({ key, baseUrl, mustBePublic }: ProviderAccess): Client<Sdk, Format> {
    if (key === undefined) throw new AiFailure('not-configured', this.name, { retryable: false });
    // The address may have been stored before the operator restricted addresses.
    if (mustBePublic && baseUrl !== undefined && namesPrivateHost(baseUrl)) {
      throw new AiFailure('connection', this.name, { retryable: false });
    }
    if (!this.client || !isDeepStrictEqual(this.client.access, { key, baseUrl, mustBePublic })) {
      const sdk = this.open({ key, baseUrl: this.address(baseUrl ?? this.defaultAddress), mustBePublic });
      this.client = { access: { key, baseUrl, mustBePublic }, sdk, formats: new AnswerFormats(this.formats) };
    }
    return this.client;
  }

  /** @throws InvalidAnswer if the text is empty */
  protected completion(text: string, tokensUsed: number | undefined): Completion {
    if (text === '') throw new InvalidAnswer(this.name, '', 'The response held no answer.');
    return { text, tokensUsed };
  }

  /** @throws AiFailure `refused` if the model refused to answer, or its answer was cut at a length limit */
  protected refuseUnlessWhole(finishReason: unknown, refusal?: unknown): void {
    if (refusal || (typeof finishReason === 'string' && CUT_OR_REFUSED.has(finishReason.toLowerCase()))) {
      throw new AiFailure('refused', this.name, { retryable: false });
    }
  }

  /** @throws AiFailure if a gateway reports an error with status 200 */
  protected refuseReported(answer: unknown): void {
    const error = (answer as { error?: unknown } | null | undefined)?.error;
    if (error) throw reportedFailure(error, this.name, this.clock.now());
  }

  protected failure(error: unknown): AiFailure {
    return sdkFailure(error, this.name, this.errors(), this.clock.now());
  }
}

/** Finish reasons of several servers for an incomplete answer. */
const CUT_OR_REFUSED: ReadonlySet<string> = new Set([
  'content_filter',
  'length',
  'max_tokens',
  'model_context_window_exceeded',
  'model_length',
  'refusal',
]);

/** Returns true if the server sent the answer in one piece although a stream was requested. */
function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.toLowerCase().includes('application/json') ?? false;
}

/** Statuses with which servers refuse an unknown request parameter. */
const REFUSALS = new Set([400, 415, 422, 501]);

/**
 * The formats in which a provider can be requested to send JSON, the strictest first. If the server
 * refuses a format, the next one is used. The format that worked is stored for the connection.
 */
class AnswerFormats<Format extends string> {
  private settled: Format;

  constructor(private readonly formats: readonly [Format, ...Format[]]) {
    this.settled = formats[0];
  }

  /** Returns the format for this attempt. */
  for(request: CompletionRequest): Format {
    return (request.negotiated.format as Format | undefined) ?? this.settled;
  }

  worked(format: Format): void {
    this.settled = format;
  }

  /**
   * Returns the failure to report. If the format may be the cause, it is a `format` failure, and the
   * next attempt uses the next format.
   */
  refused(failure: AiFailure, format: Format, request: CompletionRequest): AiFailure {
    const next = this.formats[this.formats.indexOf(format) + 1];
    if (next === undefined || failure.status === undefined || !REFUSALS.has(failure.status)) return failure;
    request.negotiated.format = next;
    return new AiFailure('format', failure.provider, { retryable: true, status: failure.status });
  }
}

/** Returns an instruction with the schema, for formats that do not send the schema themselves. */
export function schemaInstruction(request: CompletionRequest): string {
  return `Answer with one JSON object that matches this JSON Schema, and nothing else:\n${JSON.stringify(request.schema.json)}`;
}

/** Returns the instruction of a repair request. */
export function repairInstruction(problem: string): string {
  return `That answer cannot be used. What is wrong with it:\n${problem}\nGive the complete answer again, corrected, as JSON only.`;
}

interface ContentPart {
  readonly type?: unknown;
  readonly text?: unknown;
}

const TEXT_TYPES: readonly unknown[] = [undefined, 'text', 'output_text'];

/** Returns the text of a message's content, which is a string or a list of parts. Skips parts such as reasoning. */
export function contentText(content: unknown): string {
  return [content]
    .flat()
    .map((part: unknown) => {
      if (typeof part === 'string') return part;
      const { type, text } = (part ?? {}) as ContentPart;
      return typeof text === 'string' && TEXT_TYPES.includes(type) ? text : '';
    })
    .join('');
}

type ErrorClass = abstract new (...args: never[]) => Error;

/** Error classes that all SDKs export under the same names. */
interface SdkErrors {
  readonly APIError: ErrorClass;
  readonly APIConnectionError: ErrorClass;
  readonly APIConnectionTimeoutError: ErrorClass;
  readonly APIUserAbortError: ErrorClass;
}

interface ApiErrorFields {
  readonly status?: unknown;
  readonly headers?: { get(name: string): string | null };
  readonly code?: unknown;
  readonly type?: unknown;
}

/** Types of errors inside a stream for which a retry cannot help. */
const LASTING = new Set([
  'invalid_request_error',
  'authentication_error',
  'permission_error',
  'billing_error',
  'not_found_error',
  'request_too_large',
]);

/**
 * Converts an SDK's error into an `AiFailure`, without the text of the error.
 *
 * @param nowMs current time, for an HTTP date in `Retry-After`
 */
function sdkFailure(error: unknown, provider: string, sdk: SdkErrors, nowMs: number): AiFailure {
  if (error instanceof AiFailure) return error;
  // No repair request: the next answer would be as long.
  if (error instanceof AnswerTooLong) return new AiFailure('invalid-answer', provider, { retryable: false });
  if (error instanceof sdk.APIConnectionTimeoutError)
    return new AiFailure('timeout', provider, { retryable: true });
  if (error instanceof sdk.APIConnectionError || error instanceof sdk.APIUserAbortError) {
    return new AiFailure('connection', provider, { retryable: true });
  }
  if (error instanceof sdk.APIError) {
    return reportedFailure(error, provider, nowMs);
  }
  // Compared by name: an error of the runtime's fetch may belong to another realm.
  const { name } = error as { name?: unknown };
  if (name === 'SyntaxError') return new InvalidAnswer(provider, '', 'The response was not valid JSON.');
  // undici reports a connection that breaks while a body is read as a TypeError ("terminated").
  if (name === 'TypeError') return new AiFailure('connection', provider, { retryable: true });
  return new AiFailure('request', provider, { retryable: false });
}

/** Returns the failure that a provider reports, from its HTTP status, or from `code` or `type` in its body. */
function reportedFailure(error: unknown, provider: string, nowMs: number): AiFailure {
  const { status, headers, code, type } = error as ApiErrorFields;
  const said = typeof status === 'number' ? status : Number(code);
  if (said === status || (said >= 400 && said <= 599)) {
    return statusFailure(provider, said, (name) => headers?.get(name) ?? null, nowMs);
  }
  const lasting = typeof type === 'string' && LASTING.has(type);
  return new AiFailure(lasting ? 'request' : 'server', provider, { retryable: !lasting });
}
