import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/common/clock';
import { namesPrivateHost } from '../../../platform/http/private-address';
import { type ProviderAccess } from '../../../platform/runtime-config/runtime-configuration';
import { AiFailure, InvalidAnswer } from '../../../platform/common/errors/ai-failure';
import {
  type AiProvider,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
  type ProviderRole,
} from '../ai-provider';
import { AnswerFormats } from './answer-formats';
import { boundedFetch } from './bounded-fetch';
import { publicNetwork } from './public-network';
import { reportedFailure, type SdkErrors, sdkFailure } from './sdk-failure';

/** Options for opening a client of an SDK. */
export interface Connection {
  readonly key: string;
  /** If absent, the provider's own address. */
  readonly baseUrl: string | undefined;
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

/** A streamed answer of an SDK. */
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
      const address = baseUrl === undefined ? undefined : this.address(baseUrl);
      const sdk = this.open({ key, baseUrl: address, mustBePublic });
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
