import { type Account, bootApp, type TestApp } from '../support/app';
import { createIngredient } from '../support/factories';

let service: TestApp;
let user: Account;
const ids: Record<string, string> = {};

const extract = async (text: string) =>
  (await user.post('/api/ext/formulas/extract', { text }).expect(200)).body.data;

const CATALOGUE: readonly (readonly [inciName: string, chineseName: string])[] = [
  ['Aqua', '水'],
  ['Glycerin', '甘油'],
  ['Sodium Hydroxide', '氢氧化钠'],
  ['Citric Acid', '柠檬酸'],
  ['Sodium Laureth Sulfate', '月桂醇聚醚硫酸酯钠'],
  ['Xanthan Gum', '黄原胶'],
  ['Carbomer', '卡波姆'],
  ['Glyceryl Stearate', '甘油硬脂酸酯'],
  ['Caprylic/Capric Triglyceride', '辛酸/癸酸甘油三酯'],
  ['Phenoxyethanol', '苯氧乙醇'],
];

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  for (const [inciName, chineseName] of CATALOGUE)
    ids[inciName] = (await createIngredient(user, { inciName, chineseName })).id;
});
afterAll(() => service.close());

it('names the line that was read as the title, so that none is lost without a word', async () => {
  expect(await extract('保湿霜\n甘油 5\n水 95')).toMatchObject({ title: '保湿霜', complete: true });
  expect(await extract('甘油 五\n水 余量')).toMatchObject({ title: '甘油 五' });
  expect(await extract('水相\n甘油 5\n水 95')).toMatchObject({ title: null });
  expect(await extract('甘油 5\n水 95')).toMatchObject({ title: null });
  expect(await extract('你好')).toMatchObject({ title: null });
});

it('says of each name on a label that it has no amount, and adds no example', async () => {
  for (const text of [
    '成分：水、甘油。',
    'Ingredients: Aqua, Glycerin',
    'INCI:\nAqua\nGlycerin\nDirections: apply daily',
  ]) {
    const { unresolved, phases, complete } = await extract(text);
    expect([phases, complete]).toEqual([[], false]);
    expect(unresolved).toEqual(
      ['Aqua', 'Glycerin'].map((inciName) =>
        expect.objectContaining({
          ...{ amount: null, percentage: 0, reason: 'percentage', processNotes: '原文未给出用量' },
          candidates: [expect.objectContaining({ ingredient: expect.objectContaining({ inciName }) })],
        }),
      ),
    );
    const { body } = await user.post('/api/ai/extract-formula', { text }).expect(200);
    expect(
      body.data.map(({ inciName, percentage }: Record<string, unknown>) => [inciName, percentage]),
    ).toEqual([
      ['Aqua', 0],
      ['Glycerin', 0],
    ]);
  }
});

it('reads a number that looks like a temperature as part of a name that is known', async () => {
  const text = 'Aqua 99%\nRetinol 50C 1%';
  const { unresolved } = await extract(text);
  expect(unresolved).toMatchObject([{ name: 'Retinol 50C', percentage: 1, reason: 'unknown' }]);
  const { id } = await createIngredient(user, { inciName: 'Retinol', chineseName: '视黄醇' });
  expect((await extract(text)).unresolved).toHaveLength(1);
  await user.post(`/api/ext/ingredients/${id}/names`, { tradeNames: ['Retinol 50C'] }).expect(200);
  expect(await extract(text)).toMatchObject({ complete: true, unresolved: [] });
  expect(await extract('Aqua 99%\nRetinol 75°C 1%')).toMatchObject({
    complete: false,
    unread: [{ line: 2 }],
  });
});

it('keeps the notes behind an amount', async () => {
  const notesOf = async (text: string) => {
    const { phases } = await extract(text);
    return phases.flatMap(({ ingredients }: { ingredients: { processNotes: string | null }[] }) =>
      ingredients.map(({ processNotes }) => processNotes),
    );
  };
  expect(await notesOf('水 95\n甘油 5 (45℃以下加入)')).toEqual([null, '45℃以下加入']);
  expect(await notesOf('Aqua 95 %\nGlycerin 5 % add last')).toEqual([null, 'add last']);
  expect(await notesOf('Aqua\t95\t加热\nGlycerin\t5\t最后加入')).toEqual(['加热', '最后加入']);
});

