import { DataSource } from 'typeorm';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  createFormula,
  createIngredient,
  createProject,
  type Ingredient,
  wholeOf,
} from '../support/factories';
import { countStatements } from '../support/statements';

let service: TestApp;
let user: Account;
let other: Account;

beforeAll(async () => {
  service = await bootApp();
  [user, other] = [await service.register(), await service.register()];
});
afterAll(() => service.close());

const NOBODY = '3f0c9b1e-5a52-4a0e-9d0c-6f1d2b7a8c41';

describe('GET /api/ext/formulas', () => {
  let water: Ingredient;
  let glycerin: Ingredient;
  let project: { id: string };
  /** As the contract lists them, by name. */
  let listed: Map<string, object>;

  const phases = (percentage: number) => [
    {
      name: '水相',
      sortOrder: 1,
      ingredients: [
        { ingredientId: water.id, percentage: 100 - percentage },
        { ingredientId: glycerin.id, percentage: percentage / 2 },
      ],
    },
    {
      name: '后添加',
      sortOrder: 2,
      ingredients: [{ ingredientId: glycerin.id, percentage: percentage / 2 }],
    },
  ];

  beforeAll(async () => {
    water = await createIngredient(user, { inciName: 'Aqua', functionCategory: 'other' });
    glycerin = await createIngredient(user, { inciName: 'Glycerin', functionCategory: 'humectant' });
    project = await createProject(user);
    const projectId = project.id;
    await createFormula(user, phases(0.2), { name: 'Cream', description: 'moisturizing', projectId });
    await createFormula(user, phases(5), { name: 'Gel', description: 'moisturizing' });
    await createFormula(other, phases(10), { name: 'Serum', projectId });
    await createFormula(user, wholeOf(water.id), { name: 'Water' });
    // Without glycerin from its second version on.
    const { id } = await createFormula(other, phases(5), { name: 'Toner', description: 'moisturizing' });
    await other.put(`/api/formulas/${id}/composition`, { phases: wholeOf(water.id) }).expect(200);
    const { body } = await user.get('/api/formulas?limit=100').expect(200);
    listed = new Map((body.data as { name: string }[]).map((formula) => [formula.name, formula]));
  });

  const find = async (query: string) =>
    (await user.get(`/api/ext/formulas?sortBy=name&sortOrder=asc&${query}`).expect(200)).body;
  const names = async (query: string) => (await find(query)).data.map(({ name }: { name: string }) => name);

  it('lists what the contract lists, key for key', async () => {
    const { data, pagination } = await find('');
    expect(data).toEqual(['Cream', 'Gel', 'Serum', 'Toner', 'Water'].map((name) => listed.get(name)));
    expect(pagination).toEqual({ page: 1, limit: 20, total: 5, totalPages: 1 });
    expect((await user.get('/api/ext/formulas')).text).toBe((await user.get('/api/formulas')).text);
  });

  it('filters by project, or by having none', async () => {
    expect(await names(`projectId=${project.id}`)).toEqual(['Cream', 'Serum']);
    expect(await names('projectId=none')).toEqual(['Gel', 'Toner', 'Water']);
    expect(await names(`projectId=${NOBODY}`)).toEqual([]);
  });

  it('filters by an ingredient of the latest version and by its share in all lines, both bounds inclusive', async () => {
    const ofGlycerin = (query = '') => names(`ingredientId=${glycerin.id.toUpperCase()}${query}`);
    expect(await ofGlycerin()).toEqual(['Cream', 'Gel', 'Serum']);
    expect(await ofGlycerin('&minShare=0.2')).toEqual(['Cream', 'Gel', 'Serum']);
    expect(await ofGlycerin('&minShare=0.2000001')).toEqual(['Gel', 'Serum']);
    expect(await ofGlycerin('&maxShare=5')).toEqual(['Cream', 'Gel']);
    expect(await ofGlycerin('&minShare=5&maxShare=5')).toEqual(['Gel']);
    expect(await names(`ingredientId=${NOBODY}`)).toEqual([]);
  });

  it('refuses a share of no ingredient', async () => {
    const answer = await user.get('/api/ext/formulas?minShare=1&maxShare=2');
    expectError(
      answer,
      400,
      'minShare: 必须与 ingredientId 一起提供; maxShare: 必须与 ingredientId 一起提供',
    );
    expectError(await user.get('/api/ext/formulas?minShare=101'), 400, 'minShare: 不能大于100');
  });

  it('refuses a share between bounds that are reversed', async () => {
    const answer = await user.get(`/api/ext/formulas?ingredientId=${NOBODY}&minShare=6&maxShare=5`);
    expectError(answer, 400, 'minShare: 范围的下限6不能大于上限5');
  });

  it('filters by category, creator and time of change', async () => {
    expect(await names('category=humectant')).toEqual(['Cream', 'Gel', 'Serum']);
    expect(await names('category=colorant')).toEqual([]);
    expect(await names(`createdBy=${other.id}`)).toEqual(['Serum', 'Toner']);
    const { updatedAt } = listed.get('Toner') as { updatedAt: string };
    expect(await names(`changedSince=${updatedAt}`)).toContain('Toner');
    expect(await names(`changedSince=${updatedAt}`)).not.toContain('Cream');
    const later = new Date(Date.parse(updatedAt) + 1).toISOString();
    expect(await names(`changedSince=${later}`)).not.toContain('Toner');
    expect(await names('changedSince=2000-01-01')).toHaveLength(5);
    expect(await names('changedSince=0001-01-01')).toHaveLength(5);
    for (const plus of ['%2B', '+', '%20']) {
      expect(await names(`changedSince=9999-01-01T00:00${plus}14:00`)).toEqual([]);
      expect(await names(`changedSince=2000-01-01T00:00:00.5${plus}08:00`)).toHaveLength(5);
    }
  });

  it.each([
    '2026-02-30',
    '2026-01-31T25:00:00Z',
    '2026-01-31T08:00:00',
    '31.01.2026',
    '2026-W05',
    '2026-01-01T00:00%2B99:99',
    '2026-01-01+08:00',
    '2026-01-01T00:00++08:00',
    '1',
  ])('refuses %s as a time', async (time) => {
    const answer = await user.get(`/api/ext/formulas?changedSince=${time}`);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain('changedSince: 必须是日期');
  });

  it('joins filters, and searches among what they leave', async () => {
    expect(await names(`projectId=${project.id}&createdBy=${user.id}&category=humectant`)).toEqual(['Cream']);
    expect(await names('search=moist')).toEqual(['Cream', 'Gel', 'Toner']);
    expect(await names('search=moist&category=humectant')).toEqual(['Cream', 'Gel']);
    // There is a literal match, but not among these.
    expect(await names('search=serum&projectId=none')).toEqual([]);
  });

  it('forgives typing errors in a search where nothing of the list contains it', async () => {
    expect(await names('search=moisturicing&category=humectant')).toEqual(['Cream', 'Gel']);
    expect(await names(`search=moisturicing&createdBy=${other.id}`)).toEqual(['Toner']);
  });

  it('is sorted and paged as the contract, ties by id', async () => {
    for (const sortBy of ['createdAt', 'updatedAt', 'name']) {
      for (const sortOrder of ['asc', 'desc']) {
        const query = `sortBy=${sortBy}&sortOrder=${sortOrder}&limit=2&page=2`;
        const { text } = await user.get(`/api/ext/formulas?${query}&changedSince=2000-01-01`).expect(200);
        expect(text).toBe((await user.get(`/api/formulas?${query}`)).text);
      }
    }
    expect((await find('page=9&projectId=none')).pagination).toEqual({
      page: 9,
      limit: 20,
      total: 3,
      totalPages: 1,
    });
  });

  it.each(['projectId=x', 'ingredientId=none', 'createdBy=me', 'category=x', 'sortBy=id', 'limit=101'])(
    'refuses %s',
    async (query) => {
      expect((await user.get(`/api/ext/formulas?${query}`)).status).toBe(400);
    },
  );

  it('takes two statements, and four for a search that forgives', async () => {
    const query = `ingredientId=${glycerin.id}&minShare=1&category=humectant&projectId=none`;
    expect(await countStatements(() => find(query))).toBe(2);
    expect(await countStatements(() => find(`${query}&search=moisturicing`))).toBe(4);
  });
});

