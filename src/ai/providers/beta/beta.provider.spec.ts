import { ManualClock } from '../../../../test/support/clock';
import { answers, FakeProvider } from '../../../../test/support/fake-providers';
import { completionRequest } from '../../../../test/support/provider-requests';
import { type CompletionRequest } from '../ai-provider';
import { BetaProvider } from './beta.provider';

class Opened extends BetaProvider {
  openAt(baseUrl = this.defaultAddress) {
    return this.open({ key: 'k', baseUrl });
  }
}

describe('BetaProvider', () => {
  let fake: FakeProvider;
  const provider = new BetaProvider(new ManualClock());

  beforeAll(async () => {
    fake = await FakeProvider.start('beta');
  });
  afterAll(() => fake.stop());
  beforeEach(() => fake.reset(answers({ ok: true })));

  const access = () => ({ key: 'k', baseUrl: fake.baseUrl });
  const request = (more: Partial<CompletionRequest> = {}) => completionRequest({ access: access(), ...more });

  /** Answers with a message of this content, and of what else is said. */
  const says = (message: object): void => {
    fake.otherwise = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ content: [{ type: 'text', text: '{"ok":true}' }], ...message }));
    };
  };

  it('serves the models of one family, by default', () => {
    expect(provider).toMatchObject({ name: 'beta', role: 'default', defaultModel: 'claude-sonnet-5-5' });
    expect(provider.capabilities).toEqual({ remote: true, streaming: true });
    const served = ['claude-x', 'Claude', 'my-claude', 'gpt'].filter((model) => provider.serves(model));
    expect(served).toEqual(['claude-x', 'Claude']);
  });

  it('opens a client with what is configured here, and takes nothing from variables of the SDK', () => {
    const names = ['BASE_URL', 'API_KEY', 'AUTH_TOKEN', 'WEBHOOK_SIGNING_KEY'];
    const variables = Object.fromEntries(names.map((name) => [`ANTHROPIC_${name}`, 'http://variable']));
    const replaced = jest.replaceProperty(process, 'env', { ...process.env, ...variables });
    try {
      const open = (baseUrl?: string) => new Opened(new ManualClock()).openAt(baseUrl);
      expect(open()).toMatchObject({
        apiKey: 'k',
        baseURL: 'https://api.anthropic.com',
        authToken: null,
        webhookKey: null,
        maxRetries: 0,
        openTelemetry: { traces: { enabled: false } },
      });
      expect(open('http://x').baseURL).toBe('http://x');
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
    const json = {
      type: 'object',
      properties: { n: { type: 'number', minimum: 1 } },
      required: ['n'],
      additionalProperties: false,
    };
    const schema = { name: 'test', json };
    for (const format of ['json_schema', 'tool', 'text']) {
      says({ content: [{ type: 'text', text: '{"n":1}' }] });
      await provider.complete(request({ schema, negotiated: { format } }));
    }
    const [strict, tool, text] = fake.received.map(({ asked }) => asked);
    for (const asked of [strict, tool, text]) expect(asked).toMatchObject({ model: 'm', stream: false });
    expect(strict).toMatchObject({
      system: 'Our rules.',
      output_config: { format: { type: 'json_schema' } },
    });
    // The API does not know the keyword.
    expect(JSON.stringify(strict?.output_config)).toContain('"n":{"type":"number"');
    expect(JSON.stringify(strict?.output_config)).not.toContain('"minimum":');
    expect(tool).toMatchObject({
      system: 'Our rules.',
      tools: [{ name: 'test', description: 'Takes the answer.', input_schema: json }],
      tool_choice: { type: 'tool', name: 'test', disable_parallel_tool_use: true },
    });
    expect(text).not.toHaveProperty('tools');
    expect(text).not.toHaveProperty('output_config');
    expect(text?.system).toMatch(/^Our rules\.\n\n/);
    expect(text?.system).toContain(JSON.stringify(json));
  });

  it.each<[object[], string]>([
    [[{ type: 'text', text: '{"a":' }, { type: 'thinking' }, { type: 'text', text: '1}' }], '{"a":1}'],
    [
      [
        { type: 'text', text: 'Here:' },
        { type: 'tool_use', input: { a: 1 } },
      ],
      '{"a":1}',
    ],
  ])('reads of the blocks %j the answer', async (content, text) => {
    says({ content });
    expect((await provider.complete(request())).text).toBe(text);
  });

  it.each([{ content: [] }, { content: null }, { content: [null, { type: 'text', text: '' }] }])(
    'finds no answer in %j, and says so',
    async (message) => {
      says(message);
      await expect(provider.complete(request())).rejects.toMatchObject({
        kind: 'invalid-answer',
        answer: '',
        problem: 'The response held no answer.',
      });
    },
  );

  it('reads text and the input of a tool out of a stream', async () => {
    for (const format of ['text', 'tool']) {
      let whole = '';
      for await (const { text } of provider.stream(request({ negotiated: { format } }))) whole += text ?? '';
      expect(whole).toBe('{"ok":true}');
    }
  });

  it('counts every kind of token, those read from and written to a cache too', async () => {
    says({
      usage: {
        input_tokens: 1,
        output_tokens: 20,
        cache_creation_input_tokens: 300,
        cache_read_input_tokens: 4000,
      },
    });
    expect((await provider.complete(request())).tokensUsed).toBe(4321);
  });

  it.each<[unknown, number | undefined]>([
    [null, undefined],
    [undefined, undefined],
    [{}, undefined],
    ['many', undefined],
    [{ input_tokens: null, output_tokens: 5 }, undefined],
    [{ input_tokens: 1, output_tokens: 12.5 }, undefined],
    [{ input_tokens: 1, output_tokens: 99_999_999_999 }, undefined],
    [{ input_tokens: '1', output_tokens: 2 }, undefined],
    [{ input_tokens: -1, output_tokens: 2 }, undefined],
    [{ input_tokens: true, output_tokens: 2 }, undefined],
    [{ input_tokens: 1, output_tokens: 2, cache_read_input_tokens: 0.5 }, undefined],
    [{ input_tokens: 1, output_tokens: 2, cache_read_input_tokens: null }, 3],
  ])('of the usage %j the tokens are %p, streamed or whole', async (usage, tokens) => {
    says({ usage });
    expect(await provider.complete(request())).toEqual({ text: '{"ok":true}', tokensUsed: tokens });
    fake.otherwise = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of [
        { type: 'message_start', message: { usage } },
        { type: 'message_delta', delta: {}, usage: null },
      ]) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    };
    const { value } = await provider.stream(request()).next();
    expect((value as { tokensUsed: unknown }).tokensUsed).toBe(tokens);
  });

  it('counts in a stream the last total of what was answered', async () => {
    fake.otherwise = ({ response }) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (const event of [
        { type: 'message_start', message: { usage: { input_tokens: 10, output_tokens: 3 } } },
        { type: 'message_delta', delta: {}, usage: { input_tokens: null, output_tokens: 7 } },
      ]) {
        response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      response.end();
    };
    expect((await provider.stream(request()).next()).value).toEqual({ tokensUsed: 17 });
  });

  it('counts in a stream what was asked and what was answered', async () => {
    fake.reset(answers({ ok: true }, { tokens: 9 }));
    const counts: unknown[] = [];
    for await (const { tokensUsed } of provider.stream(request())) counts.push(tokensUsed);
    expect(counts.at(-1)).toBe(9);
  });

  it.each(['refusal', 'max_tokens', 'model_context_window_exceeded'])(
    'takes no answer that ended by %s, streamed or whole',
    async (reason) => {
      const refused = { kind: 'refused', retryable: false };
      says({ stop_reason: reason });
      await expect(provider.complete(request())).rejects.toMatchObject(refused);
      fake.otherwise = ({ response }) => {
        const end = { type: 'message_delta', delta: { stop_reason: reason }, usage: { output_tokens: 5 } };
        response.writeHead(200, { 'content-type': 'text/event-stream' });
        response.end(`event: message_delta\ndata: ${JSON.stringify(end)}\n\n`);
      };
      const stream = provider.stream(request());
      expect((await stream.next()).value).toEqual({ tokensUsed: 5 });
      await expect(stream.next()).rejects.toMatchObject(refused);
    },
  );

  it.each([
    ['http://x/', 'http://x'],
    ['http://x//v1//', 'http://x'],
    ['http://x/v1/proxy', 'http://x/v1/proxy'],
  ])('takes the address %s as %s', (written, taken) => {
    class Addressed extends BetaProvider {
      override address(url: string): string {
        return super.address(url);
      }
    }
    expect(new Addressed(new ManualClock()).address(written)).toBe(taken);
  });

  it('bounds the length of the answer', async () => {
    await provider.complete(request());
    expect(fake.received[0]?.asked.max_tokens).toBe(77);
  });

  it('lets turns alternate in a repair request, with an answer to show and without', async () => {
    await provider.complete(request({ repair: { answer: 'bad', problem: 'why' } }));
    await provider.complete(request({ repair: { answer: '', problem: 'why' } }));
    const [shown, joined] = fake.received.map(({ asked }) => asked.messages);
    expect(shown?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(shown?.[1]?.content).toBe('bad');
    expect(joined?.map(({ role }) => role)).toEqual(['user']);
    expect(joined?.[0]?.content).toMatch(/^Their data\.\n\n[^]*why/);
  });
});
