import { setTimeout } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  AccessPolicy,
  AppModule,
  CUSTOM_ACCESS_POLICY,
  type CurrentUser,
  type DomainEvent,
  EVENT_HANDLER,
  type ReadableRecords,
} from '../../src';
import { expectError, FORBIDDEN, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, phasesOf, wholeOf } from '../support/factories';
import { countStatements } from '../support/statements';

/** Raw materials of the supplier `only NAME` are seen by the user of that name alone. */
@Injectable()
class SuppliersPolicy extends AccessPolicy {
  static readonly readers = new Set<string>();
  canChange = () => true;
  canConfigure = () => true;
  override canChangeIngredient = (user: CurrentUser) => !SuppliersPolicy.readers.has(user.username);

  override readable(): ReadableRecords {
    return {
      types: ['text'],
      values: (user) => [user.username],
      conditions: {
        ingredient: (row, [name]) =>
          `(${row}.supplier IS NULL OR ${row}.supplier NOT LIKE 'only %' OR ${row}.supplier = 'only ' || ${name})`,
      },
    };
  }
}

const events: DomainEvent[] = [];
let onEvent: (event: DomainEvent) => void | Promise<void> = () => {};
const recorder = {
  name: 'recorder',
  events: ['ingredient.updated', 'ingredient.merged', 'ingredient.deleted'] as const,
  inTransaction: (event: DomainEvent) => {
    events.push(event);
    return onEvent(event);
  },
};

@Module({
  providers: [
    { provide: CUSTOM_ACCESS_POLICY, useClass: SuppliersPolicy },
    { provide: EVENT_HANDLER, useValue: recorder },
  ],
})
class PolicyModule {}

const NONE = { casNumbers: [], ecNumbers: [], synonyms: [], tradeNames: [] };
const GLYCERIN_NAMES = {
  casNumbers: ['56-81-5'],
  ecNumbers: ['200-289-5'],
  synonyms: ['丙三醇', 'Propane-1,2,3-triol'],
  tradeNames: ['Pricerine™ 9091'],
};

let service: TestApp;
let database: DataSource;
let user: Account;
let reader: Account;
let admin: Account;
let number = 0;

const CHANGED = '成分已被修改,请重新获取后再提交';
const path = ({ id }: { id: string }) => `/api/ext/ingredients/${id}/names`;
const put = (ingredient: { id: string }, names: object, account = user) =>
  account.put(path(ingredient), { ...NONE, ...names });
const newIngredient = (overrides: object = {}) =>
  createIngredient(user, { inciName: `Raw material ${++number}`, ...overrides });

interface Resolved {
  name: string;
  certain: boolean;
  grade: string | null;
  inciNames: string[];
  candidates: { ingredient: { id: string; inciName: string }; matchedBy: string }[];
}
async function resolve(...names: string[]): Promise<Resolved[]> {
  return (await user.post('/api/ext/ingredients/resolve', { names }).expect(200)).body.data;
}
const resolveOne = async (name: string): Promise<Resolved> => (await resolve(name))[0]!;

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [PolicyModule] })] } });
  database = service.app.get(DataSource);
  [user, reader, admin] = [await service.register(), await service.register(), await service.register()];
  await database.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [admin.id]);
  SuppliersPolicy.readers.add(reader.username);
});
beforeEach(() => {
  events.length = 0;
  onEvent = () => {};
});
afterEach(async () => {
  await database.query('DELETE FROM formulas');
  await database.query('DELETE FROM ingredients');
});
afterAll(() => service.close());

