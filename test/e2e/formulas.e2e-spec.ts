import { DataSource } from 'typeorm';
import { UsersRepository } from '../../src/users/users.repository';
import type { UpdateFormulaDto } from '../../src/formulas/formula.dto';
import { FormulasService } from '../../src/formulas/formulas.service';
import {
  expectDeleted,
  expectError,
  expectKeys,
  FORBIDDEN,
  NOWHERE,
  TIMESTAMP,
  UNAUTHORIZED,
  UUID,
} from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  createFormula,
  createIngredient,
  createProject,
  type Ingredient,
  phasesOf,
  wholeOf,
} from '../support/factories';
import { countStatements } from '../support/statements';

const NOT_FOUND = '配方不存在';
const METADATA = [
  'id',
  'name',
  'description',
  'projectId',
  'currentVersion',
  'createdBy',
  'createdAt',
  'updatedAt',
  'project',
];
const VERSION = ['id', 'versionNumber', 'description', 'snapshotData', 'createdBy', 'createdAt', 'phases'];
const PHASE = ['id', 'formulaId', 'name', 'sortOrder', 'ingredients'];
const LINE = ['id', 'ingredientId', 'percentage', 'processNotes', 'ingredient'];

const sumError = (sum: string) => `phases: 所有成分百分比之和必须在99.5到100.5之间,当前为${sum}`;

let service: TestApp;
let user: Account;
let other: Account;
let admin: Account;
let database: DataSource;
let water: Ingredient;
let glycerin: Ingredient;

beforeAll(async () => {
  service = await bootApp();
  [user, other, admin] = [await service.register(), await service.register(), await service.register()];
  await service.app.get(UsersRepository).setRole(admin.username, 'admin');
  database = service.app.get(DataSource);
  water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水' });
  glycerin = await createIngredient(user, { inciName: 'Glycerin', chineseName: '甘油' });
});

afterAll(() => service.close());

const post = (body: object) => user.post('/api/formulas', body);
const revise = (id: string, phases: unknown, account = user) =>
  account.put(`/api/formulas/${id}/composition`, { phases });
const read = async (id: string) => (await user.get(`/api/formulas/${id}`).expect(200)).body.data;
const create = (overrides: object = {}) => createFormula(user, wholeOf(water.id), overrides);
const rowsOf = async (table: string) => {
  const [row] = await database.query<{ count: number }[]>(`SELECT count(*) AS count FROM ${table}`);
  return Number(row!.count);
};
const allRows = async () => {
  const tables = ['formulas', 'formula_versions', 'formula_phases', 'formula_ingredients'];
  return Promise.all(tables.map(rowsOf));
};

/** A cream of two phases, sent in the opposite order of their sortOrder. */
const cream = () => [
  {
    name: '油相',
    sortOrder: 2,
    ingredients: [{ ingredientId: glycerin.id, percentage: 20.5, processNotes: '加热至75℃' }],
  },
  {
    name: '水相',
    sortOrder: 1,
    ingredients: [
      { ingredientId: water.id, percentage: 70, processNotes: null },
      { ingredientId: glycerin.id, percentage: 9.5 },
    ],
  },
];