describe('GET /api/ext/ingredients/:id/formulas', () => {
  let oil: Ingredient;

  const oils = (...percentages: number[]) => [
    {
      name: '油相',
      sortOrder: 1,
      ingredients: [
        { ingredientId: oil.id, percentage: percentages[0]! },
        ...percentages.slice(1).map((percentage) => ({ ingredientId: oil.id, percentage })),
        { ingredientId: rest.id, percentage: 100 - percentages.reduce((sum, one) => sum + one) },
      ],
    },
  ];
  let rest: Ingredient;
  let ids: string[];

  beforeAll(async () => {
    [oil, rest] = [await createIngredient(user), await createIngredient(user)];
    const balm = await createFormula(user, oils(0.1, 0.2), { name: 'Balm' });
    const soap = await createFormula(other, wholeOf(rest.id), { name: 'Soap' });
    for (const phases of [oils(5), oils(2), wholeOf(rest.id)])
      await other.put(`/api/formulas/${soap.id}/composition`, { phases }).expect(200);
    await createFormula(user, wholeOf(rest.id), { name: 'Talc' });
    ids = [balm.id, soap.id];
  });

  const using = async (query = '') =>
    (await user.get(`/api/ext/ingredients/${oil.id}/formulas${query}`).expect(200)).body;

  it('lists the formulas whose latest version contains it, with the exact share', async () => {
    expect(await using()).toEqual({
      data: [
        {
          id: ids[0],
          name: 'Balm',
          currentVersion: 1,
          share: 0.3,
          versionCount: 1,
          firstVersion: 1,
          lastVersion: 1,
          minShare: 0.3,
          maxShare: 0.3,
        },
      ],
      pagination: { page: 1, limit: 20, total: 1, totalPages: 1 },
    });
  });

  it('lists those of earlier versions too, with their number and bounds', async () => {
    const { data, pagination } = await using('?versions=all&limit=1&page=2');
    expect(pagination).toMatchObject({ total: 2, totalPages: 2 });
    expect(data).toEqual([
      {
        id: ids[1],
        name: 'Soap',
        currentVersion: 4,
        share: null,
        versionCount: 2,
        firstVersion: 2,
        lastVersion: 3,
        minShare: 2,
        maxShare: 5,
      },
    ]);
    expect((await using('?versions=all&page=3')).data).toEqual([]);
  });

  it('knows no other versions and no other ingredients', async () => {
    const { id } = oil;
    expectError(
      await user.get(`/api/ext/ingredients/${id}/formulas?versions=1`),
      400,
      'versions: 必须是以下值之一: current, all',
    );
    for (const unknown of [NOBODY, 'x'])
      expectError(await user.get(`/api/ext/ingredients/${unknown}/formulas`), 404, '成分不存在');
  });

  it('takes three statements', async () => {
    expect(await countStatements(() => using('?versions=all'))).toBe(3);
  });
});