describe('The other names of an ingredient', () => {
  it('are none, then those that were put, in their order', async () => {
    const { id } = await newIngredient();
    expect((await user.get(path({ id })).expect(200)).body.data).toEqual({ ingredientId: id, ...NONE });
    const { body } = await put({ id }, GLYCERIN_NAMES).expect(200);
    expect(body).toEqual({ data: { ingredientId: id, ...GLYCERIN_NAMES } });
    const synonyms = ['丙三醇', 'Glycerol'];
    expect((await put({ id }, { synonyms }).expect(200)).body.data).toEqual({
      ingredientId: id,
      ...NONE,
      synonyms,
    });
    expect(events).toEqual([
      expect.objectContaining({ recordId: id, data: { changed: ['names'] } }),
      expect.objectContaining({ recordId: id, data: { changed: ['names'] } }),
    ]);
  });

  it('are all required, so that a request replaces nothing unnamed', async () => {
    const { id } = await newIngredient();
    const missing = 'ecNumbers: 不能为空; synonyms: 不能为空; tradeNames: 不能为空';
    expectError(await user.put(path({ id }), { casNumbers: [] }), 400, missing);
  });

  it.each([
    [{ casNumbers: ['56-81-4'] }, 'casNumbers.0: 56-81-4 的校验位有误,应为5'],
    [{ ecNumbers: ['200-289-5', '200-289'] }, 'ecNumbers.1: 不是有效的 EC 号,格式如 200-289-5'],
    [{ synonyms: ['甘油', '丙三醇', 'ＡB', 'a-b'] }, 'synonyms.3: 第4项与第3项重复'],
    [{ tradeNames: ['(+)'] }, 'tradeNames.0: 第1项必须包含字母或数字'],
  ])('%j are refused', async (names, message) => {
    const ingredient = await newIngredient();
    await put(ingredient, GLYCERIN_NAMES).expect(200);
    expectError(await put(ingredient, names), 400, message);
    expect((await user.get(path(ingredient))).body.data).toMatchObject(GLYCERIN_NAMES);
  });

  it('can have names whose key would be much longer than they are', async () => {
    const ingredient = await newIngredient();
    await put(ingredient, { synonyms: ['\ufdfa'.repeat(200), '𠀀'.repeat(200)] }).expect(200);
  });

  it('are replaced only in the state that If-Match names', async () => {
    const { id } = await newIngredient();
    const none = (await user.get(path({ id })).expect(200)).headers.etag!;
    const replaced = await put({ id }, GLYCERIN_NAMES).set('If-Match', none).expect(200);
    expect((await user.get(path({ id }))).headers.etag).toBe(replaced.headers.etag);
    expect(replaced.headers.etag).not.toBe(none);
    expectError(await put({ id }, NONE).set('If-Match', none), 412, CHANGED);
    expect((await user.get(path({ id }))).body.data).toMatchObject(GLYCERIN_NAMES);
    const synonyms = [['A'], ['B'], ['C']];
    const answers = await Promise.all(
      synonyms.map((one) => put({ id }, { synonyms: one }).set('If-Match', replaced.headers.etag!)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412]);
  });

  it('take one more, as often as it is sent', async () => {
    const { id } = await newIngredient();
    await put({ id }, GLYCERIN_NAMES).expect(200);
    const add = (names: object, account = user) => account.post(path({ id }), names);
    const { body, headers } = await add({ tradeNames: ['甘油一号'] }).expect(200);
    const tradeNames = [...GLYCERIN_NAMES.tradeNames, '甘油一号'];
    expect(body).toEqual({ data: { ingredientId: id, ...GLYCERIN_NAMES, tradeNames } });
    expect((await add({ tradeNames: ['甘油 一号'] }).expect(200)).body).toEqual(body);
    expect((await add({ casNumbers: ['000056-81-5'] }).expect(200)).body).toEqual(body);
    expect(await resolveOne('甘油一号')).toMatchObject({ certain: true });
    expect(events).toContainEqual(expect.objectContaining({ recordId: id, data: { changed: ['names'] } }));
    const found = async (search: string) =>
      (await user.get(`/api/ext/ingredients?search=${encodeURIComponent(search)}`).expect(200)).body.data;
    for (const search of ['甘油一', 'pricerine 9091', '9091'])
      expect(await found(search)).toMatchObject([{ id }]);
    for (const search of ['%%', '(+)', 'Pricerine 9092']) expect(await found(search)).toEqual([]);
    await add({ synonyms: ['B'] })
      .set('If-Match', headers.etag!)
      .expect(200);
    expectError(await add({ synonyms: ['C'] }).set('If-Match', headers.etag!), 412, CHANGED);
    expectError(await add({ casNumbers: ['56-81-4'] }), 400, 'casNumbers.0: 56-81-4 的校验位有误,应为5');
    for (const nothing of [{}, { synonyms: [] }, { synonym: ['x'] }])
      expectError(await add(nothing), 400, '至少需要一个名称');
    expectError(await add({ synonyms: null }), 400, 'synonyms: 不能为空');
    const many = Array.from({ length: 48 }, (_, index) => `Name ${index}`);
    expectError(await add({ synonyms: many }), 400, 'synonyms: 不能超过50项');
    await add({ synonyms: many.slice(1) }).expect(200);
    expectError(await add({ synonyms: ['x'] }, reader), 403, FORBIDDEN);
    expectError(await user.post(path({ id: NOWHERE }), { synonyms: ['x'] }), 404, '成分不存在');
  });

  it('are hidden with the ingredient, and changed by who may change it', async () => {
    const hidden = await newIngredient({ supplier: 'only nobody' });
    for (const id of [NOWHERE, hidden.id, 'x']) {
      expectError(await user.get(path({ id })), 404, '成分不存在');
      expectError(await put({ id }, NONE), 404, '成分不存在');
    }
    expectError(await put(await newIngredient(), NONE, reader), 403, FORBIDDEN);
  });

  it('go with the ingredient', async () => {
    const ingredient = await newIngredient();
    await put(ingredient, GLYCERIN_NAMES).expect(200);
    await user.delete(`/api/ingredients/${ingredient.id}`).expect(204);
    expect(await database.query('SELECT FROM ingredient_names')).toEqual([]);
  });
});