describe('POST /api/formulas', () => {
  it('creates version 1 with phases and lines, and answers with exactly that', async () => {
    const project = await createProject(user, { name: '春季' });
    const input = { name: '保湿霜', description: '轻盈', projectId: project.id, phases: cream() };
    const { status, body } = await post(input);
    expect(status).toBe(201);
    expectKeys(body, ['data']);
    const formula = body.data;
    expectKeys(formula, [...METADATA, 'versions']);
    expect(formula).toMatchObject({
      id: expect.stringMatching(UUID),
      name: '保湿霜',
      description: '轻盈',
      projectId: project.id,
      currentVersion: 1,
      createdBy: user.id,
      createdAt: expect.stringMatching(TIMESTAMP),
      updatedAt: formula.createdAt,
      project: { id: project.id, name: '春季' },
    });
    expectKeys(formula.project, ['id', 'name']);

    expect(formula.versions).toHaveLength(1);
    const [version] = formula.versions;
    expectKeys(version, VERSION);
    expect(version).toMatchObject({
      id: expect.stringMatching(UUID),
      versionNumber: 1,
      description: null,
      createdBy: user.id,
      createdAt: formula.createdAt,
    });

    for (const phase of version.phases) {
      expectKeys(phase, PHASE);
      for (const line of phase.ingredients) {
        expectKeys(line, LINE);
        expectKeys(line.ingredient, ['id', 'inciName', 'chineseName']);
      }
    }
    const line = (ingredient: Ingredient, percentage: number, processNotes: string | null) => ({
      id: expect.stringMatching(UUID),
      ingredientId: ingredient.id,
      percentage,
      processNotes,
      ingredient: {
        id: ingredient.id,
        inciName: ingredient.inciName,
        chineseName: ingredient.chineseName,
      },
    });
    const phase = (name: string, sortOrder: number, ingredients: object[]) => ({
      id: expect.stringMatching(UUID),
      formulaId: version.id,
      name,
      sortOrder,
      ingredients,
    });
    expect(version.phases).toEqual([
      phase('水相', 1, [line(water, 70, null), line(glycerin, 9.5, null)]),
      phase('油相', 2, [line(glycerin, 20.5, '加热至75℃')]),
    ]);

    const snapshotLine = ({ id, inciName, chineseName }: Ingredient, more: object) => ({
      ingredientId: id,
      inciName,
      chineseName,
      ...more,
    });
    expect(version.snapshotData).toEqual({
      phases: [
        {
          name: '水相',
          sortOrder: 1,
          ingredients: [
            snapshotLine(water, { percentage: 70, processNotes: null }),
            snapshotLine(glycerin, { percentage: 9.5, processNotes: null }),
          ],
        },
        {
          name: '油相',
          sortOrder: 2,
          ingredients: [snapshotLine(glycerin, { percentage: 20.5, processNotes: '加热至75℃' })],
        },
      ],
    });

    expect((await user.get(`/api/formulas/${formula.id}`).expect(200)).body).toEqual(body);
  });

  it.each([
    ['absent', {}],
    ['null', { description: null, projectId: null }],
  ])('takes optional fields that are %s as null', async (_, optional) => {
    expect(await create(optional)).toMatchObject({ description: null, projectId: null, project: null });
  });

  it('ignores unknown fields at every depth', async () => {
    const phases = [
      {
        ...wholeOf(water.id)[0]!,
        id: NOWHERE,
        extra: 1,
        ingredients: [{ ingredientId: water.id, percentage: 100, extra: {}, position: 9 }],
      },
    ];
    const formula = await createFormula(user, phases, {
      id: NOWHERE,
      createdBy: other.id,
      currentVersion: 7,
      embedding: [1],
      versions: [],
    });
    expectKeys(formula, [...METADATA, 'versions']);
    expect(formula).toMatchObject({ currentVersion: 1, createdBy: user.id });
    expect(formula.id).not.toBe(NOWHERE);
    expect(JSON.stringify(formula)).not.toContain('extra');
  });

  it('has versions that the database holds to be numbered from 1', async () => {
    const { id } = await create();
    const number = (of: number) =>
      database.query('UPDATE formula_versions SET version_number = $2 WHERE formula_id = $1', [id, of]);
    await expect(number(0)).rejects.toThrow('check constraint');
    await number(1);
  });

  it('may refer to anybody’s project', async () => {
    const project = await createProject(other);
    expect((await create({ projectId: project.id })).project.id).toBe(project.id);
  });

  it('allows the same ingredient and the same sortOrder twice, and negative ones', async () => {
    const phases = [
      { name: '丙', sortOrder: 0, ingredients: [{ ingredientId: water.id, percentage: 30 }] },
      { name: '甲', sortOrder: 0, ingredients: [{ ingredientId: water.id, percentage: 30 }] },
      {
        name: '乙',
        sortOrder: -2147483648,
        ingredients: [1, 2, 3, 4].map((n) => ({ ingredientId: water.id, percentage: n })),
      },
      { name: '丁', sortOrder: 2147483647, ingredients: [{ ingredientId: water.id, percentage: 30 }] },
    ];
    const { versions } = await createFormula(user, phases);
    expect(versions[0].phases.map(({ name }: { name: string }) => name)).toEqual(['乙', '丙', '甲', '丁']);
    expect(versions[0].snapshotData.phases.map(({ name }: { name: string }) => name)).toEqual([
      '乙',
      '丙',
      '甲',
      '丁',
    ]);
  });

  it('keeps phases of one sortOrder in the order they were sent', async () => {
    const names = ['己', '甲', '戊', '乙', '丁', '丙', '辛', '庚'];
    const ingredients = [{ ingredientId: water.id, percentage: 12.5 }];
    const created = await createFormula(
      user,
      names.map((name) => ({ name, sortOrder: 1, ingredients })),
    );
    for (const formula of [created, await read(created.id)]) {
      const [{ phases, snapshotData }] = formula.versions;
      expect(phases.map(({ name }: { name: string }) => name)).toEqual(names);
      expect(snapshotData.phases.map(({ name }: { name: string }) => name)).toEqual(names);
    }
  });

  it('keeps lines in the order they were sent', async () => {
    const percentages = [9, 1, 8, 2, 7, 3, 6, 4, 5, 10, 45];
    const formula = await createFormula(user, phasesOf(water.id, percentages));
    const lines = (await read(formula.id)).versions[0].phases[0].ingredients;
    expect(lines.map(({ percentage }: { percentage: number }) => percentage)).toEqual(percentages);
  });

  const withPhases = (phases: unknown) => ({ name: '配方', phases });
  const withPhase = (phase: object) => withPhases([{ name: '相', sortOrder: 1, ingredients: 'x', ...phase }]);
  const withLine = (line: object) =>
    withPhase({ ingredients: [{ ingredientId: NOWHERE, percentage: 100, ...line }] });

  it.each([
    ['nothing', {}, 'name: 不能为空; phases: 不能为空'],
    ['no name', { phases: wholeOf(NOWHERE) }, 'name: 不能为空'],
    ['a null name', { name: null, phases: wholeOf(NOWHERE) }, 'name: 不能为空'],
    ['a blank name', { name: ' 　', phases: wholeOf(NOWHERE) }, 'name: 不能为空'],
    ['a long name', { name: '长'.repeat(201), phases: wholeOf(NOWHERE) }, 'name: 不能超过200个字符'],
    [
      'a long description',
      { name: 'x', description: 'x'.repeat(2001), phases: wholeOf(NOWHERE) },
      'description: 不能超过2000个字符',
    ],
    ['a projectId that is no UUID', { ...withLine({}), projectId: '1' }, 'projectId: 必须是 UUID'],
    ['an empty projectId', { ...withLine({}), projectId: '' }, 'projectId: 必须是 UUID'],
    ['null phases', withPhases(null), 'phases: 不能为空'],
    ['no phase', withPhases([]), 'phases: 至少需要1项'],
    ['phases that are no array', withPhases({ 0: {} }), 'phases: 必须是数组'],
    ['a phase that is no object', withPhases([5]), 'phases: 第1项必须是对象'],
    ['a null phase', withPhases([null]), 'phases: 第1项必须是对象'],
    ['a phase that is an array', withPhases([[]]), 'phases: 第1项必须是对象'],
    ['a phase without lines', withPhase({ ingredients: [] }), 'phases.0.ingredients: 至少需要1项'],
    ['a phase with null lines', withPhase({ ingredients: null }), 'phases.0.ingredients: 不能为空'],
    ['lines that are no array', withPhase({}), 'phases.0.ingredients: 必须是数组'],
    ['a line that is no object', withPhase({ ingredients: ['x'] }), 'phases.0.ingredients: 第1项必须是对象'],
    ['a percentage of zero', withLine({ percentage: 0 }), 'phases.0.ingredients.0.percentage: 必须大于0'],
    ['a negative percentage', withLine({ percentage: -1 }), 'phases.0.ingredients.0.percentage: 必须大于0'],
    [
      'a percentage just above 100',
      withLine({ percentage: 100.00000000000001 }),
      'phases.0.ingredients.0.percentage: 不能大于100',
    ],
    [
      'a percentage as text',
      withLine({ percentage: '100' }),
      'phases.0.ingredients.0.percentage: 必须是数字',
    ],
    ['no percentage', withLine({ percentage: null }), 'phases.0.ingredients.0.percentage: 不能为空'],
    ['no ingredient', withLine({ ingredientId: null }), 'phases.0.ingredients.0.ingredientId: 不能为空'],
    [
      'an ingredientId that is no UUID',
      withLine({ ingredientId: 'aqua' }),
      'phases.0.ingredients.0.ingredientId: 必须是 UUID',
    ],
    [
      'notes of a wrong type',
      withLine({ processNotes: 1 }),
      'phases.0.ingredients.0.processNotes: 必须是字符串',
    ],
    [
      'long notes',
      withLine({ processNotes: 'x'.repeat(2001) }),
      'phases.0.ingredients.0.processNotes: 不能超过2000个字符',
    ],
  ])('refuses %s', async (_, body, error) => {
    expectError(await post(body), 400, error);
  });

  it.each([
    [{ name: '' }, 'name: 不能为空'],
    [{ name: undefined }, 'name: 不能为空'],
    [{ name: 'x'.repeat(201) }, 'name: 不能超过200个字符'],
    [{ sortOrder: undefined }, 'sortOrder: 不能为空'],
    [{ sortOrder: null }, 'sortOrder: 不能为空'],
    [{ sortOrder: 1.5 }, 'sortOrder: 必须是整数'],
    [{ sortOrder: '1' }, 'sortOrder: 必须是整数'],
    [{ sortOrder: 2147483648 }, 'sortOrder: 不能大于2147483647'],
    [{ sortOrder: -2147483649 }, 'sortOrder: 不能小于-2147483648'],
  ])('refuses a phase with %j', async (wrong, error) => {
    const phases = [{ ...wholeOf(water.id)[0]!, ...wrong }];
    expectError(await post({ name: 'x', phases }), 400, `phases.0.${error}`);
  });

  it('tells every fault, with its path', async () => {
    const phases = [
      { name: '甲', sortOrder: 1, ingredients: [{ ingredientId: water.id, percentage: 50 }] },
      { sortOrder: 'x', ingredients: [{ percentage: 0 }, { ingredientId: 1, percentage: 101 }] },
    ];
    expectError(
      await post({ name: 'x', phases }),
      400,
      [
        'phases.1.name: 不能为空',
        'phases.1.sortOrder: 必须是整数',
        'phases.1.ingredients.0.ingredientId: 不能为空',
        'phases.1.ingredients.0.percentage: 必须大于0',
        'phases.1.ingredients.1.ingredientId: 必须是 UUID',
        'phases.1.ingredients.1.percentage: 不能大于100',
      ].join('; '),
    );
  });

  describe('the sum of percentages', () => {
    it.each([
      [[99.5]],
      [[99.5, 1]],
      [[100, 0.5]],
      [[32.6, 43.2, 24.7]],
      [[33.3, 33.3, 33.4]],
      [[0.1, 0.2, 99.2]],
      [[...Array.from({ length: 999 }, () => 0.1), 0.6]],
    ])('%j is inside', async (percentages) => {
      await post({ name: '和', phases: phasesOf(water.id, percentages) }).expect(201);
    });

    it.each([
      [[99.49999999999999], '99.49999999999999'],
      [[100, 0.5, 1e-9], '100.500000001'],
      [[32.6, 43.2, 24.7, 0.01], '100.51'],
      [[50, 49.4], '99.4'],
      [[100, 100], '200'],
    ])('%j is outside', async (percentages, sum) => {
      expectError(await post({ name: '和', phases: phasesOf(water.id, percentages) }), 400, sumError(sum));
    });

    it('goes over all phases', async () => {
      await post({ name: '和', phases: phasesOf(water.id, [32.6], [43.2], [24.7]) }).expect(201);
      expectError(
        await post({ name: '和', phases: phasesOf(water.id, [99.5], [99.5]) }),
        400,
        sumError('199'),
      );
    });
  });

  it.each([1e-7, 0.1, 33.333333333333336, 99.99999999999999, 5e-324])(
    'a percentage of %d reads back exactly, from the lines and the snapshot',
    async (percentage) => {
      const formula = await createFormula(user, phasesOf(water.id, [percentage, 100 - percentage]));
      for (const { versions } of [formula, await read(formula.id)]) {
        expect(versions[0].phases[0].ingredients[0].percentage).toBe(percentage);
        expect(versions[0].snapshotData.phases[0].ingredients[0].percentage).toBe(percentage);
      }
    },
  );

  it('texts read back exactly', async () => {
    const text = ' "x"\t\\u0041 \\ %_ <b>𠮷</b>\r\n\u2028\u007f{},NULL ';
    const [phase] = wholeOf(water.id);
    const phases = [
      { ...phase, name: text, ingredients: [{ ...phase!.ingredients[0], processNotes: text }] },
    ];
    const { body } = await post({ name: text, description: text, phases }).expect(201);
    const formula = await read(body.data.id);
    expect(formula).toEqual(body.data);
    expect(formula).toMatchObject({ name: text, description: text });
    const [version] = formula.versions;
    expect(version.phases[0]).toMatchObject({ name: text, ingredients: [{ processNotes: text }] });
    expect(version.snapshotData.phases[0]).toMatchObject({
      name: text,
      ingredients: [{ processNotes: text }],
    });
  });

  it('an empty or literal-looking text stays what it is', async () => {
    const [phase] = wholeOf(water.id);
    const phases = ['', 'null', 'NULL'].map((processNotes, index) => ({
      ...phase!,
      name: 'NULL',
      sortOrder: index,
      ingredients: [{ ingredientId: water.id, percentage: index === 0 ? 98 : 1, processNotes }],
    }));
    const formula = await createFormula(user, phases, { description: '' });
    expect(formula.description).toBe('');
    expect(
      formula.versions[0].phases.map(
        (p: { ingredients: { processNotes: string }[] }) => p.ingredients[0]!.processNotes,
      ),
    ).toEqual(['', 'null', 'NULL']);
  });

  it('names every unknown reference with its path, and writes nothing', async () => {
    const project = await createProject(user);
    const before = await allRows();
    const phases = [
      {
        name: '甲',
        sortOrder: 1,
        ingredients: [
          { ingredientId: water.id.toUpperCase(), percentage: 50 },
          { ingredientId: NOWHERE.toUpperCase(), percentage: 25 },
        ],
      },
      { name: '乙', sortOrder: 2, ingredients: [{ ingredientId: NOWHERE, percentage: 25 }] },
    ];
    expectError(
      await post({ name: 'x', projectId: NOWHERE, phases }),
      400,
      'projectId: 项目不存在; phases.0.ingredients.1.ingredientId: 成分不存在; phases.1.ingredients.0.ingredientId: 成分不存在',
    );
    expectError(
      await post({ name: 'x', projectId: project.id, phases: wholeOf(NOWHERE) }),
      400,
      'phases.0.ingredients.0.ingredientId: 成分不存在',
    );
    expectError(
      await post({ name: 'x', projectId: NOWHERE, phases: wholeOf(water.id) }),
      400,
      'projectId: 项目不存在',
    );
    expect(await allRows()).toEqual(before);
  });

  it('answers in order: 401, shape, sum, references', async () => {
    const unsigned = service.http.post('/api/formulas').send({});
    expectError(await unsigned, 401, UNAUTHORIZED);
    const bad = { name: '', projectId: NOWHERE, phases: phasesOf(NOWHERE, [1]) };
    expectError(await post(bad), 400, 'name: 不能为空');
    expectError(await post({ ...bad, name: 'x' }), 400, sumError('1'));
  });

  it('takes ids in capitals', async () => {
    const project = await createProject(user);
    const formula = await createFormula(user, wholeOf(water.id.toUpperCase()), {
      projectId: project.id.toUpperCase(),
    });
    expect(formula.projectId).toBe(project.id);
    expect(formula.versions[0].phases[0].ingredients[0].ingredientId).toBe(water.id);
  });
});

