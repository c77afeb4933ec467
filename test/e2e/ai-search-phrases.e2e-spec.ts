import { DataSource } from 'typeorm';
import { Clock } from '../../src/platform/common/clock';
import { type AiApp, bootAiApp } from '../support/ai-app';
import { type Account, bootApp, type TestApp } from '../support/app';
import { answers } from '../support/fake-providers';
import { countStatements, recordStatements } from '../support/statements';

const INGREDIENTS: Record<string, [chineseName: string, functionCategory: string]> = {
  Aqua: ['水', 'other'],
  Glycerin: ['甘油', 'humectant'],
  Niacinamide: ['烟酰胺', 'other'],
  Alcohol: ['乙醇', 'other'],
  'Cetearyl Alcohol': ['鲸蜡硬脂醇', 'emollient'],
  Parfum: ['香精', 'fragrance'],
  Phenoxyethanol: ['苯氧乙醇', 'preservative'],
  Methylparaben: ['羟苯甲酯', 'preservative'],
  'Benzophenone-3': ['二苯酮-3', 'sunscreen'],
  'Zinc Oxide': ['氧化锌', 'sunscreen'],
  'Sodium Hyaluronate': ['透明质酸钠', 'humectant'],
  Retinol: ['视黄醇', 'other'],
  'Salicylic Acid': ['水杨酸', 'other'],
  'PEG-40 Hydrogenated Castor Oil': ['PEG-40 氢化蓖麻油', 'surfactant'],
  'Cocamidopropyl Betaine': ['椰油酰胺丙基甜菜碱', 'surfactant'],
  'Glycolic Acid': ['羟基乙酸', 'other'],
  'Glyceryl Stearate': ['甘油硬脂酸酯', 'emulsifier'],
  'Sapindus Mukorossi Fruit Extract': ['无患子果提取物', 'surfactant'],
};
const FORMULAS: Record<string, Record<string, number>> = {
  烟酰胺美白精华: { Niacinamide: 5, Glycerin: 3, Phenoxyethanol: 0.5 },
  美白面霜: { 'Cetearyl Alcohol': 3, Parfum: 0.2, Methylparaben: 0.2, Glycerin: 6 },
  保湿精华: { 'Sodium Hyaluronate': 0.5, Glycerin: 8, Phenoxyethanol: 0.5, Niacinamide: 1 },
  清爽爽肤水: { Alcohol: 10, Glycerin: 2, Phenoxyethanol: 0.4 },
  舒缓爽肤水: { Glycerin: 4, 'Cetearyl Alcohol': 1, Phenoxyethanol: 0.4 },
  'Daily Sunscreen': { 'Zinc Oxide': 10, Phenoxyethanol: 0.5 },
  'Sport Sunscreen': { 'Benzophenone-3': 3, Parfum: 0.3, Methylparaben: 0.2 },
  'Gentle Cream': { 'Cetearyl Alcohol': 4, Glycerin: 4.5, Phenoxyethanol: 0.5 },
  'Rich Cream': { 'Glyceryl Stearate': 5, Parfum: 0.3, Glycerin: 6, Methylparaben: 0.2 },
  'Night Serum': { Retinol: 0.3, Methylparaben: 0.2 },
  'Light Serum': { Retinol: 0.05 },
  'AHA Toner': { 'Glycolic Acid': 5, Phenoxyethanol: 0.5 },
  'Bahama Toner': { Alcohol: 5, Parfum: 0.1, Phenoxyethanol: 0.3 },
  舒缓面霜: { 'Cetearyl Alcohol': 3, Glycerin: 3, 'Sodium Hyaluronate': 0.1, Phenoxyethanol: 0.5 },
  'Foam Cleanser': { 'PEG-40 Hydrogenated Castor Oil': 2, 'Cocamidopropyl Betaine': 10, Phenoxyethanol: 0.5 },
  'Mild Cleanser': { 'Cocamidopropyl Betaine': 12, Phenoxyethanol: 0.5 },
  祛痘凝胶: { 'Salicylic Acid': 2, Phenoxyethanol: 0.5 },
  焕肤凝胶: { 'Salicylic Acid': 4, Phenoxyethanol: 0.5 },
  防晒霜: { 'Zinc Oxide': 15, Phenoxyethanol: 0.5 },
  'SPF30 Lotion': { 'Zinc Oxide': 8, Methylparaben: 0.2 },
  'Body Lotion': { Glycerin: 1, Methylparaben: 0.2 },
  无患子洗发水: { 'Sapindus Mukorossi Fruit Extract': 5, Methylparaben: 0.2 },
};
/** Formulas by the day, of the year 2026, on which they were changed; the others were in September. */
const CHANGED: Record<string, string> = {
  祛痘凝胶: '11-17',
  焕肤凝胶: '11-22',
  'Rich Cream': '11-15',
  防晒霜: '10-31',
  'Night Serum': '11-26',
};
const PHRASES: [phrase: string, found: string[], keywords: string[]][] = [
  ['含烟酰胺的美白精华', ['烟酰胺美白精华'], ['烟酰胺', '美白', '精华']],
  ['不含酒精的爽肤水', ['舒缓爽肤水', 'AHA Toner'], ['爽肤水']],
  ['sunscreen without oxybenzone', ['Daily Sunscreen', '防晒霜', 'SPF30 Lotion'], ['sunscreen']],
  ['fragrance free cream', ['Gentle Cream', '舒缓面霜', '防晒霜'], ['cream']],
  [
    'glycerin under 5%',
    ['烟酰胺美白精华', '清爽爽肤水', '舒缓爽肤水', 'Gentle Cream', '舒缓面霜', 'Body Lotion'],
    ['glycerin'],
  ],
  ['烟酰胺大于2%的精华', ['烟酰胺美白精华'], ['烟酰胺', '精华']],
  ['上周修改的配方', ['祛痘凝胶', '焕肤凝胶'], []],
  ['preservative free serum', ['Light Serum'], ['serum']],
  ['无香精面霜', ['舒缓面霜', 'Gentle Cream'], ['面霜']],
  ['含甘油和透明质酸', ['保湿精华', '舒缓面霜'], ['甘油', '透明质酸']],
  ['AHA toner', ['AHA Toner'], ['aha', 'toner']],
  [
    'no parabens',
    [
      '烟酰胺美白精华',
      '保湿精华',
      '清爽爽肤水',
      '舒缓爽肤水',
      'Daily Sunscreen',
      'Gentle Cream',
      'Light Serum',
      'AHA Toner',
      'Bahama Toner',
      '舒缓面霜',
      'Foam Cleanser',
      'Mild Cleanser',
      '祛痘凝胶',
      '焕肤凝胶',
      '防晒霜',
    ],
    [],
  ],
  ['retinol at least 0.1%', ['Night Serum'], ['retinol']],
  ['formulas changed this month', ['祛痘凝胶', '焕肤凝胶', 'Rich Cream', 'Night Serum'], []],
  ['防晒霜', ['防晒霜'], ['防晒', '霜']],
  ['SPF lotion', ['SPF30 Lotion'], ['spf', 'lotion']],
  ['水杨酸不超过2%', ['祛痘凝胶'], ['水杨酸']],
  ['PEG-free cleanser', ['Mild Cleanser'], ['cleanser']],
  ['alcohol-free toner', ['舒缓爽肤水', 'AHA Toner'], ['toner']],
  ['无患子洗发水', ['无患子洗发水'], ['洗发水', '无患子']],
  ['cream with glycerin and no fragrance', ['Gentle Cream', '舒缓面霜'], ['glycerin', 'cream']],
  ['含防腐剂的精华', ['烟酰胺美白精华', '保湿精华', 'Night Serum'], ['防腐剂', '精华']],
  ['cream with neither fragrance nor parabens', ['Gentle Cream', '舒缓面霜', '防晒霜'], ['cream']],
  ["cream that doesn't contain fragrance", ['Gentle Cream', '舒缓面霜', '防晒霜'], ['cream']],
  ['cream with no synthetic fragrance', ['Gentle Cream', '舒缓面霜', '防晒霜'], ['cream']],
  ['cream, fragrance and parabens excluded', ['Gentle Cream', '舒缓面霜', '防晒霜'], ['cream']],
  ['既无香精又无尼泊金的面霜', ['舒缓面霜', 'Gentle Cream'], ['面霜']],
  ['不得含香精的面霜', ['舒缓面霜', 'Gentle Cream'], ['面霜']],
  ['含甘油但不带任何香精的面霜', ['舒缓面霜', 'Gentle Cream'], ['甘油', '面霜']],
  ['不含香精、不含尼泊金的面霜', ['舒缓面霜', 'Gentle Cream'], ['面霜']],
  ['5% niacinamide serum', ['烟酰胺美白精华'], ['niacinamide', 'serum']],
  ['甘油低于3%', ['清爽爽肤水', 'Body Lotion'], ['甘油']],
  ['水杨酸 1%-3%', ['祛痘凝胶'], ['水杨酸']],
  ['2026-10 修改的', ['防晒霜'], []],
  ['昨天更新的精华', ['Night Serum'], ['精华']],
  ['paraben and fragrance free cream', ['Gentle Cream', '舒缓面霜', '防晒霜'], ['cream']],
  ['ｎｉａｃｉｎａｍｉｄｅ ＞ ２％', ['烟酰胺美白精华'], ['niacinamide']],
  ['不含甘油的精华', ['Night Serum', 'Light Serum'], ['精华']],
  ['toner without ethanol', ['舒缓爽肤水', 'AHA Toner'], ['toner']],
  ['透明质酸精华', ['保湿精华'], ['透明质酸', '精华']],
  ['保湿精华', ['保湿精华'], ['保湿精华']],
  [
    'glycerin',
    [
      '烟酰胺美白精华',
      '美白面霜',
      '保湿精华',
      '清爽爽肤水',
      '舒缓爽肤水',
      'Gentle Cream',
      'Rich Cream',
      '舒缓面霜',
      'Body Lotion',
    ],
    ['glycerin'],
  ],
];

