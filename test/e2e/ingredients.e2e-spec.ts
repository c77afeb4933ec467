import { DataSource } from 'typeorm';
import { FUNCTION_CATEGORIES } from '../../src/ingredients/function-category';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  expectDeleted,
  expectError,
  expectKeys,
  NOWHERE,
  TIMESTAMP,
  UNAUTHORIZED,
  UUID,
} from '../support/answers';
import {
  createFormula,
  createIngredient,
  type Ingredient,
  ingredientInput,
  phasesOf,
  wholeOf,
} from '../support/factories';
import { countStatements } from '../support/statements';

const NOT_FOUND = '成分不存在';
const KEYS = [
  'id',
  'inciName',
  'chineseName',
  'functionCategory',
  'supplier',
  'unit',
  'unitPrice',
  'description',
  'createdAt',
];

let service: TestApp;
let user: Account;
let database: DataSource;

beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
  database = service.app.get(DataSource);
});

afterAll(() => service.close());

const post = (body: object) => user.post('/api/ingredients', body);
const list = async (query = ''): Promise<{ data: Ingredient[]; pagination: Record<string, number> }> =>
  (await user.get(`/api/ingredients${query}`).expect(200)).body;
const names = async (query: string) => (await list(query)).data.map(({ inciName }) => inciName).toSorted();