describe('GET /api/ext/formulas/:id', () => {
  let id: string;
  let oil: Ingredient;

  beforeAll(async () => {
    oil = await createIngredient(user, { unit: 'g', unitPrice: 0.5, functionCategory: 'emollient' });
    const unpriced = await createIngredient(user);
    const line = (ingredientId: string, percentage: number) => ({ ingredientId, percentage });
    const phases = [
      { name: 'A', sortOrder: 1, ingredients: [line(oil.id, 0.1), line(unpriced.id, 49.9)] },
      { name: 'B', sortOrder: 2, ingredients: [line(oil.id, 50)] },
    ];
    ({ id } = await createFormula(user, phases));
  });

  const expanded = (query = '') => user.get(`/api/ext/formulas/${id}${query}`);
  const ingredientsOf = (data: any): object[] =>
    data.versions[0].phases.flatMap(({ ingredients }: any) =>
      ingredients.map(({ ingredient }: any) => ingredient),
    );

  it("is the contract's record, with its tag", async () => {
    const contract = await user.get(`/api/formulas/${id}`).expect(200);
    for (const query of ['', '?expand=', '?expand=price,unit,category']) {
      const answer = await expanded(query).expect(200);
      expect(answer.headers.etag).toBe(contract.headers.etag);
      for (const ingredient of ingredientsOf(answer.body.data) as Record<string, unknown>[])
        for (const added of ['unitPrice', 'unit', 'functionCategory']) delete ingredient[added];
      expect(answer.body).toEqual(contract.body);
    }
    expect((await expanded()).text).toBe(contract.text);
  });

  it('has what is asked for in each line, and nothing else', async () => {
    const named = { id: oil.id, inciName: oil.inciName, chineseName: oil.chineseName };
    const all = ingredientsOf((await expanded('?expand=category,price,unit')).body.data);
    expect(all).toEqual([
      { ...named, unitPrice: 0.5, unit: 'g', functionCategory: 'emollient' },
      expect.objectContaining({ unitPrice: null, unit: 'kg', functionCategory: 'other' }),
      { ...named, unitPrice: 0.5, unit: 'g', functionCategory: 'emollient' },
    ]);
    expect(ingredientsOf((await expanded('?expand=unit')).body.data)[0]).toEqual({ ...named, unit: 'g' });
  });

  it.each(['cost', 'price,cost', 'price,', 'Price', 'constructor'])('refuses %s', async (words) => {
    expectError(await expanded(`?expand=${words}`), 400, 'expand: 必须是以下值之一: price, unit, category');
  });

  it('knows no other formula, and takes three statements', async () => {
    for (const unknown of [NOBODY, 'x'])
      expectError(await user.get(`/api/ext/formulas/${unknown}?expand=unit`), 404, '配方不存在');
    expect(await countStatements(() => expanded('?expand=price,unit').expect(200))).toBe(3);
  });
});