const NOW = new Date(2026, 10, 27, 15);

/** A laboratory of these ingredients and formulas, each filled up with water. */
async function fill(user: Account, database: DataSource): Promise<void> {
  const ids = new Map<string, string>();
  for (const [inciName, [chineseName, functionCategory]] of Object.entries(INGREDIENTS)) {
    const { body } = await user
      .post('/api/ingredients', { inciName, chineseName, functionCategory })
      .expect(201);
    ids.set(inciName, body.data.id);
  }
  for (const [name, shares] of Object.entries(FORMULAS)) {
    const water = 100 - Object.values(shares).reduce((sum, share) => sum + share, 0);
    const ingredients = Object.entries({ ...shares, Aqua: Number(water.toFixed(4)) }).map(
      ([inciName, percentage]) => ({ ingredientId: ids.get(inciName), percentage }),
    );
    await user
      .post('/api/formulas', { name, phases: [{ name: 'A', sortOrder: 1, ingredients }] })
      .expect(201);
    const [month, day] = (CHANGED[name] ?? '09-15').split('-').map(Number);
    await database.query('UPDATE formulas SET created_at = $2, updated_at = $3 WHERE name = $1', [
      name,
      new Date(2026, 0, 1),
      new Date(2026, month! - 1, day, 12),
    ]);
  }
}

