import type Anthropic from '@anthropic-ai/sdk';
import type { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { Injectable } from '@nestjs/common';
import { RuntimeConfiguration } from '../../../runtime-config/runtime-configuration';
import { AiFailure, InvalidAnswer } from '../../provider/ai-failure';
import {
  type AiProvider,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
} from '../../provider/ai-provider';
import { AnswerFormats, repairInstruction, schemaInstruction } from '../sdk/answer-formats';
import { ClientKeeper, type Connection, SDK_TIMEOUT_MS } from '../sdk/sdk-provider';
import { isJson } from '../sdk/json-response';
import { sdkFailure } from '../sdk/sdk-failure';

type Format = 'json_schema' | 'tool' | 'text';

interface Client {
  readonly sdk: Anthropic;
  readonly formats: AnswerFormats<Format>;
}

type Body = Omit<Anthropic.MessageCreateParamsNonStreaming, 'stream'>;

/** The Anthropic protocol (`/v1/messages`). */
@Injectable()
export class BetaProvider implements AiProvider {
  readonly name = 'beta';
  readonly defaultModel = 'claude-sonnet-5-5';
  readonly capabilities = { remote: true, streaming: true };
  private readonly clients = new ClientKeeper(openClient);

  constructor(private readonly configuration: RuntimeConfiguration) {}

  serves(model: string): boolean {
    return /^claude/i.test(model);
  }

  async isConfigured(): Promise<boolean> {
    return (await this.configuration.current()).beta.key !== undefined;
  }

  async complete(request: CompletionRequest): Promise<Completion> {
    const client = await this.client();
    const format = client.formats.for(request);
    try {
      const message = await client.sdk.messages.create(
        { ...bodyOf(request, format), stream: false },
        { signal: request.signal },
      );
      client.formats.worked(format);
      return readMessage(message);
    } catch (error) {
      throw client.formats.refused(sdkFailure(error, this.name, loadSdk()), format, request);
    }
  }

  async *stream(request: CompletionRequest): AsyncGenerator<CompletionChunk> {
    const client = await this.client();
    const format = client.formats.for(request);
    try {
      const { data, response } = await client.sdk.messages
        .create({ ...bodyOf(request, format), stream: true }, { signal: request.signal })
        .withResponse();
      client.formats.worked(format);
      if (isJson(response)) yield readMessage((await response.json()) as Anthropic.Message);
      else yield* readEvents(data);
    } catch (error) {
      throw client.formats.refused(sdkFailure(error, this.name, loadSdk()), format, request);
    }
  }

  private async client(): Promise<Client> {
    return this.clients.client(this.name, (await this.configuration.current()).beta);
  }
}

/** Loaded when the first client is opened: an installation without a key saves its memory and its part of the start. */
function loadSdk(): typeof Anthropic {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- synchronous and once
  return (require('@anthropic-ai/sdk') as typeof import('@anthropic-ai/sdk')).default;
}

/** The schema without the keywords that the API's structured output does not know. */
const strictSchema: typeof transformJSONSchema = (schema) => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- with the SDK
  const sdk = require('@anthropic-ai/sdk/lib/transform-json-schema') as {
    transformJSONSchema: typeof transformJSONSchema;
  };
  return sdk.transformJSONSchema(schema);
};

function openClient(connection: Connection): Client {
  const Sdk = loadSdk();
  const sdk = new Sdk({
    apiKey: connection.key,
    // Said explicitly: what is left out, the SDK reads from environment variables and files of its own.
    authToken: null,
    baseURL: connection.baseUrl ?? 'https://api.anthropic.com',
    webhookKey: null,
    openTelemetry: false,
    maxRetries: 0,
    timeout: SDK_TIMEOUT_MS,
    logLevel: 'off',
    // A redirect would carry prompts to where nobody configured.
    fetchOptions: { redirect: 'manual' },
  });
  return { sdk, formats: new AnswerFormats<Format>(['json_schema', 'tool', 'text']) };
}

function bodyOf(request: CompletionRequest, format: Format): Body {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: request.user }];
  if (request.repair) {
    const { answer, problem } = request.repair;
    // Turns alternate in this protocol: without an answer to show, the correction joins the question.
    if (answer !== '')
      messages.push(
        { role: 'assistant', content: answer },
        { role: 'user', content: repairInstruction(problem) },
      );
    else messages[0] = { role: 'user', content: `${request.user}\n\n${repairInstruction(problem)}` };
  }
  const system = format === 'text' ? `${request.system}\n\n${schemaInstruction(request)}` : request.system;
  return {
    model: request.model,
    max_tokens: request.maxTokens,
    system,
    messages,
    ...formatOf(request, format),
  };
}

function formatOf(request: CompletionRequest, format: Format): Partial<Body> {
  switch (format) {
    case 'json_schema':
      return {
        output_config: {
          format: { type: 'json_schema', schema: strictSchema({ ...request.schema.json }) },
        },
      };
    case 'tool': {
      const { name, json } = request.schema;
      return {
        tools: [{ name, description: 'Takes the answer.', input_schema: json as Anthropic.Tool.InputSchema }],
        tool_choice: { type: 'tool', name, disable_parallel_tool_use: true },
      };
    }
    case 'text':
      return {};
  }
}

/** The body is read as what it should be, but it came from outside: nothing in it is taken for granted. */
function readMessage(message: Partial<Anthropic.Message> | null): Completion {
  refuseUnless(message?.stop_reason);
  const blocks = Array.isArray(message?.content) ? message.content : [];
  const tool = blocks.find((block) => block?.type === 'tool_use');
  const text = tool
    ? JSON.stringify(tool.input)
    : blocks.map((block) => (block?.type === 'text' ? block.text : '')).join('');
  if (text === '') throw new InvalidAnswer('beta', '', 'The response held no answer.');
  return { text, tokensUsed: tokensOf(message?.usage) };
}

async function* readEvents(
  events: AsyncIterable<Anthropic.RawMessageStreamEvent>,
): AsyncGenerator<CompletionChunk> {
  let input = 0;
  for await (const event of events as AsyncIterable<Partial<Anthropic.RawMessageStreamEvent> | null>) {
    if (event?.type === 'message_start') {
      input = tokensOf(event.message?.usage) ?? 0;
    } else if (event?.type === 'content_block_delta') {
      if (event.delta?.type === 'text_delta') yield { text: event.delta.text };
      else if (event.delta?.type === 'input_json_delta') yield { text: event.delta.partial_json };
    } else if (event?.type === 'message_delta') {
      const output = event.usage?.output_tokens;
      if (output !== undefined) yield { tokensUsed: input + output };
      refuseUnless(event.delta?.stop_reason);
    }
  }
}

function tokensOf(usage: Partial<Anthropic.Usage> | undefined): number | undefined {
  if (usage === undefined) return undefined;
  return (
    (usage.input_tokens ?? 0) +
    (usage.cache_creation_input_tokens ?? 0) +
    (usage.cache_read_input_tokens ?? 0) +
    (usage.output_tokens ?? 0)
  );
}

function refuseUnless(stopReason: string | null | undefined): void {
  if (
    stopReason === 'refusal' ||
    stopReason === 'max_tokens' ||
    stopReason === 'model_context_window_exceeded'
  ) {
    throw new AiFailure('refused', 'beta', { retryable: false });
  }
}
