import { ManualClock } from '../../../../test/support/clock';
import { answers, FakeProvider } from '../../../../test/support/fake-providers';
import { completionRequest } from '../../../../test/support/provider-requests';
import { type CompletionRequest } from '../../provider/ai-provider';
import { BetaProvider } from './beta.provider';

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

  it('counts in a stream what was asked and what was answered', async () => {
    fake.reset(answers({ ok: true }, { tokens: 9 }));
    const counts: unknown[] = [];
    for await (const { tokensUsed } of provider.stream(request())) counts.push(tokensUsed);
    expect(counts.at(-1)).toBe(9);
  });

  it.each(['refusal', 'max_tokens', 'model_context_window_exceeded'])(
    'takes no answer that ended by %s',
    async (reason) => {
      says({ stop_reason: reason });
      await expect(provider.complete(request())).rejects.toMatchObject({
        kind: 'refused',
        retryable: false,
      });
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
