import { ManualClock } from '../../../../test/support/clock';
import { answers, FakeProvider } from '../../../../test/support/fake-providers';
import { completionRequest } from '../../../../test/support/provider-requests';
import { type CompletionRequest } from '../../provider/ai-provider';
import { AlphaProvider } from './alpha.provider';

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

  it.each(['content_filter', 'length'])('takes no answer that ended by %s', async (reason) => {
    fake.otherwise = ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ choices: [{ message: { content: '{"ok":true}' }, finish_reason: reason }] }),
      );
    };
    await expect(provider.complete(request())).rejects.toMatchObject({
      kind: 'refused',
      retryable: false,
    });
  });

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
    expect(fake.received[0]?.asked).toMatchObject({ input: ['a', 'bb'], dimensions: 1536 });
  });
});