describe('POST /api/ingredients', () => {
  it('stores every field and answers with exactly the record', async () => {
    const input = {
      inciName: 'Sodium Hyaluronate',
      chineseName: '透明质酸钠',
      functionCategory: 'humectant',
      supplier: '华熙',
      unit: 'g',
      unitPrice: 12.5,
      description: '分子量 1.0–1.5 MDa',
    };
    const { status, body } = await post(input);
    expect(status).toBe(201);
    expectKeys(body, ['data']);
    expectKeys(body.data, KEYS);
    expect(body.data).toEqual({
      ...input,
      id: expect.stringMatching(UUID),
      createdAt: expect.stringMatching(TIMESTAMP),
    });
    const { body: read } = await user.get(`/api/ingredients/${body.data.id}`).expect(200);
    expect(read).toEqual(body);
  });

  it.each([
    ['absent', {}],
    ['null', { supplier: null, unit: null, unitPrice: null, description: null }],
  ])('gives optional fields that are %s their defaults', async (_, optional) => {
    const created = await createIngredient(user, optional);
    expectKeys(created, KEYS);
    expect(created).toMatchObject({ supplier: null, unit: 'kg', unitPrice: null, description: null });
  });

  describe('names what it repeats in X-Duplicate-Of', () => {
    const duplicatesOf = async (overrides: object) => {
      const { status, headers } = await post(ingredientInput(overrides));
      expect(status).toBe(201);
      return headers['x-duplicate-of'];
    };

    it.each([
      ['Repeated A', 'Repeated A'],
      ['Repeated B', 'REPEATED B'],
      ['Repeated C\u0327a', 'Repeated Ça'],
      ['Repeated D', 'Ｒｅｐｅａｔｅｄ\u00a0Ｄ'],
      ['Repeated E', 'Re\u00adpeat\u200bed E\ufe0f'],
      ['Repeated F', '  Repeated \u3000F '],
      [' Repeated G ', 'Repeated G'],
      ['Repeated 100％', 'Repeated 100%'],
      ['重复（甲）', '重复(甲)'],
      ['İx', 'ix'],
      // Traditional and simplified characters are one form of a name everywhere.
      ['黃', '黄'],
    ])('where %j is there and %j comes', async (there, coming) => {
      const { id } = await createIngredient(user, { inciName: there });
      expect(await duplicatesOf({ inciName: coming })).toBe(id);
    });

    it.each([
      ['Similar A', 'Similar AB'],
      ['Similar B', 'A Similar B'],
      ['Similar_C', 'SimilarxC'],
      ['Similar D%', 'Similar Dab'],
      ['Ähnlich E', 'Ahnlich E'],
    ])('but not where %j is there and %j comes', async (there, coming) => {
      await createIngredient(user, { inciName: there });
      expect(await duplicatesOf({ inciName: coming })).toBeUndefined();
    });

    it('by the INCI name, not by the Chinese one', async () => {
      await createIngredient(user, { inciName: 'Left', chineseName: '同名' });
      expect(await duplicatesOf({ inciName: 'Right', chineseName: '同名' })).toBeUndefined();
      expect(await duplicatesOf({ inciName: '同名' })).toBeUndefined();
    });

    it('of the same supplier, or of any where none is given', async () => {
      const { id: first } = await createIngredient(user, { inciName: 'Sold', supplier: 'ＢＡＳＦ' });
      expect(await duplicatesOf({ inciName: 'Sold', supplier: 'Croda' })).toBeUndefined();
      expect(await duplicatesOf({ inciName: 'Sold', supplier: 'basf ' })).toBe(first);
      const ids = (await duplicatesOf({ inciName: 'Sold', supplier: ' ' }))!.split(', ');
      expect(ids).toHaveLength(3);
      expect(ids[0]).toBe(first);
      expect((await duplicatesOf({ inciName: 'Sold', supplier: '\u200b' }))!.split(', ')).toHaveLength(4);
    });

    it('the oldest first, at most five', async () => {
      const ids: string[] = [];
      for (let count = 0; count < 6; count++) {
        ids.push((await createIngredient(user, { inciName: 'Often' })).id);
        await database.query('UPDATE ingredients SET created_at = $2 WHERE id = $1', [
          ids[count],
          new Date(2020 + count, 0),
        ]);
      }
      expect(await duplicatesOf({ inciName: 'often' })).toBe(ids.slice(0, 5).join(', '));
    });

    it('and is silent where nothing is created', async () => {
      await createIngredient(user, { inciName: 'Wrong' });
      const { headers } = await post({ inciName: 'Wrong', chineseName: 'x' }).expect(400);
      expect(headers).not.toHaveProperty('x-duplicate-of');
    });
  });

  it.each(FUNCTION_CATEGORIES)('takes the category %s', async (functionCategory) => {
    expect((await createIngredient(user, { functionCategory })).functionCategory).toBe(functionCategory);
  });

  it.each([
    [{ inciName: undefined }, 'inciName: 不能为空'],
    [{ inciName: null }, 'inciName: 不能为空'],
    [{ inciName: ' ' }, 'inciName: 不能为空'],
    [{ inciName: 5 }, 'inciName: 必须是字符串'],
    [{ inciName: 'x'.repeat(201) }, 'inciName: 不能超过200个字符'],
    [{ chineseName: undefined }, 'chineseName: 不能为空'],
    [{ chineseName: '' }, 'chineseName: 不能为空'],
    [{ chineseName: '字'.repeat(201) }, 'chineseName: 不能超过200个字符'],
    [{ functionCategory: undefined }, 'functionCategory: 不能为空'],
    [{ functionCategory: null }, 'functionCategory: 不能为空'],
    [{ functionCategory: 'Other' }, `functionCategory: 必须是以下值之一: ${FUNCTION_CATEGORIES.join(', ')}`],
    [
      { functionCategory: ['other'] },
      `functionCategory: 必须是以下值之一: ${FUNCTION_CATEGORIES.join(', ')}`,
    ],
    [{ supplier: 1 }, 'supplier: 必须是字符串'],
    [{ unit: {} }, 'unit: 必须是字符串'],
    [{ unitPrice: -0.01 }, 'unitPrice: 不能小于0'],
    [{ unitPrice: '1' }, 'unitPrice: 必须是数字'],
    [{ unitPrice: true }, 'unitPrice: 必须是数字'],
    [{ description: 'x'.repeat(2001) }, 'description: 不能超过2000个字符'],
    [{ inciName: '', unitPrice: -1 }, 'inciName: 不能为空; unitPrice: 不能小于0'],
  ])('refuses %j', async (wrong, error) => {
    expectError(await post(ingredientInput(wrong)), 400, error);
  });

  it('refuses a number beyond what numbers hold', async () => {
    const body = JSON.stringify(ingredientInput()).replace('}', ',"unitPrice":1e999}');
    const answer = await user.post('/api/ingredients').type('json').send(body);
    expectError(answer, 400, 'unitPrice: 必须是有限的数字');
  });

  it('counts characters, not UTF-16 units', async () => {
    const chineseName = '𠮷'.repeat(200);
    expect((await createIngredient(user, { chineseName })).chineseName).toBe(chineseName);
    expectError(
      await post(ingredientInput({ chineseName: '𠮷'.repeat(201) })),
      400,
      'chineseName: 不能超过200个字符',
    );
  });

  it('ignores unknown fields, and fields that are not for clients', async () => {
    const body = ingredientInput({ id: NOWHERE, createdAt: '2000-01-01T00:00:00.000Z', colour: 'red' });
    const created = await createIngredient(user, body);
    expectKeys(created, KEYS);
    expect(created.id).not.toBe(NOWHERE);
    expect(created.createdAt).not.toBe('2000-01-01T00:00:00.000Z');
  });

  it.each([0, 1e-7, 0.1, 33.333333333333336, 1234567890.12, 5e-324, 1.7976931348623157e308])(
    'a price of %d reads back exactly',
    async (unitPrice) => {
      const created = await createIngredient(user, { unitPrice });
      expect(created.unitPrice).toBe(unitPrice);
      const { body } = await user.get(`/api/ingredients/${created.id}`).expect(200);
      expect(body.data.unitPrice).toBe(unitPrice);
    },
  );

  it('texts read back exactly', async () => {
    const inciName = '  "Aqua" \\ %_ <b>𠮷</b>\n\u2028 ';
    expect((await createIngredient(user, { inciName })).inciName).toBe(inciName);
  });
});

