import { Injectable } from '@nestjs/common';
import type OpenAI from 'openai';
import { RuntimeConfiguration } from '../../../runtime-config/runtime-configuration';
import { AiFailure, InvalidAnswer } from '../../provider/ai-failure';
import {
  type AiProvider,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
  type EmbeddingRequest,
  type Embeddings,
} from '../../provider/ai-provider';
import { AnswerFormats, repairInstruction, schemaInstruction } from '../sdk/answer-formats';
import { ClientKeeper, type Connection, SDK_TIMEOUT_MS } from '../sdk/sdk-provider';
import { isJson } from '../sdk/json-response';
import { sdkFailure } from '../sdk/sdk-failure';

type Format = 'json_schema' | 'json_object' | 'text';

interface Client {
  readonly sdk: OpenAI;
  readonly formats: AnswerFormats<Format>;
}

type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>;

/** The OpenAI protocol (`/chat/completions`), at OpenAI or any server that speaks it. */
@Injectable()
export class AlphaProvider implements AiProvider {
  readonly name = 'alpha';
  readonly defaultModel = 'gpt-5.5';
  readonly capabilities = { remote: true, streaming: true };
  private readonly clients = new ClientKeeper(openClient);

  constructor(private readonly configuration: RuntimeConfiguration) {}

  /** Compatible servers have models of any name, so every one that is not beta's may be meant. */
  serves(model: string): boolean {
    return !/^claude/i.test(model);
  }

  async isConfigured(): Promise<boolean> {
    return (await this.configuration.current()).alpha.key !== undefined;
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    const client = await this.client();
    const format = client.formats.for(request);
    try {
      const completion = await client.sdk.chat.completions.create(
        { ...bodyOf(request, format), stream: false },
        { signal: request.signal },
      );
      client.formats.worked(format);
      return readCompletion(completion);
    } catch (error) {
      throw client.formats.refused(sdkFailure(error, this.name, loadSdk()), format, request);
    }
  }

  async *stream(request: CompletionRequest): AsyncGenerator<CompletionChunk> {
    const client = await this.client();
    const format = client.formats.for(request);
    try {
      // A server that does not know `stream_options` is one that does not know the formats either.
      const usage = format === 'text' ? {} : { stream_options: { include_usage: true } };
      const { data, response } = await client.sdk.chat.completions
        .create({ ...bodyOf(request, format), ...usage, stream: true }, { signal: request.signal })
        .withResponse();
      client.formats.worked(format);
      if (isJson(response)) yield readCompletion((await response.json()) as OpenAI.ChatCompletion);
      else yield* readChunks(data);
    } catch (error) {
      throw client.formats.refused(sdkFailure(error, this.name, loadSdk()), format, request);
    }
  }

  async embed({ model, texts, size, signal }: EmbeddingRequest): Promise<Embeddings> {
    const client = await this.client();
    try {
      const { data, usage } = await client.sdk.embeddings.create(
        { model, input: [...texts], dimensions: size, encoding_format: 'float' },
        { signal },
      );
      return { vectors: data.map(({ embedding }) => embedding), tokensUsed: usage?.total_tokens };
    } catch (error) {
      throw sdkFailure(error, this.name, loadSdk());
    }
  }

  private async client(): Promise<Client> {
    return this.clients.client(this.name, (await this.configuration.current()).alpha);
  }
}

/** Loaded when the first client is opened: an installation without a key saves its memory and its part of the start. */
function loadSdk(): typeof OpenAI {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- synchronous and once
  return (require('openai') as typeof import('openai')).default;
}

function openClient(connection: Connection): Client {
  const Sdk = loadSdk();
  const sdk = new Sdk({
    apiKey: connection.key,
    // Said explicitly: what is left out, the SDK reads from environment variables of its own.
    baseURL: connection.baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    logLevel: 'off',
    // A redirect would carry prompts to where nobody configured.
    fetchOptions: { redirect: 'manual' },
  });
  return { sdk, formats: new AnswerFormats<Format>(['json_schema', 'json_object', 'text']) };
}

function bodyOf(request: CompletionRequest, format: Format): Body {
  const system =
    format === 'json_schema' ? request.system : `${request.system}\n\n${schemaInstruction(request)}`;
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: system },
    { role: 'user', content: request.user },
  ];
  if (request.repair) {
    if (request.repair.answer !== '') messages.push({ role: 'assistant', content: request.repair.answer });
    messages.push({ role: 'user', content: repairInstruction(request.repair.problem) });
  }
  return { model: request.model, messages, ...formatOf(request, format) };
}

function formatOf(request: CompletionRequest, format: Format): Pick<Body, 'response_format'> {
  switch (format) {
    case 'json_schema':
      return {
        response_format: {
          type: 'json_schema',
          json_schema: { name: request.schema.name, schema: { ...request.schema.json }, strict: true },
        },
      };
    case 'json_object':
      return { response_format: { type: 'json_object' } };
    case 'text':
      return {};
  }
}

/** The body is read as what it should be, but it came from outside: nothing in it is taken for granted. */
function readCompletion(completion: Partial<OpenAI.ChatCompletion> | null): Completion {
  const choice = completion?.choices?.[0] as Partial<OpenAI.ChatCompletion.Choice> | undefined;
  const tokensUsed = completion?.usage?.total_tokens;
  const message = choice?.message;
  refuseUnless(choice?.finish_reason, message?.refusal);
  const call = message?.tool_calls?.[0];
  const text = message?.content ?? (call?.type === 'function' ? call.function.arguments : undefined);
  if (typeof text !== 'string') throw new InvalidAnswer('alpha', '', 'The response held no answer.');
  return { text, tokensUsed };
}

async function* readChunks(
  chunks: AsyncIterable<OpenAI.ChatCompletionChunk>,
): AsyncGenerator<CompletionChunk> {
  for await (const chunk of chunks as AsyncIterable<Partial<OpenAI.ChatCompletionChunk> | null>) {
    const choice = chunk?.choices?.[0] as Partial<OpenAI.ChatCompletionChunk.Choice> | undefined;
    const delta = choice?.delta;
    const text = delta?.content ?? delta?.tool_calls?.[0]?.function?.arguments;
    const tokensUsed = chunk?.usage?.total_tokens;
    if (typeof text === 'string' || tokensUsed !== undefined) {
      yield { text: typeof text === 'string' ? text : undefined, tokensUsed };
    }
    refuseUnless(choice?.finish_reason, delta?.refusal);
  }
}

function refuseUnless(finishReason: string | null | undefined, refusal: string | null | undefined): void {
  if (refusal || finishReason === 'content_filter' || finishReason === 'length') {
    throw new AiFailure('refused', 'alpha', { retryable: false });
  }
}
