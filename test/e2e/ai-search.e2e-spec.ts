import { type Account } from '../support/app';
import { EmbeddingUpdater } from '../../src/ai/capabilities/embed-texts/embedding-updater';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { answers, fails } from '../support/fake-providers';

describe('GET /api/ai/search', () => {
  let ai: AiApp;
  let user: Account;
  const ids = new Map<string, string>();

  beforeAll(async () => {
    ai = await bootAiApp('alpha');
    ({ user } = ai);
    const ingredient = async (inciName: string, chineseName: string, functionCategory: string) =>
      (await user.post('/api/ingredients', { inciName, chineseName, functionCategory }).expect(201)).body.data
        .id as string;
    const water = await ingredient('Aqua', '水', 'other');
    const alcohol = await ingredient('Alcohol', '乙醇', 'other');
    const zinc = await ingredient('Zinc Oxide', '氧化锌', 'sunscreen');
    const project = (await user.post('/api/projects', { name: '夏季项目' }).expect(201)).body.data
      .id as string;
    const formula = async (
      name: string,
      description: string | undefined,
      lines: string[],
      projectId?: string,
    ) => {
      const percentage = 100 / lines.length;
      const { body } = await user
        .post('/api/formulas', {
          name,
          description,
          projectId,
          phases: [
            {
              name: 'A',
              sortOrder: 1,
              ingredients: lines.map((ingredientId) => ({ ingredientId, percentage })),
            },
          ],
        })
        .expect(201);
      ids.set(name, body.data.id);
    };
    await formula('保湿面霜', '清爽', [water]);
    await formula('防晒乳', '轻薄 保湿', [water, zinc], project);
    await formula('爽肤水', undefined, [water, alcohol]);
    await formula('100% 精油', undefined, [alcohol]);
  });
  afterAll(() => ai.close());
  beforeEach(() => ai.fake.reset(fails(500)));

  let phrases = 0;
  const search = async (understanding?: object, phrase = `phrase ${++phrases}`) => {
    if (understanding) ai.fake.otherwise = answers(understanding);
    const { body } = await user.get(`/api/ai/search?q=${encodeURIComponent(phrase)}`).expect(200);
    return body as { data: { name: string }[]; keywords: string[] };
  };
  const names = async (understanding?: object, phrase?: string) =>
    (await search(understanding, phrase)).data.map(({ name }) => name);

  it('answers exactly the fields of the interface', async () => {
    expect(await search({ keywords: ['防晒'], filters: null })).toEqual({
      data: [
        {
          id: ids.get('防晒乳'),
          name: '防晒乳',
          description: '轻薄 保湿',
          currentVersion: 1,
          project: { name: '夏季项目' },
        },
      ],
      keywords: ['防晒'],
    });
    expect((await search({ keywords: ['面霜'], filters: null })).data).toEqual([
      { id: ids.get('保湿面霜'), name: '保湿面霜', description: '清爽', currentVersion: 1, project: null },
    ]);
  });

  it('matches name, description and ingredient names, regardless of case', async () => {
    expect(await names({ keywords: ['清爽'] })).toEqual(['保湿面霜']);
    expect(await names({ keywords: ['zinc OXIDE'] })).toEqual(['防晒乳']);
    expect(await names({ keywords: ['氧化锌'] })).toEqual(['防晒乳']);
  });

  it('keywords are OR-ed, more matches come first', async () => {
    expect(await names({ keywords: ['乳', '保湿'] })).toEqual(['防晒乳', '保湿面霜']);
  });

  it('wildcards are plain characters', async () => {
    expect(await names({ keywords: ['%'] })).toEqual(['100% 精油']);
    expect(await names({ keywords: ['_'] })).toEqual([]);
  });

  it.each([
    [{ category: 'sunscreen' }, ['防晒乳']],
    [{ project: '夏季' }, ['防晒乳']],
    [{ contains: ['乙醇'] }, ['100% 精油', '爽肤水']],
    [{ avoids: ['alcohol'] }, ['保湿面霜', '防晒乳']],
    [{ contains: ['水'], avoids: ['乙醇', '氧化锌'] }, ['保湿面霜']],
    [{ name: '面霜' }, ['保湿面霜']],
  ])('filters by %j', async (filters, expected) => {
    expect((await names({ keywords: [], filters })).sort()).toEqual([...expected].sort());
  });

  it('finds what is written in another normal form, width or with invisible characters', async () => {
    const { body: project } = await user.post('/api/projects', { name: 'Ｗｉｎｔｅｒ（甲）' }).expect(201);
    const { body: ingredient } = await user
      .post('/api/ingredients', {
        inciName: 'Gly\u00adcolic\u00a0Acid',
        chineseName: '乙醇酸（果酸）',
        functionCategory: 'other',
      })
      .expect(201);
    const lines = [{ ingredientId: ingredient.data.id, percentage: 100 }];
    const { body: formula } = await user
      .post('/api/formulas', {
        name: 'Ｓｅｒｕｍ 5％',
        projectId: project.data.id,
        phases: [{ name: 'A', sortOrder: 1, ingredients: lines }],
      })
      .expect(201);
    for (const understanding of [
      { keywords: ['serum 5%'] },
      { keywords: ['ＧＬＹＣＯＬＩＣ acid'] },
      { keywords: ['乙醇酸(果酸)'] },
      { keywords: [], filters: { name: 'Ｓerum\u00a05%' } },
      { keywords: [], filters: { project: 'winter(甲)' } },
      { keywords: [], filters: { project: 'Ｗｉｎｔｅｒ（' } },
      { keywords: [], filters: { contains: ['glycolic'] } },
    ]) {
      expect(await names(understanding)).toEqual(['Ｓｅｒｕｍ 5％']);
    }
    expect(await names({ keywords: [], filters: { name: 'winter' } })).toEqual([]);
    await user.delete(`/api/formulas/${formula.data.id}`).expect(204);
    await user.delete(`/api/ingredients/${ingredient.data.id}`).expect(204);
  });

  it('filters and keywords hold together', async () => {
    expect(await names({ keywords: ['水'], filters: { avoids: ['乙醇'] } })).not.toContain('爽肤水');
  });

  it('a filter outside the list is no answer: the phrase itself is searched for', async () => {
    expect(
      await search({ keywords: ['x'], filters: { category: 'users; DROP TABLE' } }, '面霜'),
    ).toMatchObject({
      keywords: ['面霜'],
      data: [{ name: '保湿面霜' }],
    });
  });

  it('without AI: the phrase and its words', async () => {
    expect(await search(undefined, '保湿面霜')).toMatchObject({
      keywords: ['保湿面霜'],
      data: [{ name: '保湿面霜' }],
    });
  });

  it('what nothing matches is an empty list', async () => {
    expect(await search(undefined, '不存在的东西')).toEqual({ data: [], keywords: ['不存在的东西'] });
  });

  it('among equal matches the liker ones come first, once embeddings are made', async () => {
    while ((await ai.app.app.get(EmbeddingUpdater).catchUp()) > 0);
    expect((await names({ keywords: ['水'] }, '爽肤水 乙醇'))[0]).toBe('爽肤水');
    expect((await names({ keywords: ['水'] }, '防晒 氧化锌'))[0]).toBe('防晒乳');
  });

  it.each(['', '?q=', '?q=%20'])('wants a phrase: %j', async (query) => {
    expect((await user.get(`/api/ai/search${query}`).expect(400)).body).toEqual({
      error: 'q: 不能为空',
      statusCode: 400,
    });
  });

  it('no answer holds an embedding', async () => {
    const detail = await user.get(`/api/formulas/${ids.get('防晒乳')}`).expect(200);
    expect(JSON.stringify(detail.body)).not.toMatch(/embedding/i);
  });
});