describe('GET /api/formulas/:id', () => {
  it.each([NOWHERE, 'x', '%20'])('%s: 404', async (id) => {
    expectError(await user.get(`/api/formulas/${id}`), 404, NOT_FOUND);
  });

  it('shows anybody’s formula to anybody signed in', async () => {
    const formula = await create();
    expect((await other.get(`/api/formulas/${formula.id}`).expect(200)).body).toEqual({ data: formula });
  });

  it('takes two statements, whatever the size', async () => {
    const small = await create();
    const large = await createFormula(
      user,
      Array.from({ length: 50 }, (_, index) => ({
        name: `相${index}`,
        sortOrder: index,
        ingredients: Array.from({ length: 20 }, () => ({ ingredientId: water.id, percentage: 0.1 })),
      })),
    );
    expect(large.versions[0].phases).toHaveLength(50);
    for (const { id } of [small, large]) expect(await countStatements(() => read(id))).toBe(2);
  });

  it('the catalogue’s present names are in the lines, those of then in the snapshot', async () => {
    const renamed = await createIngredient(user, { inciName: 'Old', chineseName: '旧' });
    const { id } = await createFormula(user, wholeOf(renamed.id));
    await user.put(`/api/ingredients/${renamed.id}`, { inciName: 'New', chineseName: '新' }).expect(200);
    const [version] = (await read(id)).versions;
    expect(version.phases[0].ingredients[0].ingredient).toEqual({
      id: renamed.id,
      inciName: 'New',
      chineseName: '新',
    });
    expect(version.snapshotData.phases[0].ingredients[0]).toMatchObject({
      inciName: 'Old',
      chineseName: '旧',
    });
    const { body } = await revise(id, wholeOf(renamed.id)).expect(200);
    expect(body.data.versions[0].snapshotData.phases[0].ingredients[0].inciName).toBe('New');
  });
});

