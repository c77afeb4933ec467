import { BudgetModule } from '../src/budget/budget.module';
import { GammaModule } from '../src/gamma/gamma.module';
import { createTestApp, type TestApp, type TestClient } from 'formula-development-service/testing';
import { eventually } from './eventually';
import { LocalServer, type Reply } from './local-server';

const KEY = 'gamma-key-7';

/** As the vendor's server answers. */
const gammaAnswer = (output: unknown, total = 40): Reply => ({
  status: 200,
  body: JSON.stringify({ output: JSON.stringify(output), usage: { total } }),
});
const KEYWORDS = { keywords: ['cream'], filters: {} };

describe('The provider gamma', () => {
  let gamma: LocalServer;
  let app: TestApp;
  let ann: TestClient;

  beforeAll(async () => {
    gamma = await LocalServer.start(() => gammaAnswer(KEYWORDS));
    app = await createTestApp({
      extensions: [GammaModule, BudgetModule],
      settings: { AI_MOCK: 'false', AI_DEFAULT_MODEL: 'gamma-1', AI_TOKENS_PER_DAY: '100' },
    });
    ann = await app.account('ann');
    await ann.put('/api/config', { gammaKey: KEY, gammaBaseUrl: gamma.url });
  });
  afterAll(async () => {
    await app.close();
    await gamma.close();
  });
  beforeEach(() => {
    gamma.received.length = 0;
    gamma.answer(() => gammaAnswer(KEYWORDS));
  });

  const search = (client: TestClient, query: string) =>
    client.get(`/api/ai/search?q=${encodeURIComponent(query)}`);

  it('is asked with the key and at the address that are stored', async () => {
    const answer = await search(ann, 'a cream');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('x-ai-source')).toBe('gamma');
    const [asked] = gamma.received;
    expect(asked).toMatchObject({ path: '/v1/answers', headers: { 'x-gamma-key': KEY } });
    expect(asked?.body).toMatchObject({ model: 'gamma-1', schema: { type: 'object' } });
  });

  it('is listed and tested', async () => {
    const listed = await ann.get('/api/ext/ai/providers');
    expect(listed.body.data).toEqual([
      { name: 'gamma', defaultModel: 'gamma-1', hasKey: true, baseUrl: gamma.url },
    ]);
    const test = () => ann.post('/api/config/test', { provider: 'gamma' });
    gamma.answer(() => gammaAnswer({ ok: true }));
    expect((await test()).body).toEqual({ ok: true, model: 'gamma-1' });
    gamma.answer(() => 401);
    expect((await test()).body).toMatchObject({ ok: false });
  });

  it.each<[string, Reply]>([
    ['refuses the key', 401],
    ['answers with broken JSON', { status: 200, body: '{"output":' }],
    ['answers with something else', { status: 200, body: '[]' }],
  ])('is not asked again where it %s', async (what, reply) => {
    gamma.answer(() => reply);
    const answer = await search(ann, `a cream, and gamma ${what}`);
    expect(answer.headers.get('x-ai-source')).toBe('fallback');
    expect(gamma.received).toHaveLength(1);
  });

  it('is asked again where it is overloaded', async () => {
    gamma.answer(() => (gamma.received.length === 1 ? 503 : gammaAnswer(KEYWORDS)));
    expect((await search(ann, 'a lotion')).headers.get('x-ai-source')).toBe('gamma');
    expect(gamma.received).toHaveLength(2);
  });

  it('serves each user within the budget of the day', async () => {
    const lin = await app.account('lin');
    gamma.answer(() => gammaAnswer(KEYWORDS, 60));
    await search(lin, 'gel 1');
    await search(lin, 'gel 1'); // from the cache: it costs nothing
    await search(lin, 'gel 2');
    await eventually(async () => {
      const refused = await search(lin, 'gel 3');
      expect(refused.status).toBe(429);
      expect(refused.headers.get('x-error-code')).toBe('budget.spent');
      expect(refused.headers.get('retry-after')).toBe('3600');
      expect(refused.body.error).toBe('Your AI tokens of today are spent');
    });
    expect((await search(await app.account('wang'), 'gel 3')).status).toBe(200);
  });
});
