import { DataSource } from 'typeorm';
import { EmbeddingsRepository } from '../../src/ai/capabilities/embed-texts/embeddings.repository';
import { EmbeddingUpdater } from '../../src/ai/capabilities/embed-texts/embedding-updater';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { createFormula, createIngredient, phasesOf, wholeOf } from '../support/factories';
import { answers } from '../support/fake-providers';

const SIZE = 1536;

describe('embeddings of a provider', () => {
  let ai: AiApp;
  let water: string;

  beforeAll(async () => {
    ai = await bootAiApp('alpha', { settings: { AI_EMBEDDING_MODEL: 'embedder-1' }, limitMs: 12_000 });
    // A model to which sun care is one direction and everything else another.
    ai.fake.embedding = (text) =>
      Array.from({ length: SIZE }, (_, at) => (at === (/防晒|太阳/.test(text) ? 0 : 1) ? 3 : 0));
    water = (
      await ai.user
        .post('/api/ingredients', { inciName: 'Aqua', chineseName: '水', functionCategory: 'other' })
        .expect(201)
    ).body.data.id as string;
    for (const name of ['防晒乳', '洗发水']) {
      const phases = [{ name: 'A', sortOrder: 1, ingredients: [{ ingredientId: water, percentage: 100 }] }];
      await ai.user.post('/api/formulas', { name, phases }).expect(201);
    }
  });
  afterAll(() => ai.close());

  const catchUp = async () => {
    const updater = ai.app.app.get(EmbeddingUpdater);
    while ((await updater.catchUp()) > 0);
  };
  const makers = () =>
    ai.app.app.get(DataSource).query<object[]>('SELECT DISTINCT embedding_maker AS maker FROM formulas');
  const search = async (phrase: string) => {
    ai.fake.otherwise = answers({ keywords: ['水'], filters: null });
    const { body } = await ai.user.get(`/api/ai/search?q=${encodeURIComponent(phrase)}`).expect(200);
    return (body.data as { name: string }[]).map(({ name }) => name);
  };

  it('are made through the pipeline, audited, and order what a search finds', async () => {
    await catchUp();
    expect(await makers()).toEqual([{ maker: 'alpha:embedder-1' }]);
    expect((await ai.audits()).find(({ capability }) => capability === 'embed-texts')).toMatchObject({
      model_name: 'embedder-1',
      tokens_used: 2,
    });
    expect(await search('太阳')).toEqual(['防晒乳', '洗发水']);
    expect(await search('头发')).toEqual(['洗发水', '防晒乳']);
  });

  it('a formula that is changed while they are made stays out of date', async () => {
    const embeddings = ai.app.app.get(EmbeddingsRepository);
    const phases = [{ name: 'A', sortOrder: 1, ingredients: [{ ingredientId: water, percentage: 100 }] }];
    const { body } = await ai.user.post('/api/formulas', { name: '面膜', phases }).expect(201);
    const { id } = body.data as { id: string };
    const [read] = await embeddings.stale(32);
    expect(read).toMatchObject({ id, text: '面膜\nAqua 水' });
    await ai.user.put(`/api/formulas/${id}`, { name: '防晒面膜' }).expect(200);
    const made = { id, stamp: read!.updatedAt, vector: new Float32Array(SIZE) };
    await embeddings.store('alpha:embedder-1', [made]);
    expect(await embeddings.stale(32)).toMatchObject([{ id, text: '防晒面膜\nAqua 水' }]);
    await ai.user.delete(`/api/formulas/${id}`).expect(204);
  });

  it('the formula that was changed first is made anew first', async () => {
    const names = ['先', '后'];
    const made: string[] = [];
    for (const name of names)
      made.push((await createFormula(ai.user, wholeOf(water), { name })).id as string);
    const stale = async (limit: number) =>
      (await ai.app.app.get(EmbeddingsRepository).stale(limit)).map(({ text }) => text.split('\n')[0]);
    expect([await stale(1), await stale(32)]).toEqual([['先'], names]);
    await ai.user.put(`/api/formulas/${made[0]}`, { description: '改' }).expect(200);
    expect(await stale(32)).toEqual(['后', '先']);
    for (const id of made) await ai.user.delete(`/api/formulas/${id}`).expect(204);
  });

  it('their text names the ingredients of the current version, those with the largest share first', async () => {
    const { id: glycerin } = await createIngredient(ai.user, { inciName: 'Glycerin', chineseName: '甘油' });
    const phases = phasesOf(water, [20], [80]);
    phases[0]!.ingredients[0]!.ingredientId = glycerin;
    const { id } = await createFormula(ai.user, wholeOf(glycerin), { name: '喷雾', description: '保湿' });
    await ai.user.put(`/api/formulas/${id}/composition`, { phases }).expect(200);
    const [read] = await ai.app.app.get(EmbeddingsRepository).stale(32);
    expect(read?.text).toBe('喷雾\n保湿\nAqua 水\nGlycerin 甘油');
    await ai.user.delete(`/api/formulas/${id}`).expect(204);
  });

  it('a search does without them when the provider has none', async () => {
    const { embedding } = ai.fake;
    ai.fake.embedding = undefined;
    expect(await search('太阳 2')).toHaveLength(2);
    ai.fake.embedding = embedding;
  });

  it('in mock mode nothing is sent: they are made anew, locally', async () => {
    await ai.user.put('/api/config', { aiMock: 'true' }).expect(200);
    ai.fake.reset();
    await catchUp();
    expect(await makers()).toEqual([{ maker: 'feature-hash-1' }]);
    expect(ai.fake.received).toHaveLength(0);
  });
});