describe('PUT /api/formulas/:id', () => {
  const put = (id: string, body: object, account = user) => account.put(`/api/formulas/${id}`, body);

  it('changes metadata only, and answers with exactly the metadata', async () => {
    const project = await createProject(user);
    const formula = await create({ projectId: project.id, description: '旧' });
    const { status, body } = await put(formula.id, { name: '新名', description: '新' });
    expect(status).toBe(200);
    expectKeys(body, ['data']);
    expectKeys(body.data, METADATA);
    const { versions, ...metadata } = formula;
    expect(body.data).toEqual({
      ...metadata,
      name: '新名',
      description: '新',
      updatedAt: expect.stringMatching(TIMESTAMP),
    });
    expect(body.data.updatedAt >= formula.updatedAt).toBe(true);
    expect(await read(formula.id)).toEqual({ ...body.data, versions });
  });

  it('ignores what is no metadata', async () => {
    const formula = await create();
    await put(formula.id, { projectId: NOWHERE }).expect(200);
    const { body } = await put(formula.id, {
      projectId: 'not even an id',
      currentVersion: 9,
      createdBy: other.id,
      phases: [],
    }).expect(200);
    const { versions: _, ...metadata } = formula;
    expect(body.data).toEqual(metadata);
  });

  it('changes no project for a caller in the process either', async () => {
    const project = await createProject(user);
    const formula = await create({ projectId: project.id });
    const input = { name: '新名', projectId: null } as UpdateFormulaDto;
    const changed = await service.app
      .get(FormulasService)
      .updateMetadata({ id: user.id, username: user.username, role: 'engineer' }, formula.id, input);
    expect(changed.parse()).toMatchObject({ name: '新名', projectId: project.id });
  });

  it('{} changes nothing, updatedAt neither; null clears the description only', async () => {
    const formula = await create({ description: '旧' });
    const { versions: _, ...metadata } = formula;
    expect((await put(formula.id, {}).expect(200)).body.data).toEqual(metadata);
    const { body } = await put(formula.id, { description: null }).expect(200);
    expect(body.data).toMatchObject({ name: formula.name, description: null });
    expectError(await put(formula.id, { name: null }), 400, 'name: 不能为空');
    expectError(await put(formula.id, { name: ' ' }), 400, 'name: 不能为空');
  });

  it('moves updatedAt', async () => {
    const formula = await create();
    await database.query(`UPDATE formulas SET updated_at = '2020-01-01' WHERE id = $1`, [formula.id]);
    const { body } = await put(formula.id, { name: formula.name }).expect(200);
    expect(body.data.updatedAt >= formula.updatedAt).toBe(true);
    expect(body.data.createdAt).toBe(formula.createdAt);
  });

  it('answers in order: 401, 400, 404, 403', async () => {
    const { id } = await create();
    expectError(await service.http.put(`/api/formulas/${id}`).send({ name: '' }), 401, UNAUTHORIZED);
    expectError(await put(NOWHERE, { name: '' }, other), 400, 'name: 不能为空');
    expectError(await put('x', { name: 'x' }, other), 404, NOT_FOUND);
    expectError(await put(NOWHERE, {}, other), 404, NOT_FOUND);
    expectError(await put(id, { name: 'x' }, other), 403, FORBIDDEN);
    expectError(await put(id, {}, other), 403, FORBIDDEN);
    const { body } = await put(id, { name: '管理员' }, admin).expect(200);
    expect(body.data).toMatchObject({ name: '管理员', createdBy: user.id });
  });
});