describe('GET /api/ingredients/:id', () => {
  it.each([NOWHERE, 'x', '1', '%00', 'null', `${NOWHERE}0`, '00000000-0000-0000-0000-000000000000'])(
    '%s is no record',
    async (id) => {
      expectError(await user.get(`/api/ingredients/${id}`), 404, NOT_FOUND);
    },
  );

  it('finds a UUID of any version bits, in capitals too', async () => {
    const id = '12345678-9abc-0def-0123-456789abcdef';
    await database.query(
      `INSERT INTO ingredients (id, inci_name, chinese_name, function_category) VALUES ($1, 'x', 'y', 'other')`,
      [id],
    );
    for (const path of [id, id.toUpperCase()]) {
      const { body } = await user.get(`/api/ingredients/${path}`).expect(200);
      expect(body.data.id).toBe(id);
    }
  });
});

describe('PUT /api/ingredients/:id', () => {
  const full = { supplier: '甲', unit: 'g', unitPrice: 3, description: '乙' };
  let ingredient: Ingredient;

  beforeEach(async () => {
    ingredient = await createIngredient(user, full);
  });

  const put = (body: object, id = ingredient.id) => user.put(`/api/ingredients/${id}`, body);

  it('changes what is there and nothing else', async () => {
    const { body } = await put({ unitPrice: 4.25, functionCategory: 'sunscreen' }).expect(200);
    expectKeys(body, ['data']);
    expect(body.data).toEqual({ ...ingredient, unitPrice: 4.25, functionCategory: 'sunscreen' });
    expect((await user.get(`/api/ingredients/${ingredient.id}`)).body).toEqual(body);
  });

  it('changes nothing for {}, and for nothing at all', async () => {
    expect((await put({}).expect(200)).body.data).toEqual(ingredient);
    expect((await user.put(`/api/ingredients/${ingredient.id}`).expect(200)).body.data).toEqual(ingredient);
  });

  it('null clears an optional field and sets the unit back', async () => {
    const { body } = await put({ supplier: null, unit: null, unitPrice: null, description: null });
    const cleared = { supplier: null, unit: 'kg', unitPrice: null, description: null };
    expect(body.data).toEqual({ ...ingredient, ...cleared });
  });

  it.each([
    [{ inciName: null }, 'inciName: 不能为空'],
    [{ chineseName: null }, 'chineseName: 不能为空'],
    [{ functionCategory: null }, 'functionCategory: 不能为空'],
    [{ inciName: '' }, 'inciName: 不能为空'],
    [{ unitPrice: -1 }, 'unitPrice: 不能小于0'],
  ])('refuses %j', async (wrong, error) => {
    expectError(await put(wrong), 400, error);
    expect((await user.get(`/api/ingredients/${ingredient.id}`)).body.data).toEqual(ingredient);
  });

  it('does not touch what is not for clients', async () => {
    const { body } = await put({ id: NOWHERE, createdAt: '2000-01-01T00:00:00.000Z' }).expect(200);
    expect(body.data).toEqual(ingredient);
  });

  it('404 when absent, but a fault of the body comes first', async () => {
    expectError(await put({ unit: 'g' }, NOWHERE), 404, NOT_FOUND);
    expectError(await put({}, NOWHERE), 404, NOT_FOUND);
    expectError(await put({ unit: 'g' }, 'x'), 404, NOT_FOUND);
    expectError(await put({ unitPrice: -1 }, NOWHERE), 400, 'unitPrice: 不能小于0');
    expectError(await put({ unitPrice: -1 }, 'x'), 400, 'unitPrice: 不能小于0');
    expectError(
      await service.http.put(`/api/ingredients/${NOWHERE}`).send({ unitPrice: -1 }),
      401,
      UNAUTHORIZED,
    );
  });

  it('is open to everybody signed in', async () => {
    const other = await service.register();
    await other.put(`/api/ingredients/${ingredient.id}`, { unit: 'L' }).expect(200);
    expectDeleted(await other.delete(`/api/ingredients/${ingredient.id}`));
  });
});