describe('POST /api/ext/ingredients/resolve', () => {
  it('answers in the order of the names, with how each was found', async () => {
    const glycerin = await newIngredient({ inciName: 'Glycerin', chineseName: '甘油' });
    await put(glycerin, GLYCERIN_NAMES).expect(200);
    const names = ['GLYCERIN', '甘油', '56-81-5', '200-289-5', '丙三醇', 'pricerine 9091', 'Glycerol'];
    const found = await resolve(...names, 'nothing of the kind');
    expect(found.map(({ name, certain, candidates }) => [name, certain, candidates[0]?.matchedBy])).toEqual([
      ['GLYCERIN', true, 'inci'],
      ['甘油', true, 'chinese'],
      ['56-81-5', true, 'cas'],
      ['200-289-5', true, 'ec'],
      ['丙三醇', true, 'synonym'],
      ['pricerine 9091', true, 'trade-name'],
      ['Glycerol', true, 'everyday-name'],
      ['nothing of the kind', false, undefined],
    ]);
    const { id, inciName, chineseName, supplier } = glycerin;
    expect(found[0]).toEqual({
      name: 'GLYCERIN',
      certain: true,
      grade: null,
      inciNames: [],
      candidates: [{ ingredient: { id, inciName, chineseName, supplier }, matchedBy: 'inci' }],
    });
  });

  it.each([
    ' sodium  hyaluronate ',
    'ＳＯＤＩＵＭ ＨＹＡＬＵＲＯＮＡＴＥ',
    'Sodium-Hyaluronate',
    'Sodium (Hyaluronate)',
    'Sodium\u2011Hya\u200bluronate',
    '透明質酸鈉',
    '透明质酸钠（98%）',
  ])('%s is the name but for what does not matter', async (name) => {
    await newIngredient({ inciName: 'Sodium Hyaluronate', chineseName: '透明质酸钠' });
    expect(await resolveOne(name)).toMatchObject({ certain: true });
  });

  it('finds names in traditional characters, written in them', async () => {
    await newIngredient({ inciName: 'X', chineseName: '維生素原料' });
    expect(await resolveOne('維生素(原料)')).toMatchObject({ certain: true });
  });

  it('is certain of none of several, whether of one name or of different names', async () => {
    await newIngredient({ inciName: 'Glycerin', chineseName: '甘油', supplier: 'A' });
    await newIngredient({ inciName: 'Glycerin', chineseName: '甘油', supplier: 'B' });
    expect(await resolveOne('甘油')).toMatchObject({
      certain: false,
      candidates: [{ ingredient: { supplier: 'A' } }, { ingredient: { supplier: 'B' } }],
    });
    const other = await newIngredient();
    await put(other, { synonyms: ['Raw material 1x'] }).expect(200);
    await newIngredient({ inciName: 'Raw material 1x' });
    expect(await resolveOne('Raw material 1X')).toMatchObject({
      certain: false,
      candidates: [{ matchedBy: 'inci' }, { matchedBy: 'synonym' }],
    });
  });

  it('is certain of the supplier to whose material the laboratory has given the name', async () => {
    const named = { inciName: 'Glycerin', chineseName: '甘油' };
    await newIngredient({ ...named, supplier: 'A' });
    const chosen = await newIngredient({ ...named, supplier: 'B' });
    await put(chosen, { synonyms: ['甘油'] }).expect(200);
    for (const name of ['甘油', '甘油(99%)', '甘油 (56-81-5)']) {
      expect(await resolveOne(name)).toMatchObject({
        certain: true,
        candidates: expect.arrayContaining([
          expect.objectContaining({
            ingredient: expect.objectContaining({ id: chosen.id }),
            matchedBy: 'synonym',
          }),
        ]),
      });
      expect((await resolveOne(name)).candidates[0]!.ingredient.id).toBe(chosen.id);
    }
    expect((await resolveOne('甘油')).candidates).toHaveLength(2);
    expect(await resolveOne('Glycerin')).toMatchObject({ certain: false });
    await put(await newIngredient({ ...named, supplier: 'C' }), { tradeNames: ['甘油'] }).expect(200);
    expect(await resolveOne('甘油')).toMatchObject({ certain: false });
  });

  it('is certain of what the laboratory has said, where two ingredients share a name or are one substance', async () => {
    const aqua = await newIngredient({ inciName: 'Aqua', chineseName: '水' });
    await newIngredient({ inciName: 'Water', chineseName: '水' });
    const names = ['水', '纯水', 'Water (Aqua)', 'Eau'];
    for (const name of names) expect(await resolveOne(name)).toMatchObject({ certain: false });
    await put(aqua, { synonyms: ['水'] }).expect(200);
    for (const name of names)
      expect(await resolveOne(name)).toMatchObject({
        certain: true,
        candidates: expect.arrayContaining([
          expect.objectContaining({ ingredient: expect.objectContaining({ id: aqua.id }) }),
        ]),
      });
    const wax = await newIngredient({ inciName: 'Microcrystalline Wax', chineseName: '微晶蜡' });
    await newIngredient({ inciName: 'Cera Microcristallina', chineseName: '微晶蜡' });
    expect(await resolveOne('微晶蜡')).toMatchObject({ certain: false });
    await put(wax, { tradeNames: ['微晶蜡'] }).expect(200);
    expect(await resolveOne('微晶蜡')).toMatchObject({
      certain: true,
      candidates: [{ ingredient: { id: wax.id } }, {}],
    });
  });

  it('is certain of no macrogol, which may be numbered by mass, until the laboratory has said it', async () => {
    const units = await newIngredient({ inciName: 'PEG-8', chineseName: '聚乙二醇-8' });
    await newIngredient({ inciName: 'PEG-400', chineseName: '聚乙二醇-400' });
    for (const name of ['PEG-400', '聚乙二醇400', 'Macrogol 400', 'PEG 400 USP'])
      expect(await resolveOne(name)).toMatchObject({
        certain: false,
        inciNames: ['PEG-8', 'PEG-400'],
        candidates: [{ ingredient: { id: units.id } }, { ingredient: { inciName: 'PEG-400' } }],
      });
    expect(await resolveOne('PEG-8')).toMatchObject({ certain: true });
    await put(units, { synonyms: ['PEG-400'] }).expect(200);
    expect(await resolveOne('PEG-400')).toMatchObject({
      certain: true,
      candidates: [{ ingredient: { id: units.id } }, {}],
    });
  });

  describe('of the names on labels', () => {
    const LABELS: readonly (readonly [string, string])[] = [
      ['Aqua', '水'],
      ['Glycerin', '甘油'],
      ['Paraffinum Liquidum', '矿油'],
      ['Butyrospermum Parkii Butter', '牛油果树果脂'],
      ['Simmondsia Chinensis Seed Oil', '霍霍巴籽油'],
      ['Tocopherol', 'E'],
      ['Tocopheryl Acetate', 'EA'],
      ['Ascorbic Acid', 'C'],
      ['Petrolatum', '凡士林'],
    ];
    beforeEach(async () => {
      for (const [inciName, chineseName] of LABELS) {
        const ingredient = await newIngredient({ inciName, chineseName });
        if (inciName === 'Glycerin') await put(ingredient, GLYCERIN_NAMES).expect(200);
      }
    });

    it('is certain where their parts mean one ingredient', async () => {
      const expected = {
        'Aqua (Water)': 'Aqua',
        'Water (Aqua)': 'Aqua',
        'WATER/AQUA/EAU': 'Aqua',
        DI水: 'Aqua',
        RO水: 'Aqua',
        'deionised water': 'Aqua',
        'Mineral Oil': 'Paraffinum Liquidum',
        '26#白油': 'Paraffinum Liquidum',
        'Butyrospermum Parkii (Shea) Butter': 'Butyrospermum Parkii Butter',
        'Simmondsia Chinensis (Jojoba) Seed Oil': 'Simmondsia Chinensis Seed Oil',
        'Tocopherol (Vitamin E)': 'Tocopherol',
        生育酚: 'Tocopherol',
        'VE acetate': 'Tocopheryl Acetate',
        抗坏血酸: 'Ascorbic Acid',
        'CAS 56-81-5': 'Glycerin',
        'EC 200-289-5': 'Glycerin',
        '甘油 (56-81-5)': 'Glycerin',
        '甘油 (CAS No. 56-81-5)': 'Glycerin',
        '凡士林（白）': 'Petrolatum',
        'Glycerin (humectant)': 'Glycerin',
        '甘油（保湿剂）': 'Glycerin',
        'Glycerin (min 99.5%, USP)': 'Glycerin',
        'Petrolatum (CI 77000)': 'Petrolatum',
      };
      const found = await resolve(...Object.keys(expected));
      expect(
        found.map(({ name, certain, candidates }) => [name, certain, candidates[0]?.ingredient.inciName]),
      ).toEqual(Object.entries(expected).map(([name, inciName]) => [name, true, inciName]));
    });

    it.each([
      ['Aqua (Glycerin)', 2],
      ['Glycerin/Petrolatum', 2],
      ['Glycerin/Mystery', 1],
      ['Ascorbic Acid (Palmitate)', 1],
      ['VE (Vitamin E)', 2],
      ['Glycerine (vegetable)', 1],
      ['Glycerin (10%)', 1],
      ['Glycerin (vegetable)', 1],
      ['Glycerin (99% in water)', 1],
      ['Glycerin (35)', 1],
      ['甘油（原液）', 1],
      ['Glycerin [nano]', 1],
      ['Nano Glycerin', 1],
      ['纳米甘油', 1],
      ['甘油纳米级', 1],
    ])('is not certain of %s', async (name, count) => {
      const { certain, candidates } = await resolveOne(name);
      expect({ certain, count: candidates.length }).toEqual({ certain: false, count });
    });
  });

  it('stores and finds a number in one form', async () => {
    const ingredient = await newIngredient({ inciName: 'Salicylic Acid', chineseName: '水杨酸' });
    await put(ingredient, { casNumbers: ['000069-72-7'], ecNumbers: ['200 712 3'] }).expect(200);
    const { body } = await user.get(`/api/ext/ingredients/${ingredient.id}/names`);
    expect(body.data).toMatchObject({ casNumbers: ['69-72-7'], ecNumbers: ['200-712-3'] });
    for (const name of ['69-72-7', '0069-72-7', 'CAS 000069–72–7', '69 72 7', '69-72-7:', '200-712-3'])
      expect(await resolveOne(name)).toMatchObject({
        certain: true,
        candidates: [{ ingredient: { id: ingredient.id } }],
      });
    await put(ingredient, { casNumbers: ['69-72-7', '0069-72-7'] }).expect(400);
  });

  it('keeps digits apart', async () => {
    await newIngredient({ inciName: '12-Diol Ester', chineseName: 'x' });
    expect(await resolveOne('1,2-Diol Ester')).toMatchObject({ certain: false, candidates: [] });
  });

  it('is certain of a pure grade, and of no solution', async () => {
    await newIngredient({ inciName: 'Sodium Hydroxide', chineseName: '氢氧化钠' });
    expect(await resolveOne('氢氧化钠 99.5%')).toMatchObject({ certain: true, grade: '99.5%' });
    expect(await resolveOne('氢氧化钠(食品级)')).toMatchObject({ certain: true, grade: '食品级' });
    expect(await resolveOne('NaOH 10%')).toMatchObject({
      certain: false,
      grade: '10%',
      inciNames: ['Sodium Hydroxide'],
      candidates: [{ matchedBy: 'everyday-name' }],
    });
    await newIngredient({ inciName: 'Sodium Hydroxide 10%', chineseName: '氢氧化钠溶液' });
    expect(await resolveOne('sodium hydroxide (10%)')).toMatchObject({ certain: true, grade: null });
  });

  it('never guesses what an ambiguous everyday name means', async () => {
    await newIngredient({ inciName: 'Tocopherol', chineseName: '生育酚' });
    expect(await resolveOne('VE')).toMatchObject({
      certain: false,
      inciNames: ['Tocopherol', 'Tocopheryl Acetate'],
      candidates: [{ ingredient: { inciName: 'Tocopherol' }, matchedBy: 'everyday-name' }],
    });
  });

  it('finds either spelling of one substance', async () => {
    await newIngredient({ inciName: 'Water', chineseName: '工艺用水' });
    expect(await resolveOne('去离子水')).toMatchObject({ certain: true, inciNames: ['Aqua'] });
  });

  it('prefers what the catalogue says to what the list says', async () => {
    await newIngredient({ inciName: 'Tocopherol', chineseName: '生育酚' });
    const own = await newIngredient({ inciName: 'Own E' });
    await put(own, { tradeNames: ['VE'] }).expect(200);
    expect(await resolveOne('VE')).toMatchObject({
      certain: true,
      candidates: [{ ingredient: { id: own.id }, matchedBy: 'trade-name' }],
    });
  });

  it('shows similar names and is never certain of them', async () => {
    await newIngredient({ inciName: 'Sodium Hyaluronate', chineseName: '透明质酸钠' });
    for (const name of ['Sodium Hyalurnate', 'Hyaluronate', '透明质']) {
      expect(await resolveOne(name)).toMatchObject({
        certain: false,
        candidates: [{ ingredient: { inciName: 'Sodium Hyaluronate' }, matchedBy: 'similar' }],
      });
    }
    await newIngredient({
      inciName: 'Camellia Sinensis Leaf Extract',
      chineseName: '茶（CAMELLIA SINENSIS）叶提取物',
    });
    await newIngredient({
      inciName: 'Theobroma Cacao Extract',
      chineseName: '可可（THEOBROMA CACAO）提取物',
    });
    for (const name of ['茶叶提取物', '茶 葉提取物'])
      expect(await resolveOne(name)).toMatchObject({
        certain: false,
        candidates: [{ ingredient: { inciName: 'Camellia Sinensis Leaf Extract' }, matchedBy: 'similar' }],
      });
    for (const name of ['%', '_', '\\', '%%%'])
      expect(await resolveOne(name)).toMatchObject({ candidates: [] });
  });

  it('shows five at most', async () => {
    for (const supplier of ['A', 'B', 'C', 'D', 'E', 'F'])
      await newIngredient({ inciName: 'Aqua', supplier });
    expect((await resolveOne('Aqua')).candidates).toHaveLength(5);
  });

  it('sees only what the user may see', async () => {
    await newIngredient({ inciName: 'Glycerin', chineseName: '甘油', supplier: 'only nobody' });
    expect(await resolveOne('甘油')).toMatchObject({ candidates: [], inciNames: ['Glycerin'] });
    await newIngredient({ inciName: 'Glycerin', chineseName: '甘油' });
    expect(await resolveOne('甘油')).toMatchObject({ certain: true });
  });

  it('takes one statement for 200 names, and no more than 200', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `Raw material ${index}`);
    // The other looks up the user of the token.
    const ask = () => user.post('/api/ext/ingredients/resolve', { names }).expect(200);
    expect(await countStatements(ask)).toBe(2);
    expectError(
      await user.post('/api/ext/ingredients/resolve', { names: [...names, 'x'] }),
      400,
      'names: 不能超过200项',
    );
  });
});

