import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { RowFilter } from '../../src/platform/access/row-filter';
import { FormulaExploration } from '../../src/ai/capabilities/explore-formula/formula-exploration';
import { type Account, bootApp, type TestApp } from '../support/app';
import { messagesOf } from '../support/event-stream';
import { createFormula, createIngredient, type Ingredient, wholeOf } from '../support/factories';
import { recordStatements } from '../support/statements';

const LINES = [{ name: '甘油', percentage: 5, category: 'humectant' }];

describe('AI endpoints in mock mode', () => {
  let app: TestApp;
  let user: Account;

  beforeAll(async () => {
    app = await bootApp();
    user = await app.register();
  });
  afterAll(() => app.close());

  const audits = async (): Promise<
    {
      user_id: string;
      capability: string;
      model_name: string;
      prompt_hash: string;
      tokens_used: unknown;
      duration_ms: unknown;
    }[]
  > => app.app.get(DataSource).query('SELECT * FROM ai_audit_logs ORDER BY created_at, id');

  describe('POST /api/ai/predict-formula', () => {
    it('answers one result message in the exact wire format', async () => {
      const response = await user
        .post('/api/ai/predict-formula', { ingredients: LINES })
        .buffer(true)
        .expect(200);
      expect(response.headers['content-type']).toBe('text/event-stream');
      expect(response.headers['cache-control']).toContain('no-store');
      expect(response.headers['x-accel-buffering']).toBe('no');
      expect(response.headers['x-ai-source']).toBe('mock');
      expect(response.text).toMatch(/^data: \{"type":"result","content":".*"\}\n\n$/);
      const [message] = messagesOf(response.text);
      const prediction = JSON.parse(message.content);
      expect(Object.keys(prediction).sort()).toEqual(
        ['confidence', 'costEstimate', 'reasoning', 'sensoryIndex', 'stabilityScore'].sort(),
      );
      expect(Object.keys(prediction.sensoryIndex).sort()).toEqual([
        'absorption',
        'overall',
        'spreadability',
        'stickiness',
      ]);
      expect(prediction.reasoning).toContain('预设');
    });

    it.each([
      [{}, 'ingredients: 不能为空'],
      [{ ingredients: [] }, 'ingredients: 至少需要1项'],
      [
        { ingredients: [{ name: '甘油', percentage: '5', category: 'x' }] },
        'ingredients.0.percentage: 必须是数字',
      ],
      [{ ingredients: Array(1001).fill({}) }, 'ingredients: 不能超过1000项'],
      [{ ingredients: [{ ...LINES[0], name: 'x'.repeat(201) }] }, 'ingredients.0.name: 不能超过200个字符'],
      [{ ingredients: [{ ...LINES[0], name: ' ' }] }, 'ingredients.0.name: 不能为空'],
      [
        { ingredients: [{ ...LINES[0], category: 'x'.repeat(201) }] },
        'ingredients.0.category: 不能超过200个字符',
      ],
    ])('answers a fault as JSON before any stream (%#)', async (body, error) => {
      const response = await user.post('/api/ai/predict-formula', body).expect(400);
      expect(response.headers['content-type']).toContain('application/json');
      expect(response.body).toEqual({ error, statusCode: 400 });
    });

    it('takes as many lines as a formula can have', () =>
      user.post('/api/ai/predict-formula', { ingredients: Array(1000).fill(LINES[0]) }).expect(200));

    it('takes a name of 200 characters, and a function that is not known', () =>
      user
        .post('/api/ai/predict-formula', {
          ingredients: [{ name: 'x'.repeat(200), percentage: 0, category: '' }],
        })
        .expect(200));

    it('is not for strangers', () =>
      app.http.post('/api/ai/predict-formula').send({ ingredients: LINES }).expect(401));
  });

  describe('POST /api/ai/explore-formula', () => {
    it('answers options and done, nothing else', async () => {
      const response = await user
        .post('/api/ai/explore-formula', {
          baseFormulaName: '保湿霜',
          baseIngredients: [
            { name: '水', percentage: 85 },
            { name: '酒精', percentage: 5 },
            { name: '甘油', percentage: 10 },
          ],
          excludeIngredients: ['酒精'],
        })
        .buffer(true)
        .expect(200);
      const messages = messagesOf(response.text);
      expect(messages.at(-1)).toEqual({ type: 'done' });
      const options = messages.slice(0, -1);
      expect(options.length).toBeGreaterThan(0);
      for (const message of options) {
        expect(Object.keys(message)).toEqual(['type', 'option']);
        expect(message.type).toBe('option');
        expect(Object.keys(message.option).sort()).toEqual([
          'changes',
          'name',
          'predictedMetrics',
          'reasoning',
        ]);
        const gone = message.option.changes.find(
          (change: { ingredient: string }) => change.ingredient === '酒精',
        );
        expect(gone).toEqual({ action: 'reduce', ingredient: '酒精', oldPercentage: 5, newPercentage: 0 });
      }
    });

    it.each([
      {},
      { costLimit: 0 },
      { targetMetrics: {} },
      { excludeIngredients: [] },
      { keepIngredients: ['水'] },
    ])('wants something to aim at: %j', async (body) => {
      const { body: answer } = await user.post('/api/ai/explore-formula', body).expect(400);
      expect(answer.error).toBe('costLimit: 与 targetMetrics、excludeIngredients 至少需要设置一项');
    });

    it.each([
      [{ costLimit: 20, targetMetrics: [90] }, 'targetMetrics: 必须是对象'],
      [{ costLimit: 20, targetMetrics: 'soft' }, 'targetMetrics: 必须是对象'],
      [{ costLimit: 20, baseFormulaId: 'x' }, /^baseFormulaId: /],
      [{ costLimit: -1 }, /^costLimit: /],
    ])('refuses %j', async (body, error) => {
      const { body: answer } = await user.post('/api/ai/explore-formula', body).expect(400);
      expect(answer.error).toMatch(error);
    });

    it.each([{ costLimit: 20 }, { targetMetrics: { stabilityScore: 90 } }, { excludeIngredients: ['酒精'] }])(
      'takes any one aim: %j',
      async (body) => {
        const response = await user.post('/api/ai/explore-formula', body).buffer(true).expect(200);
        expect(messagesOf(response.text).at(-1)).toEqual({ type: 'done' });
      },
    );

    it.each([
      [{ costLimit: 1, baseIngredients: Array(1001).fill({}) }, 'baseIngredients: 不能超过1000项'],
      [{ costLimit: 1, keepIngredients: Array(1001).fill('甘油') }, 'keepIngredients: 不能超过1000项'],
      [{ excludeIngredients: Array(1001).fill('酒精') }, 'excludeIngredients: 不能超过1000项'],
      [{ targetMetrics: { a: 'x'.repeat(65_536) } }, 'targetMetrics: JSON 文本不能超过64KB'],
    ])('has an end to everything it takes (%#)', async (body, error) => {
      const { body: answer } = await user.post('/api/ai/explore-formula', body).expect(400);
      expect(answer).toEqual({ error, statusCode: 400 });
    });

    it('takes as much as a formula can have', async () => {
      const names = Array(1000).fill('甘油');
      const body = {
        baseIngredients: Array(1000).fill({ name: '甘油', percentage: 0.1 }),
        keepIngredients: names,
        excludeIngredients: names.map((_, n) => `酒精${n}`),
        // Many values, at most the 64 KB.
        targetMetrics: { a: Array(32_000).fill(0) },
      };
      await user.post('/api/ai/explore-formula', body).expect(200);
    });

    it('starts from the latest version of a stored formula, in the order in which it is shown', async () => {
      const [water, oil] = [
        await createIngredient(user, { inciName: 'Aqua', chineseName: '水' }),
        await createIngredient(user, { inciName: 'Squalane', chineseName: '角鲨烷' }),
      ];
      const { id } = await createFormula(user, wholeOf(water.id), { name: '精华油' });
      const line = ({ id: ingredientId }: Ingredient, percentage: number) => ({ ingredientId, percentage });
      const phases = [
        { name: '后加', sortOrder: 2, ingredients: [line(oil, 40)] },
        { name: '先加', sortOrder: 1, ingredients: [line(water, 50), line(oil, 10)] },
        { name: '同序', sortOrder: 1, ingredients: [line(water, 0.5)] },
      ];
      await user.put(`/api/formulas/${id}/composition`, { phases }).expect(200);
      const request = { costLimit: 20, baseFormulaId: id };
      expect(await app.app.get(FormulaExploration).inputOf(RowFilter.EVERYTHING, request)).toMatchObject({
        baseFormulaName: '精华油',
        baseIngredients: [
          { name: '水', inciName: 'Aqua', percentage: 50 },
          { name: '角鲨烷', inciName: 'Squalane', percentage: 10 },
          { name: '水', inciName: 'Aqua', percentage: 0.5 },
          { name: '角鲨烷', inciName: 'Squalane', percentage: 40 },
        ],
      });
      const { text } = await user.post('/api/ai/explore-formula', request).buffer(true).expect(200);
      expect(messagesOf(text)[0].option).toMatchObject({ name: '精华油 · 预设方案一' });
    });

    it('answers an unknown base formula as JSON', async () => {
      const response = await user
        .post('/api/ai/explore-formula', { costLimit: 20, baseFormulaId: randomUUID() })
        .expect(404);
      expect(response.body).toEqual({ error: '配方不存在', statusCode: 404 });
    });
  });

  describe('POST /api/ai/extract-formula', () => {
    const text = 'A相:\n去离子水 加至100\n甘油 5%\nB相:\nPhenoxyethanol 0.8%';

    it('answers lines with exactly the five fields', async () => {
      const { body } = await user.post('/api/ai/extract-formula', { text }).expect(200);
      expect(body).toEqual({
        data: [
          { inciName: 'Aqua', chineseName: '去离子水', percentage: 94.2, phase: 'A', processNotes: '' },
          { inciName: '', chineseName: '甘油', percentage: 5, phase: 'A', processNotes: '' },
          { inciName: 'Phenoxyethanol', chineseName: '', percentage: 0.8, phase: 'B', processNotes: '' },
        ],
      });
    });

    it('answers 0 for a line of which the formula needs as much as adjusts it', async () => {
      const sent = { text: '去离子水 99%\n柠檬酸(20%)调pH至6.0' };
      const { body } = await user.post('/api/ai/extract-formula', sent).expect(200);
      expect(body.data).toEqual([
        { inciName: 'Aqua', chineseName: '去离子水', percentage: 99, phase: '', processNotes: '' },
        {
          ...{ inciName: '', chineseName: '柠檬酸', percentage: 0, phase: '' },
          processNotes: '20%;调pH至6.0;适量',
        },
      ]);
    });

    it('fills a missing name from the catalogue', async () => {
      await user
        .post('/api/ingredients', {
          inciName: 'Phenoxyethanol',
          chineseName: '苯氧乙醇',
          functionCategory: 'preservative',
        })
        .expect(201);
      const { body } = await user
        .post('/api/ai/extract-formula', { text: 'PHENOXYETHANOL 0.8%\n苯氧乙醇 1%' })
        .expect(200);
      expect(body.data).toMatchObject([
        { inciName: 'PHENOXYETHANOL', chineseName: '苯氧乙醇' },
        { inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇' },
      ]);
    });

    it('fills it for a misspelt name too, and never for another ingredient', async () => {
      for (const [inciName, chineseName] of [
        ['Methylparaben', '羟苯甲酯'],
        ['Sodium Hyaluronate', '透明质酸钠'],
      ]) {
        await user.post('/api/ingredients', { inciName, chineseName, functionCategory: 'other' }).expect(201);
      }
      const { body } = await user
        .post('/api/ai/extract-formula', {
          text: 'Sodium Hyaluronat 0.1%\nEthylparaben 0.2%\n透明质酸钠 1%\n透明质酸-钠 2%\n透明质酸 3%',
        })
        .expect(200);
      expect(body.data).toMatchObject([
        { inciName: 'Sodium Hyaluronat', chineseName: '透明质酸钠' },
        { inciName: 'Ethylparaben', chineseName: '' },
        { inciName: 'Sodium Hyaluronate', chineseName: '透明质酸钠' },
        { inciName: 'Sodium Hyaluronate', chineseName: '透明质酸-钠' },
        { inciName: '', chineseName: '透明质酸' },
      ]);
    });

    it('looks all names up in one statement', async () => {
      const names = Array.from(
        { length: 150 },
        (_, at) => `Unknown Extract ${at} 0.1%\n不明成分${at}号 0.1%`,
      );
      await user
        .post('/api/ingredients', {
          inciName: 'Glycerin',
          chineseName: '甘油',
          functionCategory: 'humectant',
        })
        .expect(201);
      const ask = (text: string) => user.post('/api/ai/extract-formula', { text }).expect(200);
      const lookups = async (text: string) =>
        (await recordStatements(() => ask(text))).filter(({ name }) => name === 'names.resolve');
      expect(await lookups('Phenoxyethanl 1%\n透明质酸-钠 2%')).toHaveLength(1);
      expect(await lookups(`Glycerine 5%\n${names.join('\n')}`)).toHaveLength(1);
    });

    it('prefers the very name, then the likest, then the oldest', async () => {
      for (const [inciName, chineseName] of [
        ['Ceramides Np', '复数'],
        ['Ceramide NP', '神经酰胺'],
        ['CERAMIDE NP', '后来的'],
        ['Panthenole', '泛醇甲'],
        ['Caprylic/Capric Triglyceride', '辛酸/癸酸甘油三酯'],
      ]) {
        await user.post('/api/ingredients', { inciName, chineseName, functionCategory: 'other' }).expect(201);
      }
      const text = [
        'ceramide np 1%',
        'Ceramides NP 1%',
        'Panthenol 1%',
        'CaprylicCapric Triglyceride 2%',
        'Caprilic/Capric Triglycerides 3%',
        'Panthenyl Ethyl Ether 1%',
      ].join('\n');
      const { body } = await user.post('/api/ai/extract-formula', { text }).expect(200);
      expect((body.data as { chineseName: string }[]).map(({ chineseName }) => chineseName)).toEqual([
        '神经酰胺',
        '复数',
        '泛醇甲',
        '辛酸/癸酸甘油三酯',
        '辛酸/癸酸甘油三酯',
        '',
      ]);
    });

    it('reads 200 lines of a text and counts the others', async () => {
      const lines = (count: number) =>
        Array.from({ length: count }, (_, at) => `Extract ${at} 0.1%`).join('\n');
      const whole = await user.post('/api/ai/extract-formula', { text: lines(200) }).expect(200);
      expect(whole.body.data).toHaveLength(200);
      expect(whole.headers).not.toHaveProperty('x-unread-lines');
      const cut = await user.post('/api/ai/extract-formula', { text: lines(201) }).expect(200);
      expect(cut.body.data).toHaveLength(200);
      expect(cut.headers['x-unread-lines']).toBe('1; 201');
    });

    it('says in a header which lines of the text it could not read', async () => {
      const text = 'A相\n水 余量\nGlycerin ??%\n合计 100\n香精 0.1%\n色素';
      const json = await user.post('/api/ai/extract-formula', { text }).expect(200);
      expect(json.body.data).toHaveLength(2);
      expect(json.headers['x-unread-lines']).toBe('2; 3,6');
      expect(json.headers['x-percent-total']).toBe('100');
    });

    it('gives no example for a list of which it could read nothing', async () => {
      const { body, headers } = await user
        .post('/api/ai/extract-formula', { text: 'Aqua 500 ml\nGlycerin 3 drops' })
        .expect(200);
      expect(body).toEqual({ data: [] });
      expect([headers['x-unread-lines'], headers['x-percent-total']]).toEqual(['2; 1,2', '0']);
    });

    it('keeps what is said of an ingredient as its process notes', async () => {
      const { body } = await user
        .post('/api/ai/extract-formula', { text: '水 99.9%\n香精 0.1%（40℃加入）' })
        .expect(200);
      expect(body.data[1]).toMatchObject({ chineseName: '香精', percentage: 0.1, processNotes: '40℃加入' });
    });

    it('answers the announced example for a text without a formula', async () => {
      const { body, headers } = await user
        .post('/api/ai/extract-formula', { text: '1. 将A相加热至75℃\n2. 搅拌10分钟' })
        .expect(200);
      expect((body.data as { processNotes: string }[]).map(({ processNotes }) => processNotes)).toEqual(
        Array(3).fill('预设示例数据'),
      );
      expect(headers).not.toHaveProperty('x-unread-lines');
    });

    it('takes the oldest of several entries of a name, and the nearest of many that are like it', async () => {
      const enter = (inciName: string, chineseName: string, supplier: string) =>
        user
          .post('/api/ingredients', { inciName, chineseName, supplier, functionCategory: 'other' })
          .expect(201);
      await enter('Panthenol', '泛醇', 'first');
      await enter('Panthenol', '后来的泛醇', 'second');
      // More than are looked at of those that begin and end alike.
      for (const letter of 'bcdfghjklmn') {
        await enter(`Glyceryl Ste${letter.repeat(3)}ate`, `甘油酯 ${letter}`, 'first');
      }
      await enter('Glyceryl Stearate', '甘油硬脂酸酯', 'first');
      const { body } = await user
        .post('/api/ai/extract-formula', { text: 'Panthenol 1%\nGlyceryl Stearat 2%' })
        .expect(200);
      expect(body.data).toMatchObject([{ chineseName: '泛醇' }, { chineseName: '甘油硬脂酸酯' }]);
    });

    it('takes the very name before those that differ in signs only, however many and however old', async () => {
      // As like as the name itself, and more than are looked at.
      for (const sign of ['-', '/', ',', '.', ';', ':', '+', '*', '#', '&', '!', ' - ']) {
        await createIngredient(user, { inciName: `Isoamyl${sign}Laurate`, chineseName: `异戊${sign}酯` });
      }
      await createIngredient(user, { inciName: 'ISOAMYL LAURATE', chineseName: '月桂酸异戊酯' });
      await createIngredient(user, { inciName: 'Isoamyl Laurate', chineseName: '后来的' });
      const { body } = await user
        .post('/api/ai/extract-formula', { text: 'Isoamyl Laurate 1%\nIsoamyl_Laurate 2%' })
        .expect(200);
      // Of those that are no more than like it the oldest.
      expect(body.data).toMatchObject([{ chineseName: '月桂酸异戊酯' }, { chineseName: '异戊-酯' }]);
    });

    it.each([
      ['*/*', 'application/json; charset=utf-8'],
      ['text/html', 'application/json; charset=utf-8'],
      ['application/json, text/event-stream', 'application/json; charset=utf-8'],
      ['text/event-stream;q=0.5, application/json', 'application/json; charset=utf-8'],
      ['text/event-stream;q=0', 'application/json; charset=utf-8'],
      ['text/event-stream, */*;q=0.1', 'text/event-stream'],
    ])('answers a client who accepts %s with %s', async (accept, type) => {
      const response = await user
        .post('/api/ai/extract-formula', { text })
        .set('Accept', accept)
        .buffer(true)
        .expect(200);
      expect(response.headers['content-type']).toBe(type);
    });

    it('streams one result where the client accepts a stream', async () => {
      const response = await user
        .post('/api/ai/extract-formula', { text })
        .set('Accept', 'text/event-stream')
        .buffer(true)
        .expect(200);
      expect(response.headers['content-type']).toBe('text/event-stream');
      const messages = messagesOf(response.text);
      expect(messages).toHaveLength(1);
      expect(messages[0].type).toBe('result');
      expect(JSON.parse(messages[0].content)).toHaveLength(3);
    });

    it.each([
      [' ', 'text: 不能为空'],
      ['x'.repeat(20_001), 'text: 不能超过20000个字符'],
    ])('wants a text of some length (%#)', async (text, error) => {
      const { body } = await user.post('/api/ai/extract-formula', { text }).expect(400);
      expect(body).toEqual({ error, statusCode: 400 });
    });

    it('takes a text of 20,000 characters', () =>
      user.post('/api/ai/extract-formula', { text: 'x'.repeat(20_000) }).expect(200));
  });

  it('writes one audit row for each call, with the hash of the prompt and not the prompt', async () => {
    const before = await audits();
    await user.post('/api/ai/predict-formula', { ingredients: LINES }).expect(200);
    await user.post('/api/ai/predict-formula', { ingredients: LINES }).expect(200);
    await user.get('/api/ai/search?q=secret-phrase').expect(200);
    const rows = (await audits()).slice(before.length);
    expect(rows.map((row) => [row.capability, row.model_name, row.tokens_used])).toEqual([
      ['predict-formula', 'mock', null],
      ['predict-formula', 'mock', null],
      ['search-keywords', 'mock', null],
    ]);
    for (const row of rows) {
      expect(row).toMatchObject({ user_id: user.id, duration_ms: expect.any(Number) });
    }
    expect(rows[0]?.prompt_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(rows[1]?.prompt_hash).toBe(rows[0]?.prompt_hash);
    expect(JSON.stringify(rows)).not.toContain('secret-phrase');
  });
});
