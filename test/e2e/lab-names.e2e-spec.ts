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
import { createIngredient } from '../support/factories';
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
const recorder = {
  name: 'recorder',
  events: ['ingredient.updated'] as const,
  inTransaction: (event: DomainEvent) => void events.push(event),
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
let number = 0;

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
  [user, reader] = [await service.register(), await service.register()];
  SuppliersPolicy.readers.add(reader.username);
});
beforeEach(() => {
  events.length = 0;
});
afterEach(() => database.query('DELETE FROM ingredients'));
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

  it('keeps digits apart', async () => {
    await newIngredient({ inciName: '12-Diol Ester', chineseName: 'x' });
    expect(await resolveOne('1,2-Diol Ester')).toMatchObject({
      certain: false,
      candidates: [{ matchedBy: 'similar' }],
    });
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