describe('POST /api/ext/formulas/extract', () => {
  const extract = async (text: string) =>
    (await user.post('/api/ext/formulas/extract', { text }).expect(200)).body.data;

  it('gives a composition that a formula is made of', async () => {
    const water = await newIngredient({ inciName: 'Aqua', chineseName: '水' });
    const glycerin = await newIngredient({ inciName: 'Glycerin', chineseName: '甘油' });
    const triglyceride = await newIngredient({
      inciName: 'Caprylic/Capric Triglyceride',
      chineseName: '辛酸/癸酸甘油三酯',
    });
    const { source, lines: _, ...answer } = await extract('水相\n去离子水 加至100\n甘油 5%\n油相\nGTCC 8%');
    expect(source).toBe('mock');
    expect(answer).toEqual({
      notes: [],
      volumes: [],
      wrongTotals: [],
      title: null,
      phases: [
        {
          name: '水相',
          sortOrder: 1,
          ingredients: [
            { ingredientId: water.id, percentage: 87, processNotes: null },
            { ingredientId: glycerin.id, percentage: 5, processNotes: null },
          ],
        },
        {
          name: '油相',
          sortOrder: 2,
          ingredients: [{ ingredientId: triglyceride.id, percentage: 8, processNotes: null }],
        },
      ],
      unresolved: [],
      unread: [],
      unreadCount: 0,
      percentTotal: '100',
      complete: true,
    });
    await user.post('/api/formulas', { name: '面霜', phases: answer.phases }).expect(201);
  });

  it('names lines that it is not certain of, with their candidates, and lines that it has not read', async () => {
    const { id } = await newIngredient({ inciName: 'Tocopherol', chineseName: '生育酚' });
    const water = await newIngredient({ inciName: 'Aqua', chineseName: '水' });
    const answer = await extract('水 90%\nVE 0.5%\n神秘提取物 9.5%\n色浆 2 至 红 3 或 4%');
    expect(answer).toMatchObject({
      phases: [{ name: '未分相', sortOrder: 1, ingredients: [{ ingredientId: water.id, percentage: 90 }] }],
      unresolved: [
        {
          position: 2,
          name: 'VE',
          percentage: 0.5,
          reason: 'uncertain',
          inciNames: ['Tocopherol', 'Tocopheryl Acetate'],
          candidates: [{ ingredient: { id }, matchedBy: 'everyday-name' }],
        },
        { position: 3, name: '神秘提取物', reason: 'unknown', candidates: [] },
      ],
      unread: [{ line: 4, text: '色浆 2 至 红 3 或 4%' }],
      unreadCount: 1,
      complete: false,
    });
  });

  it('is not certain of a name that is spelt as another, which the contract names it by', async () => {
    await newIngredient({ inciName: 'Niacinamide', chineseName: '烟酰胺' });
    expect(await extract('Niacinomide 100%')).toMatchObject({
      phases: [],
      unresolved: [{ name: 'Niacinomide', reason: 'uncertain', candidates: [{ matchedBy: 'similar' }] }],
    });
  });

  it('leaves out a line without a percentage, and says so', async () => {
    await newIngredient({ inciName: 'Aqua', chineseName: '水' });
    await newIngredient({ inciName: 'Parfum', chineseName: '香精' });
    expect(await extract('水 99.5%\n香精 适量')).toMatchObject({
      unresolved: [{ name: '香精', percentage: 0, reason: 'percentage' }],
      complete: false,
    });
  });

  it('makes no formula of a text that has none', async () => {
    expect(await extract('今天天气很好\n\n我们去散步')).toEqual({
      notes: [],
      volumes: [],
      wrongTotals: [],
      title: null,
      phases: [],
      lines: [],
      unresolved: [],
      unread: [
        { line: 1, text: '今天天气很好' },
        { line: 3, text: '我们去散步' },
      ],
      unreadCount: 2,
      percentTotal: '0',
      complete: false,
      source: 'mock',
    });
  });
});