describe('DELETE /api/ingredients/:id', () => {
  const remove = (id: string) => user.delete(`/api/ingredients/${id}`);

  it('removes it, once', async () => {
    const { id } = await createIngredient(user);
    expectDeleted(await remove(id));
    expectError(await remove(id), 404, NOT_FOUND);
    expectError(await user.get(`/api/ingredients/${id}`), 404, NOT_FOUND);
  });

  it('404 when absent', async () => {
    expectError(await remove(NOWHERE), 404, NOT_FOUND);
    expectError(await remove('no-uuid'), 404, NOT_FOUND);
  });

  it('409 with the number of lines of all versions of all formulas while any uses it', async () => {
    const [used, other] = await Promise.all([createIngredient(user), createIngredient(user)]);
    const twice = await createFormula(user, phasesOf(used.id, [40, 10], [50]));
    const once = await createFormula(user, wholeOf(used.id));
    const conflict = async (usageCount: number) =>
      expectError(await remove(used.id), 409, '该成分已被配方引用,无法删除', { usageCount });
    await conflict(4);
    await user.put(`/api/formulas/${twice.id}/composition`, { phases: wholeOf(other.id) }).expect(200);
    await conflict(4);
    await user.put(`/api/formulas/${twice.id}/composition`, { phases: wholeOf(used.id) }).expect(200);
    await conflict(5);
    await user.delete(`/api/formulas/${twice.id}`).expect(204);
    await conflict(1);
    await user.delete(`/api/formulas/${once.id}`).expect(204);
    expectDeleted(await remove(used.id));
  });
});

