import type Anthropic from '@anthropic-ai/sdk';
import type { transformJSONSchema } from '@anthropic-ai/sdk/lib/transform-json-schema';
import { Injectable, Module } from '@nestjs/common';
import {
  AI_PROVIDER,
  type Completion,
  type CompletionChunk,
  type CompletionRequest,
  tokenCount,
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

type Format = 'json_schema' | 'tool' | 'text';
type Body = Omit<Anthropic.MessageCreateParamsNonStreaming, 'stream'>;
/** The SDK's type with optional properties only: servers may send anything. */
type Answer = Partial<Anthropic.Message>;
type StreamEvent = Partial<Anthropic.RawMessageStreamEvent>;
type ReportedUsage = Partial<Anthropic.Usage>;

/** Base class of providers that speak the Anthropic protocol (`/v1/messages`). */
@Injectable()
export abstract class AnthropicProvider extends SdkProvider<Anthropic, Format, Answer> {
  protected readonly formats = ['json_schema', 'tool', 'text'] as const;

  /** Removes a trailing `/v1`, because the SDK adds it. */
  protected override address(url: string): string {
    return super.address(super.address(url).replace(/\/v1$/, ''));
  }

  protected open(connection: Connection): Anthropic {
    return new (loadSdk())({
      ...sdkOptions(connection),
      apiKey: connection.key,
      baseURL: connection.baseUrl,
      // Set explicitly: the SDK reads missing options from its own environment variables and files.
      authToken: null,
      webhookKey: null,
      openTelemetry: false,
    });
  }

  protected errors() {
    return loadSdk();
  }

  protected ask(sdk: Anthropic, request: CompletionRequest, format: Format): Promise<Answer> {
    return sdk.messages.create({ ...bodyOf(request, format), stream: false }, { signal: request.signal });
  }

  protected async askStream(sdk: Anthropic, request: CompletionRequest, format: Format): Promise<SdkStream> {
    const { data, response } = await sdk.messages
      .create({ ...bodyOf(request, format), stream: true }, { signal: request.signal })
      .withResponse();
    return { response, chunks: this.readEvents(data) };
  }

  protected read(message: Answer | null): Completion {
    this.refuseUnlessWhole(message?.stop_reason);
    const blocks = Array.isArray(message?.content) ? message.content : [];
    const tool = blocks.find((block) => block?.type === 'tool_use');
    const text = tool ? JSON.stringify(tool.input) : contentText(message?.content);
    return this.completion(text, tokensOf(message?.usage));
  }

  private async *readEvents(events: AsyncIterable<StreamEvent | null>): AsyncGenerator<CompletionChunk> {
    let usage: ReportedUsage = {};
    for await (const event of events) {
      if (event?.type === 'message_start') {
        usage = { ...event.message?.usage };
      } else if (event?.type === 'content_block_delta') {
        if (event.delta?.type === 'text_delta') yield { text: event.delta.text };
        else if (event.delta?.type === 'input_json_delta') yield { text: event.delta.partial_json };
      } else if (event?.type === 'message_delta') {
        // Totals of this event replace those of the start event.
        const said = Object.entries(event.usage ?? {}).filter(([, tokens]) => tokens !== null);
        usage = { ...usage, ...Object.fromEntries(said) };
        yield { tokensUsed: tokensOf(usage) };
        this.refuseUnlessWhole(event.delta?.stop_reason);
      }
    }
  }
}

function loadSdk(): typeof Anthropic {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- synchronous and once
  return (require('@anthropic-ai/sdk') as typeof import('@anthropic-ai/sdk')).default;
}

/** Removes the keywords that the API's structured output does not support. */
const strictSchema: typeof transformJSONSchema = (schema) => {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- with the SDK
  const sdk = require('@anthropic-ai/sdk/lib/transform-json-schema') as {
    transformJSONSchema: typeof transformJSONSchema;
  };
  return sdk.transformJSONSchema(schema);
};

function bodyOf(request: CompletionRequest, format: Format): Body {
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: request.user }];
  if (request.repair) {
    const { answer, problem } = request.repair;
    // User and assistant messages alternate in this protocol. Without an answer the correction joins the first.
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

/** Returns the sum of the token counts, or undefined if one is invalid. Servers without a cache may omit its counts. */
function tokensOf(usage: ReportedUsage | null | undefined): number | undefined {
  const { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens } = usage ?? {};
  if (input_tokens === undefined && output_tokens === undefined) return undefined;
  const [input = 0, output = 0] = [input_tokens, output_tokens];
  const counts = [input, output, cache_creation_input_tokens ?? 0, cache_read_input_tokens ?? 0];
  return tokenCount(counts.reduce((sum, count) => sum + (tokenCount(count) ?? NaN), 0));
}

/** Anthropic. */
@Injectable()
export class BetaProvider extends AnthropicProvider {
  readonly name = 'beta';
  override readonly role = 'default';
  readonly defaultModel = 'claude-sonnet-5-5';
  protected readonly defaultAddress = 'https://api.anthropic.com';

  serves(model: string): boolean {
    return /^claude/i.test(model);
  }
}

@Module({ providers: [{ provide: AI_PROVIDER, useClass: BetaProvider }] })
export class BetaModule {}
