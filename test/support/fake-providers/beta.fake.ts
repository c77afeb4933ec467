import { type AskedBody, type WireProtocol } from './protocol';

const event = (data: { type: string }): string => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;

const askedForTool = (asked: AskedBody): string | undefined =>
  (asked.tool_choice as { name?: string } | undefined)?.name;

const TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

const message = (asked: AskedBody, content: unknown[], tokens: number, stopReason: string | null) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: asked.model,
  content,
  stop_reason: stopReason,
  stop_sequence: null,
  usage: {
    input_tokens: tokens - 1,
    output_tokens: 1,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  },
});

/** `/v1/messages` as Anthropic speaks it; where a tool is asked for, the answer is the tool's input. */
export const protocol: WireProtocol = {
  basePath: '',
  path: '/v1/messages',
  formats: ['json_schema', 'tool', 'text'],
  completion(asked, text, tokens) {
    const tool = askedForTool(asked);
    return tool
      ? message(
          asked,
          [{ type: 'tool_use', id: 'toolu_1', name: tool, input: JSON.parse(text) as unknown }],
          tokens,
          'tool_use',
        )
      : message(asked, [{ type: 'text', text, citations: null }], tokens, 'end_turn');
  },
  streamStart(asked, tokens) {
    const tool = askedForTool(asked);
    const started = message(asked, [], tokens, null);
    started.usage.output_tokens = 0;
    return [
      event({ type: 'message_start', message: started } as { type: string }),
      event({
        type: 'content_block_start',
        index: 0,
        content_block: tool
          ? { type: 'tool_use', id: 'toolu_1', name: tool, input: {} }
          : { type: 'text', text: '', citations: null },
      } as { type: string }),
      event({ type: 'ping' }),
    ];
  },
  streamPiece: (asked, piece) =>
    event({
      type: 'content_block_delta',
      index: 0,
      delta: askedForTool(asked)
        ? { type: 'input_json_delta', partial_json: piece }
        : { type: 'text_delta', text: piece },
    } as { type: string }),
  streamEnd: (asked) => [
    event({ type: 'content_block_stop', index: 0 } as { type: string }),
    event({
      type: 'message_delta',
      delta: { stop_reason: askedForTool(asked) ? 'tool_use' : 'end_turn', stop_sequence: null },
      usage: { output_tokens: 1 },
    } as { type: string }),
    event({ type: 'message_stop' }),
  ],
  error: (status, text) => ({
    type: 'error',
    error: { type: TYPES[status] ?? 'api_error', message: text },
    request_id: 'req_1',
  }),
  streamError: (text) =>
    event({ type: 'error', error: { type: 'overloaded_error', message: text } } as { type: string }),
  formatOf: (asked) =>
    (asked.output_config as { format?: { type?: string } } | undefined)?.format?.type ??
    (askedForTool(asked) ? 'tool' : 'text'),
};
