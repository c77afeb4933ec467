import { GammaModule } from '../src/gamma/gamma.module';
import { createTestApp, type TestApp, type TestClient } from 'formula-development-service/testing';
import { gammaAnswer, KEYWORDS } from './gamma-answers';
import { LocalServer, type Reply } from './local-server';

const KEY = 'gamma-key-7';

describe('The provider gamma', () => {
  let gamma: LocalServer;
  let app: TestApp;
  let ann: TestClient;

  beforeAll(async () => {
    gamma = await LocalServer.start(() => gammaAnswer(KEYWORDS));
    app = await createTestApp({
      extensions: [GammaModule],
      settings: { AI_MOCK: 'false', AI_DEFAULT_MODEL: 'gamma-1' },
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
});