describe('GET /api/ext/ingredients/duplicates', () => {
  const listed = async (query = '') =>
    (await user.get(`/api/ext/ingredients/duplicates${query}`).expect(200)).body;

  it('groups by name and supplier, CAS number and Chinese name, with the reason', async () => {
    const one = await newIngredient({
      inciName: 'Sodium Hyaluronate',
      chineseName: '透明质酸钠',
      supplier: 'A',
    });
    const two = await newIngredient({
      inciName: 'SODIUM-hyaluronate',
      chineseName: '玻尿酸钠',
      supplier: 'Ａ ',
    });
    const three = await newIngredient({
      inciName: 'Sodium Hyaluronate',
      chineseName: '透明质酸钠',
      supplier: 'B',
    });
    await put(one, { casNumbers: ['9067-32-7'] }).expect(200);
    await put(three, { casNumbers: ['9067-32-7'] }).expect(200);
    const shown = ({ id, inciName, chineseName, supplier }: typeof one) => ({
      id,
      inciName,
      chineseName,
      supplier,
    });
    const { data, pagination } = await listed();
    expect(data).toEqual([
      {
        reason: 'inci-and-supplier',
        value: 'Sodium Hyaluronate',
        count: 2,
        ingredients: [one, two].map(shown),
      },
      { reason: 'cas', value: '9067-32-7', count: 2, ingredients: [one, three].map(shown) },
      { reason: 'chinese', value: '透明质酸钠', count: 2, ingredients: [one, three].map(shown) },
    ]);
    expect(pagination).toEqual({ page: 1, limit: 20, total: 3, totalPages: 1 });
    expect((await listed('?limit=1&page=2')).data).toEqual([data[1]]);
  });

  it('groups by the CAS number of the only substance, and by a synonym that another is called', async () => {
    const [one, two, blend] = [
      await newIngredient({ inciName: 'Glycerin', chineseName: '甘油' }),
      await newIngredient({ inciName: 'Plant triol', chineseName: '植物三醇' }),
      await newIngredient(),
    ];
    await put(one, { casNumbers: ['56-81-5'], synonyms: ['Plant-Triol', '植物 三醇'] }).expect(200);
    const substance = { inciName: 'Glycerin', casNumber: '56-81-5' };
    const compositions = [
      [two, [{ ...substance, percentage: 100 }]],
      [
        blend,
        [
          { ...substance, percentage: 50 },
          { inciName: 'Aqua', percentage: 50 },
        ],
      ],
    ] as const;
    for (const [{ id }, substances] of compositions)
      await user.put(`/api/ext/ingredients/${id}/composition`, { substances }).expect(200);
    const { data } = await listed();
    expect(
      data.map(({ reason, value, count, ingredients }: any) => ({
        ...{ reason, value, count },
        ids: ingredients.map(({ id }: any) => id),
      })),
    ).toEqual([
      { reason: 'cas', value: '56-81-5', count: 2, ids: [one.id, two.id] },
      { reason: 'synonym', value: 'Plant-Triol', count: 2, ids: [one.id, two.id] },
      { reason: 'synonym', value: '植物 三醇', count: 2, ids: [one.id, two.id] },
    ]);
  });

  it('shows and counts none that the user may not see', async () => {
    for (const supplier of ['only nobody', 'only nobody', null])
      await newIngredient({ inciName: 'Glycerin', chineseName: '甘油', supplier });
    expect((await listed()).pagination.total).toBe(0);
  });
});