describe('GET /api/ingredients', () => {
  beforeAll(async () => {
    await database.query('DELETE FROM ingredients');
    await createIngredient(user, {
      inciName: 'Glycerin',
      chineseName: '甘油',
      functionCategory: 'humectant',
    });
    await createIngredient(user, { inciName: '100%_Pure\\Oil', chineseName: '纯油' });
    await createIngredient(user, { inciName: 'GLYCERYL STEARATE', chineseName: '甘油硬脂酸酯' });
    await createIngredient(user, { inciName: 'Ägyptisch', chineseName: '百分百' });
    await createIngredient(user, { inciName: 'Water', chineseName: '水' });
  });

  it('is a list envelope of records, newest first', async () => {
    const body = await list();
    expectKeys(body, ['data', 'pagination']);
    expect(body.pagination).toEqual({ page: 1, limit: 20, total: 5, totalPages: 1 });
    for (const ingredient of body.data) expectKeys(ingredient, KEYS);
    expect(body.data.map(({ inciName }) => inciName)).toEqual([
      'Water',
      'Ägyptisch',
      'GLYCERYL STEARATE',
      '100%_Pure\\Oil',
      'Glycerin',
    ]);
  });

  it('pages', async () => {
    const second = await list('?page=2&limit=2');
    expect(second.pagination).toEqual({ page: 2, limit: 2, total: 5, totalPages: 3 });
    expect(second.data.map(({ inciName }) => inciName)).toEqual(['GLYCERYL STEARATE', '100%_Pure\\Oil']);
    const beyond = await list('?page=2147483647&limit=100');
    expect(beyond).toEqual({
      data: [],
      pagination: { page: 2147483647, limit: 100, total: 5, totalPages: 1 },
    });
  });

  it.each([
    ['search=glyc', ['GLYCERYL STEARATE', 'Glycerin']],
    ['search=GLYC', ['GLYCERYL STEARATE', 'Glycerin']],
    ['search=甘油', ['GLYCERYL STEARATE', 'Glycerin']],
    ['search=油', ['100%_Pure\\Oil', 'GLYCERYL STEARATE', 'Glycerin']],
    ['search=l s', ['GLYCERYL STEARATE']],
    ['search=äGYPT', ['Ägyptisch']],
    ['search=%25', ['100%_Pure\\Oil']],
    ['search=_', ['100%_Pure\\Oil']],
    ['search=%5C', ['100%_Pure\\Oil']],
    ['search=%25_', ['100%_Pure\\Oil']],
    ['search=e\\Oil', ['100%_Pure\\Oil']],
    ['search=Gly_erin', []],
    ['search=Glycerol', []],
    ["search=' OR 1=1 --", []],
    ['search=kg', []],
    ['category=humectant', ['Glycerin']],
    ['category=sunscreen', []],
    ['category=other&search=glyc', ['GLYCERYL STEARATE']],
    ['category=humectant&search=水', []],
    ['search=&category=', ['100%_Pure\\Oil', 'GLYCERYL STEARATE', 'Glycerin', 'Water', 'Ägyptisch']],
    ['page=&limit=', ['100%_Pure\\Oil', 'GLYCERYL STEARATE', 'Glycerin', 'Water', 'Ägyptisch']],
    ['unknown=1&search=water', ['Water']],
  ])('?%s', async (query, expected) => {
    expect(await names(`?${query}`)).toEqual(expected);
  });

  it('counts what matches, and an empty list has no pages', async () => {
    const { pagination } = await list('?search=glyc&limit=1');
    expect(pagination).toEqual({ page: 1, limit: 1, total: 2, totalPages: 2 });
    expect(await list('?search=nothing')).toEqual({
      data: [],
      pagination: { page: 1, limit: 20, total: 0, totalPages: 0 },
    });
  });

  it.each([
    ['limit=101', 'limit: 不能大于100'],
    ['limit=0', 'limit: 不能小于1'],
    ['limit=-1', 'limit: 不能小于1'],
    ['limit=1.5', 'limit: 必须是整数'],
    ['limit=abc', 'limit: 必须是整数'],
    ['limit=0x10', 'limit: 必须是整数'],
    ['limit=%2010', 'limit: 必须是整数'],
    ['limit=Infinity', 'limit: 必须是整数'],
    ['limit=1&limit=2', 'limit: 必须是整数'],
    ['page=0', 'page: 不能小于1'],
    ['page=2147483648', 'page: 不能大于2147483647'],
    ['page=1e99', 'page: 不能大于2147483647'],
    ['page=1&page=1', 'page: 必须是整数'],
    ['category=nothing', `category: 必须是以下值之一: ${FUNCTION_CATEGORIES.join(', ')}`],
    ['category=other&category=other', `category: 必须是以下值之一: ${FUNCTION_CATEGORIES.join(', ')}`],
    ['search=a&search=b', 'search: 必须是字符串'],
    [`search=${'x'.repeat(201)}`, 'search: 不能超过200个字符'],
    ['search=%00', 'search: 不能包含空字符'],
  ])('refuses ?%s', async (query, error) => {
    expectError(await user.get(`/api/ingredients?${query}`), 400, error);
  });

  it('pages never overlap, however many records share a moment', async () => {
    await database.query(
      `INSERT INTO ingredients (inci_name, chinese_name, function_category, created_at)
       SELECT 'Tie ' || n, '并列', 'other', '2020-01-01' FROM generate_series(1, 45) n`,
    );
    // The indexes hold the ids too and would hide a missing tie-break.
    await database.query('DROP INDEX ix_ingredients_created_at, ix_ingredients_function_category');
    const seen: Ingredient[] = [];
    for (const page of [1, 2, 3, 4, 5]) seen.push(...(await list(`?limit=10&page=${page}`)).data);
    expect(new Set(seen.map(({ id }) => id)).size).toBe(50);
    const ties = seen.filter(({ inciName }) => inciName.startsWith('Tie')).map(({ id }) => id);
    expect(ties).toHaveLength(45);
    expect(ties).toEqual(ties.toSorted());
  });

  it('takes the same number of statements for one record and for a hundred', async () => {
    const searched = (limit: number) =>
      countStatements(() => list(`?limit=${limit}&search=并列&category=other`));
    expect(await searched(1)).toBe(2);
    expect(await searched(100)).toBe(2);
    expect(await countStatements(() => list('?limit=100'))).toBe(2);
  });
});
