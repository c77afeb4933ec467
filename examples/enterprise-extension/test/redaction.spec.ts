import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GammaModule } from '../src/gamma/gamma.module';
import { CustomerNames } from '../src/redaction/customer-names';
import { RedactionModule } from '../src/redaction/redaction.module';
import { createTestApp, type TestApp } from 'formula-development-service/testing';
import { eventually } from './eventually';
import { createFormula } from './formulas';
import { gammaAnswer, KEYWORDS } from './gamma-answers';
import { LocalServer } from './local-server';

describe('Names of customers', () => {
  let folder: string;
  let provider: LocalServer;
  let app: TestApp;

  const start = async (settings: Record<string, string>) => {
    // Both kinds of provider are this server.
    const server = { GAMMA_BASE_URL: provider.url, ALPHA_BASE_URL: `${provider.url}/v1` };
    app = await createTestApp({
      extensions: [GammaModule, RedactionModule.withNamesOf(join(folder, 'customers.txt'))],
      settings: {
        AI_MOCK: 'false',
        AI_DEFAULT_MODEL: 'gamma-1',
        GAMMA_API_KEY: 'key',
        ...server,
        ...settings,
      },
    });
    return app.account('ann');
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'enterprise-extension-'));
    await writeFile(join(folder, 'customers.txt'), 'Acme\nAcme (Paris)\n\nBorealis\n');
  });
  beforeEach(async () => {
    provider = await LocalServer.start(() => gammaAnswer(KEYWORDS));
  });
  afterEach(async () => {
    await app.close();
    await provider.close();
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('reach no provider in a prompt, whose answer serves for all of them', async () => {
    const ann = await start({});
    const sourceOf = async (query: string) =>
      (await ann.get(`/api/ai/search?q=${encodeURIComponent(query)}`)).headers.get('x-ai-source');
    expect(await sourceOf('a cream for ACME (Paris)')).toBe('gamma');
    expect(await sourceOf('a cream for Borealis')).toBe('cache');
    expect(provider.received).toHaveLength(1);
    const { data } = provider.received[0]!.body;
    expect(data).toContain('a cream for a customer');
    expect(data).not.toMatch(/acme|paris/i);
  });

  it('reach no provider in texts that it makes vectors of', async () => {
    const vectors = (texts: string[]) =>
      texts.map((_, index) => ({ index, embedding: Array.from({ length: 1536 }, () => 1) }));
    provider.answer(({ body }) => ({ status: 200, body: JSON.stringify({ data: vectors(body.input) }) }));
    const ann = await start({ ALPHA_API_KEY: 'key', AI_EMBEDDING_MODEL: 'embed-1' });
    await createFormula(ann, 'Day cream for Borealis');
    await eventually(() => expect(provider.received).not.toHaveLength(0));
    const texts = provider.received.flatMap(({ body }) => body.input).join('\n');
    expect(texts).toContain('Day cream for a customer');
    expect(texts).not.toContain('Borealis');
  });
});

it('Without the list of customers nothing starts', async () => {
  const extensions = [RedactionModule.withNamesOf('no-such-file.txt')];
  const started = createTestApp({ extensions }).then((app) => app.close());
  await expect(started).rejects.toThrow(/extensions\[0\] is rejected: .*ENOENT.*no-such-file/);
});

it('A laboratory without customers changes nothing', () => {
  expect(new CustomerNames([]).takenOutOf('a cream')).toBe('a cream');
});