describe('POST /api/ext/formulas/move', () => {
  let project: { id: string };
  let ingredient: Ingredient;
  beforeAll(async () => {
    project = await createProject(other);
    ingredient = await createIngredient(user);
  });

  const add = async (account: Account, overrides: object = {}): Promise<string> =>
    (await createFormula(account, wholeOf(ingredient.id), overrides)).id;
  const move = (ids: unknown, projectId: unknown, account = user) =>
    account.post('/api/ext/formulas/move', { ids, projectId });
  const read = async (id: string) => (await user.get(`/api/formulas/${id}`).expect(200)).body.data;

  it('puts formulas into a project and out of it, without a new version', async () => {
    const ids = [await add(user), await add(user, { projectId: project.id })];
    const before = [await read(ids[0]!), await read(ids[1]!)];
    const { body } = await move([...ids, ids[0]!.toUpperCase()], project.id.toUpperCase()).expect(200);
    expect(body).toEqual({ data: { projectId: project.id, moved: [ids[0]] } });
    const { updatedAt, ...moved } = await read(ids[0]!);
    expect(moved).toEqual({
      ...before[0],
      updatedAt: undefined,
      projectId: project.id,
      project: { id: project.id, name: '测试项目' },
    });
    expect(Date.parse(updatedAt)).toBeGreaterThan(Date.parse(before[0].updatedAt));
    // It was there already.
    expect(await read(ids[1]!)).toEqual(before[1]);
    expect((await move(ids, null)).body.data).toEqual({ projectId: null, moved: ids });
    expect((await read(ids[1]!)).project).toBeNull();
  });

  it('is of all or of none', async () => {
    const [mine, theirs] = [await add(user), await add(other)];
    expectError(await move([mine, theirs], project.id), 403, '无权限执行此操作');
    expectError(await move([mine, NOBODY], project.id), 400, 'ids.1: 配方不存在');
    expectError(await move([mine], NOBODY), 400, 'projectId: 项目不存在');
    expect((await read(mine)).project).toBeNull();
  });

  it.each([
    [[], null, 'ids: 至少需要1项'],
    [['x'], null, 'ids: 第1项必须是 UUID'],
    [Array.from({ length: 201 }, () => NOBODY), null, 'ids: 不能超过200项'],
    [[NOBODY], undefined, 'projectId: 必须提供,不归入任何项目时为 null'],
    [[NOBODY], 'none', 'projectId: 必须是 UUID'],
    [undefined, null, 'ids: 不能为空'],
  ])('refuses what is incomplete: %#', async (ids, projectId, message) => {
    expectError(await move(ids, projectId), 400, message);
  });

  it('takes the same number of statements for one and for many', async () => {
    const one = await add(user);
    const many = [await add(user), await add(user), await add(user), await add(user)];
    const ofOne = await countStatements(() => move([one], project.id).expect(200));
    expect(await countStatements(() => move(many, project.id).expect(200))).toBe(ofOne);
    expect(ofOne).toBeLessThanOrEqual(6);
  });

  it('lets two that cross wait for each other', async () => {
    const ids: string[] = [];
    for (let number = 0; number < 20; number++) ids.push(await add(user));
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, n) => move(n % 2 ? ids : [...ids].reverse(), n % 2 ? project.id : null)),
    );
    for (const { status } of answers) expect(status).toBe(200);
    expect(new Set(await Promise.all(ids.map(async (id) => (await read(id)).projectId))).size).toBe(1);
  });
});