describe('PUT /api/formulas/:id/composition', () => {
  it('describes the version, never the formula, in at most 2000 characters', async () => {
    const { id, description } = await create({ description: '配方的说明' });
    expect(description).toBe('配方的说明');
    const put = (given: object) =>
      user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(water.id), ...given });
    const described = async (given: object, expected: string | null) => {
      const { body } = await put(given).expect(200);
      expect(body.data).toMatchObject({ description: '配方的说明', versions: [{ description: expected }] });
      expect(await read(id)).toEqual(body.data);
    };
    await described({ description: '提高甘油用量' }, '提高甘油用量');
    await described({}, null);
    await described({ description: null }, null);
    await described({ description: '水'.repeat(2000) }, '水'.repeat(2000));
    expectError(await put({ description: '水'.repeat(2001) }), 400, 'description: 不能超过2000个字符');
    expectError(await put({ description: 5 }), 400, 'description: 必须是字符串');
    const stored = await database.query<{ description: string | null }[]>(
      'SELECT description FROM formula_versions WHERE formula_id = $1 ORDER BY version_number',
      [id],
    );
    expect(stored.map((row) => row.description)).toEqual([
      null,
      '提高甘油用量',
      null,
      null,
      '水'.repeat(2000),
    ]);
  });

  it('creates the next version and shows only that', async () => {
    const formula = await createFormula(user, cream(), { description: '旧' });
    const { status, body } = await revise(formula.id, wholeOf(glycerin.id));
    expect(status).toBe(200);
    expectKeys(body, ['data']);
    expectKeys(body.data, [...METADATA, 'versions']);
    expect(body.data).toMatchObject({
      id: formula.id,
      name: formula.name,
      description: '旧',
      currentVersion: 2,
      createdBy: user.id,
      createdAt: formula.createdAt,
    });
    expect(body.data.versions).toHaveLength(1);
    const [version] = body.data.versions;
    expectKeys(version, VERSION);
    expect(version).toMatchObject({ versionNumber: 2, createdBy: user.id, description: null });
    expect(version.createdAt).toBe(body.data.updatedAt);
    expect(version.phases).toHaveLength(1);
    expect(version.phases[0].formulaId).toBe(version.id);
    expect(await read(formula.id)).toEqual(body.data);
    const versions = await database.query(
      'SELECT version_number FROM formula_versions WHERE formula_id = $1 ORDER BY 1',
      [formula.id],
    );
    expect(versions).toEqual([{ version_number: 1 }, { version_number: 2 }]);
  });

  it('moves updatedAt', async () => {
    const formula = await create();
    await database.query(`UPDATE formulas SET updated_at = '2020-01-01' WHERE id = $1`, [formula.id]);
    const { body } = await revise(formula.id, wholeOf(water.id)).expect(200);
    expect(body.data.updatedAt >= formula.updatedAt).toBe(true);
  });

  it('changes nothing else: metadata in the body is ignored', async () => {
    const formula = await create();
    const { body } = await user
      .put(`/api/formulas/${formula.id}/composition`, { name: '别名', phases: wholeOf(water.id) })
      .expect(200);
    expect(body.data.name).toBe(formula.name);
  });

  it('the version names who made it', async () => {
    const formula = await create();
    const { body } = await revise(formula.id, wholeOf(water.id), admin).expect(200);
    expect(body.data).toMatchObject({ createdBy: user.id, versions: [{ createdBy: admin.id }] });
  });

  it('validates like creation', async () => {
    const { id } = await create();
    const before = await allRows();
    expectError(await user.put(`/api/formulas/${id}/composition`, {}), 400, 'phases: 不能为空');
    expectError(await revise(id, []), 400, 'phases: 至少需要1项');
    expectError(await revise(id, phasesOf(water.id, [])), 400, 'phases.0.ingredients: 至少需要1项');
    expectError(
      await revise(id, phasesOf(water.id, [101])),
      400,
      'phases.0.ingredients.0.percentage: 不能大于100',
    );
    expectError(await revise(id, phasesOf(water.id, [99.4])), 400, sumError('99.4'));
    expectError(await revise(id, wholeOf(NOWHERE)), 400, 'phases.0.ingredients.0.ingredientId: 成分不存在');
    await revise(id, phasesOf(water.id, [32.6], [43.2], [24.7])).expect(200);
    const after = await allRows();
    expect(after).toEqual([before[0], before[1]! + 1, before[2]! + 3, before[3]! + 3]);
  });

  it('answers in order: 401, shape and sum, 404, 403, references', async () => {
    const { id } = await create();
    const unsigned = service.http.put(`/api/formulas/${id}/composition`).send({});
    expectError(await unsigned, 401, UNAUTHORIZED);
    expectError(await revise('x', [], other), 400, 'phases: 至少需要1项');
    expectError(await revise(NOWHERE, phasesOf(NOWHERE, [1]), other), 400, sumError('1'));
    expectError(await revise(NOWHERE, wholeOf(NOWHERE), other), 404, NOT_FOUND);
    expectError(await revise('x', wholeOf(NOWHERE), other), 404, NOT_FOUND);
    expectError(await revise(id, wholeOf(NOWHERE), other), 403, FORBIDDEN);
    expectError(await revise(id, wholeOf(NOWHERE)), 400, 'phases.0.ingredients.0.ingredientId: 成分不存在');
    expect((await read(id)).currentVersion).toBe(1);
  });

  it('takes the same number of statements whatever the size', async () => {
    const { id } = await create();
    const small = await countStatements(() => revise(id, wholeOf(water.id)).expect(200));
    const lines = Array.from({ length: 1000 }, () => 0.1);
    expect(await countStatements(() => revise(id, phasesOf(water.id, lines)).expect(200))).toBe(small);
  });
});

