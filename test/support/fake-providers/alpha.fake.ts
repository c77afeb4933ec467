import { type AskedBody, type WireProtocol } from './protocol';

const event = (data: unknown): string =>
  `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

const chunk = (asked: AskedBody, delta: object, finishReason: string | null = null): string =>
  event({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: asked.model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
  });

const usage = (tokens: number) => ({ prompt_tokens: tokens - 1, completion_tokens: 1, total_tokens: tokens });

/** `/chat/completions` as OpenAI and compatible servers speak it. */
export const protocol: WireProtocol = {
  basePath: '/v1',
  path: '/v1/chat/completions',
  formats: ['json_schema', 'json_object', 'text'],
  completion: (asked, text, tokens) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: asked.model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: text, refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage: usage(tokens),
  }),
  streamStart: (asked) => [chunk(asked, { role: 'assistant', content: '' })],
  streamPiece: (asked, piece) => chunk(asked, { content: piece }),
  streamEnd: (asked, tokens) => [
    chunk(asked, {}, 'stop'),
    ...((asked.stream_options as { include_usage?: boolean } | undefined)?.include_usage
      ? [
          event({
            id: 'chatcmpl-1',
            object: 'chat.completion.chunk',
            created: 1,
            model: asked.model,
            choices: [],
            usage: usage(tokens),
          }),
        ]
      : []),
    event('[DONE]'),
  ],
  error: (status, message) => ({ error: { message, type: 'fake_error', param: null, code: String(status) } }),
  streamError: (message) => event({ error: { message, type: 'server_error', param: null, code: null } }),
  formatOf: (asked) => (asked.response_format as { type?: string } | undefined)?.type ?? 'text',
  embeddings: {
    path: '/v1/embeddings',
    body: (asked, vectors) => ({
      object: 'list',
      model: asked.model,
      data: vectors.map((embedding, index) => ({ object: 'embedding', index, embedding })),
      usage: { prompt_tokens: vectors.length, total_tokens: vectors.length },
    }),
  },
};