const searchOf = (user: Account) => async (phrase: string) => {
  const { body } = await user.get(`/api/ai/search?q=${encodeURIComponent(phrase)}`).expect(200);
  const { data, keywords } = body as { data: { name: string }[]; keywords: string[] };
  return { names: data.map(({ name }) => name).sort(), keywords };
};

describe('A phrase without a model', () => {
  let app: TestApp;
  let user: Account;
  let search: ReturnType<typeof searchOf>;

  beforeAll(async () => {
    class FixedClock extends Clock {
      override now = () => NOW.getTime();
    }
    app = await bootApp({ adjust: (builder) => builder.overrideProvider(Clock).useClass(FixedClock) });
    user = await app.register();
    search = searchOf(user);
    await fill(user, app.app.get(DataSource));
  });
  afterAll(() => app.close());

  it.each(PHRASES)('%s', async (phrase, found, keywords) => {
    expect(await search(phrase)).toEqual({ names: [...found].sort(), keywords });
  });

  it('asks as much of the database, however long it is', async () => {
    const one = await countStatements(() => search('不含酒精的精华'));
    const long = '含甘油、烟酰胺、视黄醇、水杨酸和香精,不含酒精、尼泊金和硅油的精华 serum cream 5% 甘油';
    expect(await countStatements(() => search(long))).toBeLessThanOrEqual(one);
  });

  it('asks for what it repeats once', async () => {
    const terms = async (phrase: string) => {
      const asked = await recordStatements(() => search(phrase));
      const { values } = asked.find(({ name }) => name === 'ai-search.ingredients')!;
      return JSON.parse(values[0] as string) as object[];
    };
    expect(await terms('不含酸'.repeat(33))).toEqual(await terms('不含酸'));
    expect(await terms('glycerin under 5% '.repeat(9))).toEqual(await terms('glycerin under 5%'));
  });

  it('says how many of the names that it rules out stand for nothing', async () => {
    const notes = async (phrase: string) =>
      (await user.get(`/api/ai/search?q=${encodeURIComponent(phrase)}`).expect(200)).headers['x-ai-notes'];
    expect(await notes('cream without parfun and unobtainium')).toBe('excluded-unknown=2');
    expect(await notes('cream without parfum')).toBeUndefined();
    expect(await notes('不含酒精、不含尼泊金、不含某某素的面霜')).toBe('excluded-unknown=1');
  });

  it('knows a name however the catalogue writes it', async () => {
    const { body } = await user
      .post('/api/ingredients', {
        inciName: 'Ｓqua\u00adlane–Oil  (Cosm.)',
        chineseName: '角 鲨烷',
        functionCategory: 'emollient',
      })
      .expect(201);
    const ingredients = [{ ingredientId: body.data.id, percentage: 100 }];
    await user
      .post('/api/formulas', { name: 'Odd Balm', phases: [{ name: 'A', sortOrder: 1, ingredients }] })
      .expect(201);
    for (const phrase of ['with squalane oil cosm', '含角鲨烷'])
      expect((await search(phrase)).names).toEqual(['Odd Balm']);
    expect((await search('balm without squalane-oil (cosm)')).names).toEqual([]);
  });

  it('is searched for as it is where it is a text', async () => {
    const text = '不含酒精的爽肤水'.repeat(20);
    expect((await search(text)).keywords).toEqual([text.slice(0, 100)]);
  });
});

describe('A phrase with a model', () => {
  let ai: AiApp;
  let search: ReturnType<typeof searchOf>;

  beforeAll(async () => {
    ai = await bootAiApp('alpha');
    search = searchOf(ai.user);
    await fill(ai.user, ai.app.app.get(DataSource));
  });
  afterAll(() => ai.close());

  it('lists nothing that the phrase rules out, whatever the model has made of it', async () => {
    ai.fake.otherwise = answers({ keywords: ['toner', '爽肤水'], filters: null });
    expect(await search('alcohol-free toner')).toEqual({
      names: ['AHA Toner', '舒缓爽肤水'],
      keywords: ['toner', '爽肤水'],
    });
  });

  it('rules out under every name what the model rules out under one', async () => {
    ai.fake.otherwise = answers({ keywords: ['爽肤水'], filters: { avoids: ['酒精'] } });
    expect((await search('爽肤水, 敏感肌')).names).toEqual(['舒缓爽肤水']);
  });

  it('keeps the bounds of the phrase', async () => {
    ai.fake.otherwise = answers({ keywords: [], filters: { contains: ['水杨酸'] } });
    expect((await search('水杨酸最多 3%')).names).toEqual(['祛痘凝胶']);
  });
});