describe('POST /api/ext/ingredients/:id/merge', () => {
  const merge = ({ id }: { id: string }, into: { id: string }, account = admin) =>
    account.post(`/api/ext/ingredients/${id}/merge`, { into: into.id });

  it('moves the lines of all versions, and changes nothing else', async () => {
    const [one, two, other] = [await newIngredient(), await newIngredient(), await newIngredient()];
    const { id } = await createFormula(user, wholeOf(one.id));
    const both = [...phasesOf(one.id, [40]), ...phasesOf(two.id, [60])];
    await user.put(`/api/formulas/${id}/composition`, { phases: both }).expect(200);
    const untouched = await createFormula(user, wholeOf(other.id));
    const before = (await user.get(`/api/formulas/${id}`)).body.data;
    const { body } = await merge(one, two).expect(200);
    const counts = { lines: 2, versions: 2, formulas: 1 };
    expect(body).toEqual({ data: { id: one.id, into: two.id, moved: counts } });

    const after = (await user.get(`/api/formulas/${id}`)).body.data;
    const named = { id: two.id, inciName: two.inciName, chineseName: two.chineseName };
    const moved = JSON.parse(
      JSON.stringify(before.versions[0].phases)
        .replaceAll(one.id, two.id)
        .replaceAll(one.inciName, two.inciName),
    );
    expect(after).toEqual({ ...before, versions: [{ ...before.versions[0], phases: moved }] });
    expect(after.versions[0].phases.map((phase: any) => phase.ingredients)).toEqual([
      [expect.objectContaining({ percentage: 40, ingredient: named })],
      [expect.objectContaining({ percentage: 60, ingredient: named })],
    ]);
    const first = (await user.get(`/api/ext/formulas/${id}/versions/1`)).body.data;
    expect(first.phases[0].ingredients[0].ingredientId).toBe(two.id);
    expect((await user.get(`/api/formulas/${untouched.id}`)).body.data).toEqual(untouched);
    await user.get(`/api/ingredients/${one.id}`).expect(404);
    expectError(await user.delete(`/api/ingredients/${two.id}`), 409, '该成分已被配方引用,无法删除', {
      usageCount: 3,
    });
    expect((await user.get('/api/ingredients')).body.pagination.total).toBe(2);
    expect(events.map(({ type, recordId, data }) => ({ type, recordId, data }))).toEqual([
      { type: 'ingredient.merged', recordId: one.id, data: { into: two.id } },
      { type: 'ingredient.deleted', recordId: one.id, data: {} },
    ]);
  });

  it('moves the lines of formulas in the trash, in whatever version they are', async () => {
    const [one, two, other] = [await newIngredient(), await newIngredient(), await newIngredient()];
    const { id } = await createFormula(user, [...phasesOf(one.id, [40, 10]), ...phasesOf(other.id, [50])]);
    await user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(other.id) }).expect(200);
    const snapshot = async () =>
      (await user.get(`/api/ext/formulas/${id}/versions/1`).expect(200)).body.data.snapshotData;
    const before = await snapshot();
    await user.delete(`/api/formulas/${id}`).expect(204);
    await merge(one, two).expect(200);
    await user.post(`/api/ext/trash/${id}/restore`).expect(200);

    const { phases } = (await user.get(`/api/ext/formulas/${id}/versions/1`).expect(200)).body.data;
    const lines = phases.flatMap(({ ingredients }: any) => ingredients);
    expect(lines.map(({ ingredientId, percentage }: any) => [ingredientId, percentage])).toEqual([
      [two.id, 40],
      [two.id, 10],
      [other.id, 50],
    ]);
    expect(await snapshot()).toEqual(before);
  });

  it('leaves a formula that is deleted meanwhile restorable', async () => {
    const [one, two] = [await newIngredient(), await newIngredient()];
    const { id } = await createFormula(user, wholeOf(one.id));
    let deletion: Promise<unknown> = Promise.resolve();
    onEvent = async ({ type }) => {
      if (type !== 'ingredient.merged') return;
      // The merge has moved the lines and is not committed: the deletion has time to copy them.
      deletion = Promise.resolve(user.delete(`/api/formulas/${id}`).expect(204));
      await setTimeout(500);
    };
    await merge(one, two).expect(200);
    await deletion;
    const { body } = await user.post(`/api/ext/trash/${id}/restore`).expect(200);
    expect(body.data.versions[0].phases[0].ingredients[0].ingredientId).toBe(two.id);
  });

  it('makes its names synonyms, and keeps its composition where there is no other', async () => {
    const one = await newIngredient({ inciName: 'Glycerine', chineseName: '丙三醇' });
    const two = await newIngredient({ inciName: 'Glycerin', chineseName: '甘油' });
    await put(one, { ...GLYCERIN_NAMES, synonyms: ['丙三醇', '甘 油 (植物)'] }).expect(200);
    await put(two, { casNumbers: ['56-81-5'], tradeNames: ['Own'] }).expect(200);
    const substances = [{ inciName: 'Glycerin', percentage: 100 }];
    await user.put(`/api/ext/ingredients/${one.id}/composition`, { substances }).expect(200);
    await merge(one, two).expect(200);
    expect((await user.get(path(two))).body.data).toEqual({
      ingredientId: two.id,
      casNumbers: ['56-81-5'],
      ecNumbers: ['200-289-5'],
      synonyms: ['丙三醇', '甘 油 (植物)', 'Glycerine'],
      tradeNames: ['Own', 'Pricerine™ 9091'],
    });
    const { body } = await user.get(`/api/ext/ingredients/${two.id}/composition`);
    expect(body.data).toMatchObject({ state: 'given', substances: [{ inciName: 'Glycerin' }] });
    expect(await resolveOne('glycerine')).toMatchObject({
      certain: true,
      candidates: [{ matchedBy: 'synonym' }],
    });
  });

  it('keeps the composition of the one that stays', async () => {
    const [one, two] = [await newIngredient(), await newIngredient()];
    for (const [{ id }, inciName] of [
      [one, 'A'],
      [two, 'B'],
    ] as const) {
      const substances = [{ inciName, percentage: 100 }];
      await user.put(`/api/ext/ingredients/${id}/composition`, { substances }).expect(200);
    }
    await merge(one, two).expect(200);
    const { body } = await user.get(`/api/ext/ingredients/${two.id}/composition`);
    expect(body.data.substances).toMatchObject([{ inciName: 'B' }]);
  });

  it('refuses too many names, and then changes nothing', async () => {
    const [one, two] = [await newIngredient(), await newIngredient()];
    const synonyms = (name: string) => ({
      synonyms: Array.from({ length: 30 }, (_, at) => `${name} x${at}`),
    });
    await put(one, synonyms('a')).expect(200);
    await put(two, synonyms('b')).expect(200);
    const { id } = await createFormula(user, wholeOf(one.id));
    expectError(await merge(one, two), 409, '合并后synonyms超过50个,请先删减');
    const { body } = await user.get(`/api/formulas/${id}`);
    expect(body.data.versions[0].phases[0].ingredients[0].ingredientId).toBe(one.id);
  });

  it('is for administrators, of two ingredients that are there', async () => {
    const one = await newIngredient();
    const two = await newIngredient();
    expectError(await merge(one, two, user), 403, FORBIDDEN);
    expectError(await merge(one, one), 400, 'into: 不能与被合并的成分相同');
    expectError(await merge(one, { id: NOWHERE }), 404, '成分不存在');
    expectError(await merge({ id: NOWHERE }, two), 404, '成分不存在');
    const hidden = await newIngredient({ supplier: 'only nobody' });
    expectError(await merge(one, hidden), 404, '成分不存在');
  });

  it('takes the same number of statements for many lines', async () => {
    const asked: number[] = [];
    for (const versions of [1, 6]) {
      const [one, two] = [await newIngredient(), await newIngredient()];
      const { id } = await createFormula(user, phasesOf(one.id, [50, 50]));
      for (let version = 1; version < versions; version++)
        await user
          .put(`/api/formulas/${id}/composition`, { phases: phasesOf(one.id, [25, 25, 50]) })
          .expect(200);
      asked.push(await countStatements(() => merge(one, two).expect(200)));
    }
    expect(asked[1]).toBe(asked[0]);
  });
});

it('EVERYDAY_NAMES=off leaves the shipped list out', async () => {
  const other = await bootApp({ settings: { EVERYDAY_NAMES: 'off' } });
  try {
    const account = await other.register();
    await createIngredient(account, { inciName: 'Aqua', chineseName: '水' });
    const { body } = await account.post('/api/ext/ingredients/resolve', { names: ['去离子水'] }).expect(200);
    expect(body.data[0]).toMatchObject({ certain: false, inciNames: [], candidates: [] });
  } finally {
    await other.close();
  }
});