describe('DELETE /api/formulas/:id', () => {
  it('removes the formula with versions, phases and lines', async () => {
    const before = await allRows();
    const { id } = await createFormula(user, cream());
    await revise(id, cream()).expect(200);
    expectDeleted(await user.delete(`/api/formulas/${id}`));
    expect(await allRows()).toEqual(before);
    expectError(await user.get(`/api/formulas/${id}`), 404, NOT_FOUND);
    expectError(await user.delete(`/api/formulas/${id}`), 404, NOT_FOUND);
  });

  it('of two deletions at once one finds nothing any more', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await create();
      const answers = await Promise.all([1, 2].map(() => user.delete(`/api/formulas/${id}`)));
      expect(answers.map(({ status }) => status).sort()).toEqual([204, 404]);
    }
  });

  it('answers in order: 401, 404, 403', async () => {
    const { id } = await create();
    expectError(await service.http.delete(`/api/formulas/${id}`), 401, UNAUTHORIZED);
    expectError(await other.delete(`/api/formulas/${NOWHERE}`), 404, NOT_FOUND);
    expectError(await other.delete('/api/formulas/x'), 404, NOT_FOUND);
    expectError(await other.delete(`/api/formulas/${id}`), 403, FORBIDDEN);
    expectDeleted(await admin.delete(`/api/formulas/${id}`));
  });
});

describe('the roles', () => {
  it('a demoted admin may no more', async () => {
    const demoted = await service.register();
    const { id } = await create();
    const users = service.app.get(UsersRepository);
    await users.setRole(demoted.username, 'admin');
    await demoted.put(`/api/formulas/${id}`, { name: 'x' }).expect(200);
    await users.setRole(demoted.username, 'engineer');
    expectError(await demoted.put(`/api/formulas/${id}`, { name: 'y' }), 403, FORBIDDEN);
  });
});
