import { ManualClock } from '../../../../test/support/clock';
import { answers, FakeProvider } from '../../../../test/support/fake-providers';
import { completionRequest } from '../../../../test/support/provider-requests';
import { type CompletionRequest } from '../ai-provider';
import { AlphaProvider } from './alpha.provider';

class Opened extends AlphaProvider {
  openAt(baseUrl = this.defaultAddress) {
    return this.open({ key: 'k', baseUrl });
  }
}

describe('AlphaProvider', () => {
  let fake: FakeProvider;
  const provider = new AlphaProvider(new ManualClock());

  beforeAll(async () => {
    fake = await FakeProvider.start('alpha');
  });
  afterAll(() => fake.stop());
  beforeEach(() => fake.reset(answers({ ok: true }, { tokens: 9 })));

  const access = () => ({ key: 'k', baseUrl: fake.baseUrl });
  const request = (more: Partial<CompletionRequest> = {}) => completionRequest({ access: access(), ...more });

  const messages = () => fake.received[0]?.asked.messages;

  /** Answers with this choice, in one piece or as the last chunk of a stream. */
  const says = (choice: object): void => {
    fake.otherwise = ({ asked, response }) => {
      const body = JSON.stringify({ choices: [choice] });
      response.writeHead(200, { 'content-type': asked.stream ? 'text/event-stream' : 'application/json' });
      response.end(asked.stream ? `data: ${body}\n\ndata: [DONE]\n\n` : body);
    };
  };

  it('serves a model of any name, over the network', () => {
    expect(provider).toMatchObject({ name: 'alpha', role: 'any-model', defaultModel: 'gpt-5.5' });
    expect(provider.capabilities).toEqual({ remote: true, streaming: true });
    expect(provider.serves()).toBe(true);
  });

  it('opens a client with what is configured here, and takes nothing from variables of the SDK', () => {
    const names = ['BASE_URL', 'API_KEY', 'ADMIN_KEY', 'ORG_ID', 'PROJECT_ID', 'WEBHOOK_SECRET'];
    const variables = Object.fromEntries(names.map((name) => [`OPENAI_${name}`, 'http://variable']));
    const replaced = jest.replaceProperty(process, 'env', { ...process.env, ...variables });
    try {
      const open = (baseUrl?: string) => new Opened(new ManualClock()).openAt(baseUrl);
      expect(open()).toMatchObject({
        apiKey: 'k',
        baseURL: 'https://api.openai.com/v1',
        organization: null,
        project: null,
        adminAPIKey: null,
        webhookSecret: null,
        maxRetries: 0,
      });
      expect(open('http://x/v1').baseURL).toBe('http://x/v1');
    } finally {
      replaced.restore();
    }
  });

  it('asks nothing for one who has gone, streamed or whole', async () => {
    const gone = { signal: AbortSignal.abort() };
    await expect(provider.complete(request(gone))).rejects.toMatchObject({ kind: 'connection' });
    await expect(provider.stream(request(gone)).next()).rejects.toMatchObject({ kind: 'connection' });
    expect(fake.received).toEqual([]);
  });

  it('asks in each format for what it can say', async () => {
    for (const format of ['json_schema', 'json_object', 'text']) {
      await provider.complete(request({ negotiated: { format } }));
    }
    const { schema } = request();
    const strict = { name: 'test', schema: schema.json, strict: true };
    expect(fake.received.map(({ asked }) => [asked.model, asked.stream, asked.response_format])).toEqual([
      ['m', false, { type: 'json_schema', json_schema: strict }],
      ['m', false, { type: 'json_object' }],
      ['m', false, undefined],
    ]);
    expect(messages()?.[1]).toEqual({ role: 'user', content: 'Their data.' });
  });

  it('takes what a function is called with for the answer, streamed or whole', async () => {
    const call = { index: 0, id: 'c', type: 'function', function: { name: 'test', arguments: '{"ok":1}' } };
    says({ message: { content: null, tool_calls: [call] }, delta: { tool_calls: [call] } });
    expect((await provider.complete(request())).text).toBe('{"ok":1}');
    const texts: unknown[] = [];
    for await (const { text } of provider.stream(request())) texts.push(text);
    expect(texts).toEqual(['{"ok":1}']);
  });

  it.each<[object]>([
    [{ content: '', tool_calls: [{ index: 0, function: { arguments: '{"ok":1}' } }] }],
    [{ content: null, tool_calls: [{ index: 0, type: 'function', function: { arguments: { ok: 1 } } }] }],
    [{ content: null, function_call: { name: 'test', arguments: '{"ok":1}' } }],
    [
      {
        content: [
          { type: 'thinking', thinking: [{ type: 'text', text: '{x}' }] },
          { type: 'text', text: '{"ok":1}' },
        ],
      },
    ],
    [{ content: [{ type: 'reasoning', text: '{x}' }, null, '{"ok"', { type: 'output_text', text: ':1}' }] }],
    [{ content: { text: '{"ok":1}' } }],
  ])('takes the answer out of %j, streamed or whole', async (message) => {
    says({ message, delta: message });
    expect((await provider.complete(request())).text).toBe('{"ok":1}');
    let text = '';
    for await (const chunk of provider.stream(request())) text += chunk.text ?? '';
    expect(text).toBe('{"ok":1}');
  });

  it.each([
    {},
    { message: null },
    { message: { content: 5 } },
    { message: { content: null } },
    { message: { content: null, tool_calls: [null] } },
    { message: { content: null, tool_calls: [{ type: 'function' }] } },
    { message: { content: [{ type: 'thinking', thinking: 'x' }] } },
  ])('finds no answer in the choice %j, and says so', async (choice) => {
    says(choice);
    await expect(provider.complete(request())).rejects.toMatchObject({
      kind: 'invalid-answer',
      answer: '',
      problem: 'The response held no answer.',
    });
  });

  it('asks for the tokens of a stream, but not a server that knows plain text only', async () => {
    const tokens = async (format: string) => {
      let last: number | undefined;
      for await (const { tokensUsed } of provider.stream(request({ negotiated: { format } })))
        last = tokensUsed;
      return last;
    };
    expect(await tokens('json_schema')).toBe(9);
    expect(await tokens('text')).toBeUndefined();
    expect(fake.received.map(({ asked }) => asked.stream_options)).toEqual([
      { include_usage: true },
      undefined,
    ]);
  });

  it('puts the schema into the instructions where the format does not carry it', async () => {
    await provider.complete(request({ negotiated: { format: 'json_object' } }));
    expect(messages()?.[0]).toMatchObject({ role: 'system', content: expect.stringMatching(/^Our rules\./) });
    expect(messages()?.[0]?.content).toContain('{"type":"object","properties":{}');
    fake.reset(answers({}));
    await provider.complete(request({ negotiated: { format: 'json_schema' } }));
    expect(messages()?.[0]).toEqual({ role: 'system', content: 'Our rules.' });
  });

  it('shows the model its answer in a repair request, and no empty turn where there was none', async () => {
    await provider.complete(request({ repair: { answer: 'bad', problem: 'why' } }));
    expect(messages()?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(messages()?.[2]?.content).toBe('bad');
    expect(messages()?.[3]?.content).toContain('why');
    fake.reset(answers({}));
    await provider.complete(request({ repair: { answer: '', problem: 'why' } }));
    expect(messages()?.map(({ role }) => role)).toEqual(['system', 'user', 'user']);
  });

  it.each(['content_filter', 'length', 'max_tokens', 'MAX_TOKENS', 'model_length'])(
    'takes no answer that ended by %s, streamed or whole',
    async (reason) => {
      const message = { content: '{"ok":true}' };
      says({ message, delta: message, finish_reason: reason });
      const refused = { kind: 'refused', retryable: false };
      await expect(provider.complete(request())).rejects.toMatchObject(refused);
      const stream = provider.stream(request());
      expect((await stream.next()).value).toMatchObject({ text: '{"ok":true}' });
      await expect(stream.next()).rejects.toMatchObject(refused);
    },
  );

  it('takes a refusal for no answer, streamed or whole', async () => {
    fake.otherwise = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ choices: [{ message: { content: '{"ok":true}', refusal: 'No.' } }] }));
    };
    const refused = { kind: 'refused', retryable: false };
    await expect(provider.complete(request())).rejects.toMatchObject(refused);
    fake.otherwise = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(
        `data: ${JSON.stringify({ choices: [{ delta: { refusal: 'No.' } }] })}\n\ndata: [DONE]\n\n`,
      );
    };
    const stream = provider.stream(request());
    await expect(stream.next()).rejects.toMatchObject(refused);
  });

  it('makes vectors of the size that is wanted', async () => {
    fake.embedding = (text) => [text.length];
    const { signal } = new AbortController();
    const asked = { model: 'm', access: access(), texts: ['a', 'bb'], size: 1536, signal };
    expect(await provider.embed(asked)).toEqual({ vectors: [[1], [2]], tokensUsed: 2 });
    expect(fake.received[0]?.asked).toEqual({
      model: 'm',
      input: ['a', 'bb'],
      dimensions: 1536,
      encoding_format: 'float',
    });
  });

  it('makes no vectors where the server has none, without a key, or for one who has gone', async () => {
    const asked = {
      model: 'm',
      access: access(),
      texts: ['a'],
      size: 2,
      signal: new AbortController().signal,
    };
    fake.embedding = undefined;
    await expect(provider.embed(asked)).rejects.toMatchObject({ kind: 'not-found', retryable: false });
    const keyless = { ...asked, access: {} };
    await expect(provider.embed(keyless)).rejects.toMatchObject({ kind: 'not-configured' });
    const gone = { ...asked, signal: AbortSignal.abort() };
    await expect(provider.embed(gone)).rejects.toMatchObject({ kind: 'connection' });
    expect(fake.received).toHaveLength(1);
  });
});
