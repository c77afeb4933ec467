import { BudgetModule } from '../src/budget/budget.module';
import { GammaModule } from '../src/gamma/gamma.module';
import { SharedStoresModule } from '../src/shared-stores/shared-stores.module';
import { createTestApp, type TestApp, type TestClient } from 'formula-development-service/testing';
import { LocalServer } from './local-server';

const { REDIS_URL } = process.env;
const extensions = [GammaModule, BudgetModule, SharedStoresModule];

it('Without Redis each instance counts by itself', async () => {
  const app = await createTestApp({ extensions, settings: { REDIS_URL: '', THROTTLE_LIMIT: '2' } });
  const statuses = [];
  for (let at = 0; at < 3; at++) statuses.push((await app.anonymous.get('/api/auth/me')).status);
  await app.close();
  expect(statuses).toEqual([401, 401, 429]);
});

(REDIS_URL ? describe : describe.skip)('Two instances with one Redis', () => {
  let gamma: LocalServer;
  let apps: TestApp[];

  beforeAll(async () => {
    gamma = await LocalServer.start(() => ({
      status: 200,
      body: JSON.stringify({ output: JSON.stringify({ keywords: ['cream'], filters: {} }) }),
    }));
    const settings = {
      REDIS_URL: REDIS_URL!,
      AI_MOCK: 'false',
      GAMMA_API_KEY: 'key',
      GAMMA_BASE_URL: gamma.url,
      AI_DEFAULT_MODEL: 'gamma-1',
      JWT_SECRET: `shared by all instances, new for each run: ${Date.now()}`,
      THROTTLE_LIMIT: '100',
    };
    apps = [await createTestApp({ extensions, settings }), await createTestApp({ extensions, settings })];
  });
  afterAll(async () => {
    for (const app of apps) await app.close();
    await gamma.close();
  });

  it('ask a provider once for the same answer', async () => {
    const clients = await Promise.all(apps.map((app) => app.account('ann')));
    const ask = (client: TestClient | undefined) => client!.get('/api/ai/search?q=cream');
    expect((await ask(clients[0])).headers.get('x-ai-source')).toBe('gamma');
    expect((await ask(clients[1])).headers.get('x-ai-source')).toBe('cache');
    expect(gamma.received).toHaveLength(1);
  });

  it('count requests together', async () => {
    const left = async (app: TestApp | undefined) =>
      Number((await app!.anonymous.get('/api/auth/me')).headers.get('x-ratelimit-remaining'));
    const before = await left(apps[0]);
    expect(await left(apps[1])).toBe(before - 1);
  });
});
