import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../common/clock';
import { namesPrivateHost } from '../../../common/http/private-address';
import { type ProviderAccess } from '../../../runtime-config/runtime-configuration';
import { AiFailure, InvalidAnswer } from '../../provider/ai-failure';
import {
  type AiProvider,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
  type ProviderRole,
} from '../../provider/ai-provider';
import { AnswerFormats } from './answer-formats';
import { boundedFetch } from './bounded-fetch';
import { publicNetwork } from './public-network';
import { reportedFailure, type SdkErrors, sdkFailure } from './sdk-failure';

/** What a client of an SDK is opened with. */
export interface Connection {
  readonly key: string;
  /** Absent: the provider's own address. */
  readonly baseUrl: string | undefined;
  /** The address must not lead into this machine or its network. */
  readonly mustBePublic?: boolean;
}

/** Options that every SDK's client is opened with. */
export const sdkOptions = ({ mustBePublic }: Connection) =>
  ({
    maxRetries: 0,
    // Attempts end by the call's own limits, long before.
    timeout: 600_000,
    logLevel: 'off',
    fetch: boundedFetch,
    fetchOptions: {
      // A redirect would carry prompts to where nobody configured.
      redirect: 'manual',
      ...(mustBePublic && { dispatcher: publicNetwork() as never }),
    },
  }) as const;

/** A streamed answer as it comes from an SDK. */
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
 * A provider behind the SDK of its protocol. Key and address come with each request; when they
 * have changed a new client is opened, and calls under way keep the one they began with.
 *
 * An adapter says how its protocol asks and answers; what a failure means and in which form to ask is decided
 * here.
 */
@Injectable()
export abstract class SdkProvider<Sdk, Format extends string, Answer> implements AiProvider {
  abstract readonly name: string;
  abstract readonly defaultModel: string;
  readonly role?: ProviderRole;
  readonly capabilities = { remote: true, streaming: true };
  /** The ways to request the form of an answer, the strictest first. */
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

  /**
   * Opens a client. The SDK is loaded here: an installation without a key saves its memory and its part of
   * the start.
   */
  protected abstract open(connection: Connection): Sdk;
  /** The error classes of the SDK. */
  protected abstract errors(): SdkErrors;
  protected abstract ask(sdk: Sdk, request: CompletionRequest, format: Format): Promise<Answer>;
  protected abstract askStream(sdk: Sdk, request: CompletionRequest, format: Format): Promise<SdkStream>;
  /** Takes nothing for granted: the body came from outside. */
  protected abstract read(answer: Answer | null): Completion;

  /** A configured address as the SDK takes it. */
  protected address(url: string): string {
    return url.replace(/\/+$/, '');
  }

  /** @throws AiFailure `not-configured` without a key */
  protected opened({ key, baseUrl, mustBePublic }: ProviderAccess): Client<Sdk, Format> {
    if (key === undefined) throw new AiFailure('not-configured', this.name, { retryable: false });
    // One that was stored before the operator forbade it.
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

  /** @throws InvalidAnswer where there is no text */
  protected completion(text: string, tokensUsed: number | undefined): Completion {
    if (text === '') throw new InvalidAnswer(this.name, '', 'The response held no answer.');
    return { text, tokensUsed };
  }

  /** @throws AiFailure `refused` when the model would not answer, or its answer was cut at a limit */
  protected refuseUnlessWhole(finishReason: unknown, refusal?: unknown): void {
    if (refusal || (typeof finishReason === 'string' && CUT_OR_REFUSED.has(finishReason.toLowerCase()))) {
      throw new AiFailure('refused', this.name, { retryable: false });
    }
  }

  /** @throws AiFailure when a gateway reports one in an answer with status 200 */
  protected refuseReported(answer: unknown): void {
    const error = (answer as { error?: unknown } | null | undefined)?.error;
    if (error) throw reportedFailure(error, this.name, this.clock.now());
  }

  protected failure(error: unknown): AiFailure {
    return sdkFailure(error, this.name, this.errors(), this.clock.now());
  }
}

/** Several servers' words for why an answer is not complete. */
const CUT_OR_REFUSED: ReadonlySet<string> = new Set([
  'content_filter',
  'length',
  'max_tokens',
  'model_context_window_exceeded',
  'model_length',
  'refusal',
]);

/** Whether a server has sent its answer in one piece although a stream was requested. */
function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.toLowerCase().includes('application/json') ?? false;
}