describe('A solution in POST /api/ext/formulas/extract', () => {
  it.each([
    ['NaOH (10 %)  0.5', 'Sodium Hydroxide'],
    ['NaOH 10% 0.5', 'Sodium Hydroxide'],
    ['NaOH 10% solution 0.5%', 'Sodium Hydroxide'],
    ['NaOH(aq.) 0.5', 'Sodium Hydroxide'],
    ['10% NaOH溶液 0.5%', 'Sodium Hydroxide'],
    ['氢氧化钠溶液 0.5%', 'Sodium Hydroxide'],
    ['Citric acid (50% solution) 0.2', 'Citric Acid'],
    ['SLES (28%) 30', 'Sodium Laureth Sulfate'],
    ['SLES（70％） 30', 'Sodium Laureth Sulfate'],
    ['汉生胶(1%水溶液) 20', 'Xanthan Gum'],
    ['汉生胶 20% (1%水溶液)', 'Xanthan Gum'],
    ['Xanthan Gum (1% dispersion) 20', 'Xanthan Gum'],
    ['卡波940(2%预溶液) 10', 'Carbomer'],
    ['单甘酯(自乳化) 2', 'Glyceryl Stearate'],
    ['甘油（50%水溶液）10%', 'Glycerin'],
    ['Glycerin (nano) 10', 'Glycerin'],
    ['甘油 (nano) 10', 'Glycerin'],
    ['Glycerin (纳米) 10', 'Glycerin'],
    ['Citric Acid (sodium salt) 2', 'Citric Acid'],
    ['柠檬酸（钠盐型） 2', 'Citric Acid'],
    ['Glycerin (in oil) 2', 'Glycerin'],
  ])('%s is uncertain, with the substance as its candidate', async (text, inciName) => {
    expect(await extract(text)).toMatchObject({
      phases: [],
      lines: [{ position: 1, ingredient: null, matchedBy: null }],
      unresolved: [{ reason: 'uncertain', candidates: [{ ingredient: { id: ids[inciName] } }] }],
      complete: false,
    });
  });

  it.each([
    'Glycerin (99.5%) 5',
    '甘油（保湿剂）5',
    '甘油 (45℃以下加入) 5',
    '甘油(A相) 5',
    '甘油 (Glycerin) 5',
    '甘油 (5%)',
    '甘油(≥99%) 5',
    '甘油(食品级) 5',
    '甘油 5% 慢慢加入',
  ])('%s is none', async (text) => {
    expect(await extract(text)).toMatchObject({
      phases: [{ ingredients: [{ ingredientId: ids.Glycerin, percentage: 5 }] }],
      complete: true,
    });
  });

  it('is certain where the catalogue has it under this name', async () => {
    const { id } = await createIngredient(user, { inciName: 'SLES (28%)', chineseName: 'x' });
    expect(await extract('SLES (28%) 30')).toMatchObject({
      phases: [{ ingredients: [{ ingredientId: id, percentage: 30 }] }],
      lines: [{ name: 'SLES (28%)', amount: '30 %', ingredient: { id, inciName: 'SLES (28%)' } }],
    });
    await user.delete(`/api/ingredients/${id}`).expect(204);
  });
});

