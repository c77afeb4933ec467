import { BudgetModule } from '../src/budget/budget.module';
import { GammaModule } from '../src/gamma/gamma.module';
import {
  createTestApp,
  ManualClock,
  type TestApp,
  type TestClient,
} from 'formula-development-service/testing';
import { eventually } from './eventually';
import { gammaAnswer, KEYWORDS } from './gamma-answers';
import { LocalServer } from './local-server';

const HOUR = 3_600_000;

describe('The budget of AI tokens', () => {
  let gamma: LocalServer;
  let app: TestApp;

  // #region clock
  const clock = new ManualClock(Date.UTC(2030, 0, 31, 22)); // two hours before midnight

  beforeAll(async () => {
    gamma = await LocalServer.start(() => gammaAnswer(KEYWORDS, 60));
    app = await createTestApp({
      extensions: [GammaModule, BudgetModule],
      settings: {
        AI_MOCK: 'false',
        AI_DEFAULT_MODEL: 'gamma-1',
        GAMMA_API_KEY: 'key',
        GAMMA_BASE_URL: gamma.url,
        AI_TOKENS_PER_DAY: '100',
      },
      clock,
    });
  });
  // #endregion
  afterAll(async () => {
    await app.close();
    await gamma.close();
  });

  const search = (client: TestClient, query: string) =>
    client.get(`/api/ai/search?q=${encodeURIComponent(query)}`);

  it('is of each user, and there again on the next day', async () => {
    const [lin, wang] = [await app.account('lin'), await app.account('wang')];
    await search(lin, 'gel 1');
    await search(lin, 'gel 1'); // from the cache: it costs nothing
    await search(lin, 'gel 2');
    await eventually(async () => {
      const refused = await search(lin, 'gel 3');
      expect(refused.status).toBe(429);
      expect(refused.headers.get('x-error-code')).toBe('budget.spent');
      expect(refused.headers.get('retry-after')).toBe('7200');
      expect(refused.body.error).toBe('Your AI tokens of today are spent');
    });
    expect((await search(wang, 'gel 3')).status).toBe(200);

    clock.advance(2 * HOUR - 1);
    expect((await search(lin, 'gel 3')).headers.get('retry-after')).toBe('1');
    clock.advance(1);
    expect((await search(lin, 'gel 3')).status).toBe(200);
  });
});
