import { Injectable, Module } from '@nestjs/common';
import type OpenAI from 'openai';
import {
  AI_PROVIDER,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
  type EmbeddingRequest,
  type Embeddings,
} from '../ai-provider';
import {
  type Connection,
  contentText,
  repairInstruction,
  schemaInstruction,
  sdkOptions,
  SdkProvider,
  type SdkStream,
} from '../sdk/sdk-provider';

type Format = 'json_schema' | 'json_object' | 'text';
type Body = Omit<OpenAI.ChatCompletionCreateParamsNonStreaming, 'stream'>;
/** The SDK's type with optional properties only: servers may send anything. */
type Answer = Partial<OpenAI.ChatCompletion>;

/** Base class of providers that speak the OpenAI protocol (`/chat/completions`). */
@Injectable()
export abstract class OpenAiProvider extends SdkProvider<OpenAI, Format, Answer> {
  protected readonly formats = ['json_schema', 'json_object', 'text'] as const;

  async embed({ model, access, texts, size, signal }: EmbeddingRequest): Promise<Embeddings> {
    const { sdk } = this.opened(access);
    try {
      const answer: Partial<OpenAI.CreateEmbeddingResponse> = await sdk.embeddings.create(
        { model, input: [...texts], dimensions: size, encoding_format: 'float' },
        { signal },
      );
      this.refuseReported(answer);
      const vectors = Array.isArray(answer.data) ? answer.data.map(({ embedding }) => embedding) : [];
      return { vectors, tokensUsed: answer.usage?.total_tokens };
    } catch (error) {
      throw this.failure(error);
    }
  }

  protected open(connection: Connection): OpenAI {
    return new (loadSdk())({
      ...sdkOptions(connection),
      apiKey: connection.key,
      baseURL: connection.baseUrl,
      // Set explicitly: the SDK reads missing options from its own environment variables.
      organization: null,
      project: null,
      adminAPIKey: null,
      webhookSecret: null,
    });
  }

  protected errors() {
    return loadSdk();
  }

  protected ask(sdk: OpenAI, request: CompletionRequest, format: Format): Promise<Answer> {
    return sdk.chat.completions.create(
      { ...bodyOf(request, format), stream: false },
      { signal: request.signal },
    );
  }

  protected async askStream(sdk: OpenAI, request: CompletionRequest, format: Format): Promise<SdkStream> {
    // A server that does not support `stream_options` does not support the JSON formats either.
    const usage = format === 'text' ? {} : { stream_options: { include_usage: true } };
    const { data, response } = await sdk.chat.completions
      .create({ ...bodyOf(request, format), ...usage, stream: true }, { signal: request.signal })
      .withResponse();
    return { response, chunks: this.readChunks(data) };
  }

  protected read(completion: Answer | null): Completion {
    const choice = completion?.choices?.[0] as Partial<OpenAI.ChatCompletion.Choice> | undefined;
    const message = choice?.message;
    this.refuseUnlessWhole(choice?.finish_reason, message?.refusal);
    return this.completion(messageText(message), completion?.usage?.total_tokens);
  }

  private async *readChunks(
    chunks: AsyncIterable<Partial<OpenAI.ChatCompletionChunk> | null>,
  ): AsyncGenerator<CompletionChunk> {
    for await (const chunk of chunks) {
      const choice = chunk?.choices?.[0] as Partial<OpenAI.ChatCompletionChunk.Choice> | undefined;
      const delta = choice?.delta;
      const text = messageText(delta);
      const tokensUsed = chunk?.usage?.total_tokens;
      if (text !== '' || tokensUsed !== undefined) yield { text, tokensUsed };
      this.refuseUnlessWhole(choice?.finish_reason, delta?.refusal);
    }
  }
}

/** Returns the text of a message. No tool is offered, but some servers answer as if the schema were a tool. */
function messageText(
  message: Partial<OpenAI.ChatCompletionMessage> | OpenAI.ChatCompletionChunk.Choice.Delta | undefined,
): string {
  const text = contentText(message?.content);
  if (text !== '') return text;
  const [call] = (message?.tool_calls ?? []) as Partial<OpenAI.ChatCompletionMessageFunctionToolCall>[];
  const called: unknown = (call?.function ?? message?.function_call)?.arguments;
  return typeof called === 'string' ? called : (JSON.stringify(called) ?? '');
}

function loadSdk(): typeof OpenAI {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- synchronous and once
  return (require('openai') as typeof import('openai')).default;
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

/** OpenAI, or any server that speaks its protocol. */
@Injectable()
export class AlphaProvider extends OpenAiProvider {
  readonly name = 'alpha';
  /** Servers that implement the protocol have models of any name. */
  override readonly role = 'any-model';
  readonly defaultModel = 'gpt-5.5';
  protected readonly defaultAddress = 'https://api.openai.com/v1';

  serves(): boolean {
    return true;
  }
}

@Module({ providers: [{ provide: AI_PROVIDER, useClass: AlphaProvider }] })
export class AlphaModule {}