describe('GET /api/ext/ingredients', () => {
  let ids: Record<string, string>;

  beforeAll(async () => {
    await service.app
      .get(DataSource)
      .query('TRUNCATE formulas, formula_versions, formula_phases, formula_ingredients CASCADE');
    await service.app.get(DataSource).query('DELETE FROM ingredients');
    ids = {};
    const add = async (inciName: string, rest: object) => {
      ids[inciName] = (await createIngredient(user, { inciName, ...rest })).id;
    };
    await add('Glycerin', { supplier: 'ＡＣＭＥ 化工', unitPrice: 8, functionCategory: 'humectant' });
    await add('Glycerin Stearate', { supplier: 'Basics', unitPrice: 50.5, functionCategory: 'emulsifier' });
    await add('Polyglycerin-3', { unitPrice: 0 });
    await add('Aqua', { functionCategory: 'other' });
    const compose = (name: string, substances: object[]) =>
      user.put(`/api/ext/ingredients/${ids[name]}/composition`, { substances }).expect(200);
    await compose('Glycerin', [{ inciName: 'Glycerin', casNumber: '56-81-5', percentage: 100 }]);
    await compose('Polyglycerin-3', [
      { inciName: 'Polyglycerin-3', percentage: 99 },
      { inciName: 'Glycerin', casNumber: '56-81-5', percentage: 1 },
    ]);
  });

  const find = async (query: string) => (await user.get(`/api/ext/ingredients?${query}`).expect(200)).body;
  const names = async (query: string) =>
    (await find(query)).data.map(({ inciName }: { inciName: string }) => inciName);

  it('lists what the contract lists, key for key and in its order', async () => {
    for (const query of ['', 'search=glycerin', 'category=humectant', 'limit=2&page=2', 'search=y&limit=1'])
      expect((await user.get(`/api/ext/ingredients?${query}`)).text).toBe(
        (await user.get(`/api/ingredients?${query}`)).text,
      );
    expect(await names('search=glycerin&minPrice=0')).toEqual([
      'Glycerin',
      'Glycerin Stearate',
      'Polyglycerin-3',
    ]);
  });

  it('filters by ids', async () => {
    expect(await names(`ids=${ids.Aqua},${ids.Glycerin!.toUpperCase()},${NOBODY}`)).toEqual([
      'Aqua',
      'Glycerin',
    ]);
    const many = Array.from({ length: 200 }, () => NOBODY).join(',');
    expect(await names(`ids=${many}`)).toEqual([]);
    expectError(await user.get(`/api/ext/ingredients?ids=${many},${NOBODY}`), 400, 'ids: 不能超过200项');
    expectError(await user.get(`/api/ext/ingredients?ids=${NOBODY},x`), 400, 'ids: 第2项必须是 UUID');
  });

  it('does not take an empty list of ids for all ingredients', async () => {
    for (const query of ['ids=', 'ids=%20', 'ids=&limit=100'])
      expectError(await user.get(`/api/ext/ingredients?${query}`), 400, 'ids: 不能为空');
    for (const query of ['ids=,', `ids=${NOBODY},`])
      expect((await user.get(`/api/ext/ingredients?${query}`)).status).toBe(400);
  });

  it('answers with all of the ids, unless a limit is given', async () => {
    const added: string[] = [];
    for (let number = 0; number < 25; number++) added.push((await createIngredient(user)).id);
    const { data, pagination } = await find(`ids=${added.join(',')}`);
    expect(new Set(data.map(({ id }: { id: string }) => id))).toEqual(new Set(added));
    expect(pagination).toEqual({ page: 1, limit: 25, total: 25, totalPages: 1 });
    expect((await find(`ids=${added.join(',')}&limit=7&page=4`)).data).toHaveLength(4);
    for (const id of added) await user.delete(`/api/ingredients/${id}`).expect(204);
  });

  it('filters by a part of the supplier, whatever its width and case', async () => {
    expect(await names('supplier=acme')).toEqual(['Glycerin']);
    expect(await names(`supplier=${encodeURIComponent(' 化工 ')}`)).toEqual(['Glycerin']);
    expect(await names('supplier=%25')).toEqual([]);
  });

  it('filters by price, both bounds inclusive; what has none is not found', async () => {
    expect(await names('minPrice=8&sortBy=unitPrice')).toEqual(['Glycerin', 'Glycerin Stearate']);
    expect(await names('maxPrice=8&sortBy=unitPrice&sortOrder=desc')).toEqual(['Glycerin', 'Polyglycerin-3']);
    expect(await names('minPrice=50.5&maxPrice=50.5')).toEqual(['Glycerin Stearate']);
    const reversed = await user.get('/api/ext/ingredients?minPrice=9.5&maxPrice=8');
    expectError(reversed, 400, 'minPrice: 范围的下限9.5不能大于上限8');
  });

  it('filters by the CAS number of the only substance', async () => {
    expect(await names('casNumber=56-81-5')).toEqual(['Glycerin']);
    expect(await names('casNumber=7732-18-5')).toEqual([]);
    for (const written of ['５６－８１－５', ' 56-81-5\u3000', '56‐81‑5', '56–81—5', '56―81−5', '56‒81-5'])
      expect(await names(`casNumber=${encodeURIComponent(written)}`)).toEqual(['Glycerin']);
    expectError(
      await user.get('/api/ext/ingredients?casNumber=56-81-4'),
      400,
      'casNumber: 56-81-4 的校验位有误,应为5',
    );
  });

  it('sorts, and puts what has no value last', async () => {
    expect(await names('sortBy=inciName')).toEqual([
      'Aqua',
      'Glycerin',
      'Glycerin Stearate',
      'Polyglycerin-3',
    ]);
    expect(await names('sortBy=inciName&sortOrder=desc&search=glyc')).toEqual([
      'Polyglycerin-3',
      'Glycerin Stearate',
      'Glycerin',
    ]);
    for (const sortOrder of ['asc', 'desc'])
      expect((await names(`sortBy=unitPrice&sortOrder=${sortOrder}`)).at(-1)).toBe('Aqua');
  });

  it('counts what it finds, and takes two statements', async () => {
    expect((await find('minPrice=0&limit=2')).pagination).toEqual({
      page: 1,
      limit: 2,
      total: 3,
      totalPages: 2,
    });
    expect(await countStatements(() => find('supplier=acme&casNumber=56-81-5&search=gly'))).toBe(2);
  });
});