describe('An amount in POST /api/ext/formulas/extract', () => {
  const percentage = (inciName: string, amount: string | null) => ({
    ...{ reason: 'percentage', amount, percentage: 0 },
    candidates: [{ ingredient: { id: ids[inciName] } }],
  });

  it.each(['柠檬酸(20%)调pH至6.0', '柠檬酸(20%)适量', 'Citric Acid (20%) q.s. to pH 6'])(
    'is no strength: %s',
    async (text) => {
      expect(await extract(`水 99%\n${text}`)).toMatchObject({
        phases: [{ ingredients: [{ ingredientId: ids.Aqua, percentage: 99 }] }],
        unresolved: [{ position: 2, ...percentage('Citric Acid', 'q.s.') }],
        percentTotal: '99',
        complete: false,
      });
    },
  );

  it('in grams is not converted beside a line that was not read', async () => {
    expect(await extract('水 80g\n甘油 10ml')).toMatchObject({
      phases: [],
      unresolved: [percentage('Aqua', '80 g')],
      unread: [{ line: 2, text: '甘油 10ml' }],
      percentTotal: '0',
      complete: false,
    });
  });

  it('in grams is converted beside a line that is uncertain', async () => {
    expect(await extract('水 80g\n甘油 10g\n神秘提取物 10g')).toMatchObject({
      phases: [{ ingredients: [{ percentage: 80 }, { percentage: 10 }] }],
      unresolved: [{ reason: 'unknown', amount: '10 g', percentage: 10 }],
      complete: false,
    });
    expect(await extract('水 80g\n甘油 10g\nGTCC10克')).toMatchObject({
      phases: [{ ingredients: [{ percentage: 80 }, { percentage: 10 }, { percentage: 10 }] }],
      complete: true,
    });
  });

  it('that is a range is reported, and so is the remainder beside it', async () => {
    expect(await extract('甘油 5-10%')).toMatchObject({
      phases: [],
      unresolved: [{ ...percentage('Glycerin', '5-10 %'), processNotes: null }],
      complete: false,
    });
    expect((await extract('甘油 5~10%\n水 加至100')).unresolved).toMatchObject([
      percentage('Glycerin', '5-10 %'),
      percentage('Aqua', '100 %'),
    ]);
  });
});

it('tells of each line what its name has become, beside a composition that formulas take', async () => {
  const answer = await extract('水相\n水 加至100\n汉生胶 0.2%\n其他:苯氧乙醇0.8%\n神秘提取物 1%');
  const ingredient = (inciName: string) => {
    const chineseName = CATALOGUE.find(([name]) => name === inciName)![1];
    return { id: ids[inciName], inciName, chineseName, supplier: null };
  };
  expect(answer.lines).toEqual([
    { position: 1, name: '水', amount: '100 %', ingredient: ingredient('Aqua'), matchedBy: 'chinese' },
    {
      ...{ position: 2, name: '汉生胶', amount: '0.2 %' },
      ...{ ingredient: ingredient('Xanthan Gum'), matchedBy: 'everyday-name' },
    },
    {
      ...{ position: 3, name: '苯氧乙醇', amount: '0.8 %' },
      ...{ ingredient: ingredient('Phenoxyethanol'), matchedBy: 'chinese' },
    },
    { position: 4, name: '神秘提取物', amount: '1 %', ingredient: null, matchedBy: null },
  ]);
  expect(answer.phases.map(({ name }: { name: string }) => name)).toEqual(['水相', '其他']);
  const whole = await extract('水 加至100\n甘油 5%');
  const created = await user.post('/api/formulas', { name: '面霜', phases: whole.phases }).expect(201);
  expect(created.headers['x-ignored-fields']).toBeUndefined();
});

it('tells of a total that the lines do not make, and of the lines that name no ingredient', async () => {
  expect(await extract('水 450g\n甘油 40g\n搅拌至均匀\n合计 500g')).toMatchObject({
    phases: [],
    unresolved: [{ reason: 'percentage' }, { reason: 'percentage' }],
    unread: [{ line: 4, text: '合计 500g' }],
    notes: [{ line: 3, text: '搅拌至均匀' }],
    wrongTotals: [{ line: 4, stated: '500 g', sum: '490 g' }],
    complete: false,
  });
  expect(await extract('水 450g\n甘油 50g\n水相合计 500g')).toMatchObject({
    phases: [{ ingredients: [{ percentage: 90 }, { percentage: 10 }] }],
    notes: [{ line: 3, text: '水相合计 500g' }],
    wrongTotals: [],
    complete: true,
  });
});

describe('A volume in a text', () => {
  const setDensity = (inciName: string, density: number | null) =>
    user
      .put(`/api/ext/ingredients/${ids[inciName]}/card`, { suppliers: [], documents: [], density })
      .expect(200);
  const sharesOf = ({ phases }: { phases: { ingredients: { percentage: number }[] }[] }) =>
    phases.flatMap(({ ingredients }) => ingredients.map(({ percentage }) => percentage));
  const TEXT = '水 1000 mL\n甘油 500 mL\n黄原胶 370 g';

  beforeAll(async () => {
    await setDensity('Aqua', 1);
    await setDensity('Glycerin', 1.26);
  });

  it('becomes a mass by the density on the card, and the answer says how', async () => {
    expect(await extract(TEXT)).toMatchObject({
      complete: true,
      percentTotal: '100',
      unread: [],
      volumes: [
        { line: 1, text: '1000 mL × 1 kg/L = 1000 g' },
        { line: 2, text: '500 mL × 1.26 kg/L = 630 g' },
      ],
    });
    expect(sharesOf(await extract(TEXT))).toEqual([50, 31.5, 18.5]);
    expect(sharesOf(await extract('水 0.37升，甘油 0.5 L'))).toEqual([37, 63]);
    expect(sharesOf(await extract('水 998,866 g\n甘油 0.9 mL'))).toEqual([99.9999, 0.0001]);
    expect(sharesOf(await extract('水 2,5 mL\n甘油 0,5 mL\n黄原胶 0,62 g'))).toEqual([
      66.6667, 16.8, 16.5333,
    ]);
  });

  it.each([
    ['the card has no density', 'Glycerin 500 mL\nAqua 1 L\nCarbomer 5 mL', [3], 3],
    ['the name is not certain', '甘油 500 mL\n某某 5 mL', [2], 1],
  ])('stays unread where %s', async (_, text, lines, noted) => {
    const { unread, volumes, complete, phases } = await extract(text);
    expect([complete, phases]).toEqual([false, []]);
    expect(unread.map(({ line }: { line: number }) => line)).toEqual(lines);
    expect(volumes).toHaveLength(noted);
    if (noted === 3) expect(volumes[2]).toEqual({ line: 3, text: expect.stringContaining('没有密度') });
  });

  it.each([
    ['2 L Aqua\n500 mL Glycerin', [76.0456, 23.9544]],
    ['1. 500 mL Glycerin\n2. 2 L Aqua', [23.9544, 76.0456]],
    ['500 mL of Glycerin and 2 L of Aqua', [23.9544, 76.0456]],
  ])('counts in %j, where it stands first', async (text, shares) => {
    const answer = await extract(text);
    expect([answer.complete, sharesOf(answer)]).toEqual([true, shares]);
  });

  it.each([
    ['水 1,250 g\n甘油 2,5 mL', [2]],
    ['水 1,000 kg\n甘油 0,5 L', [2]],
    ['Aqua 95 g\nGlycerin 5 mL per L', [2]],
    ['甘油 40 g\n水 1 L q.s.', [2]],
    ['Glycerin 40 g\nAqua 1 L (balance)', [2]],
  ])('of %j changes no other line, and is unread where it would', async (text, lines) => {
    const { unread, complete, volumes } = await extract(text);
    expect([complete, volumes]).toEqual([false, []]);
    expect(unread.map(({ line }: { line: number }) => line)).toEqual(lines);
  });

  it('is left as it is in steps, ranges, beside a mass, and in the answer of the contract', async () => {
    for (const text of [
      '甘油 5 g\n水 95 g\n加入 500 mL 烧杯中搅拌均匀',
      '甘油 5-10 mL\n水 95 g',
      '甘油 630 g (500 mL)\n水 1000 g',
      '甘油 5 g/100 mL\n水 95 g',
      '甘油 5 g\n水 加至 500 mL',
      'Glycerin 5 g\nAqua to 500 mL',
      'Glycerin 12,5 g\nAqua 1.250 mL',
      '水余量至1000 mL\n黄原胶 5 g',
      'Aqua to 1000 mL\n黄原胶 5 g',
      '甘油 96% 500 mL\n黄原胶 5 g',
    ]) {
      expect((await extract(text)).volumes).toEqual([]);
    }
    const { headers } = await user.post('/api/ai/extract-formula', { text: TEXT }).expect(200);
    expect(headers['x-unread-lines']).toBe('2; 1,2');
  });
});
