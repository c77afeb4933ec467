import { Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AppModule, type AskedWrite, type DomainEvent, EVENT_HANDLER, WRITE_VALIDATOR } from '../../src';
import { expectError, NOWHERE } from '../support/answers';
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

type Faults = readonly { field: string; message: string }[];

const events: DomainEvent[] = [];
let onValidation: (write: AskedWrite) => Faults | Promise<Faults> = () => [];

@Module({
  providers: [
    {
      provide: EVENT_HANDLER,
      useValue: {
        name: 'seen',
        events: ['formula.revised'],
        inTransaction: (event: DomainEvent) => void events.push(event),
      },
    },
    {
      provide: WRITE_VALIDATOR,
      useValue: { writes: ['formula.revised'], faults: (write: AskedWrite) => onValidation(write) },
    },
  ],
})
class WatchingModule {}

let service: TestApp;
let database: DataSource;
let user: Account;
let other: Account;
let admin: Account;
let water: Ingredient;

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [WatchingModule] })] } });
  database = service.app.get(DataSource);
  [user, other, admin] = [await service.register(), await service.register(), await service.register()];
  await database.query(`UPDATE users SET role = 'admin' WHERE id = $1`, [admin.id]);
  water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水' });
});
afterAll(() => service.close());

let old: Ingredient;
let by: Ingredient;
beforeEach(async () => {
  onValidation = () => [];
  events.length = 0;
  old = await createIngredient(user, { inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇' });
  by = await createIngredient(user, { inciName: 'Hydroxyacetophenone', chineseName: '对羟基苯乙酮' });
});

/** Phases in another order than their sortOrder. */
const cream = (percentage: number) => [
  {
    name: '后添加',
    sortOrder: 2,
    ingredients: [{ ingredientId: old.id, percentage, processNotes: '45°C' }],
  },
  { name: '水相', sortOrder: 1, ingredients: [{ ingredientId: water.id, percentage: 100 - percentage }] },
];

const formula = (account: Account, percentage: number, overrides: object = {}) =>
  createFormula(account, cream(percentage), overrides);
const read = async (id: string) => (await admin.get(`/api/formulas/${id}`).expect(200)).body.data;
const replace = (account: Account, body: object, id = old.id) =>
  account.post(`/api/ext/ingredients/${id}/replace`, { by: by.id, ...body });
const replaced = async (account: Account, body: object = {}) =>
  (await replace(account, body).expect(200)).body.data;
const idsOf = (formulas: { id: string }[]) => formulas.map(({ id }) => id);

/** A formula's latest version, without ids and times. */
const comparable = ({ versions: [version], ...formula }: any) => ({
  ...formula,
  id: null,
  name: null,
  createdAt: null,
  updatedAt: null,
  version: {
    ...version,
    id: null,
    createdAt: null,
    phases: version.phases.map(({ ingredients, ...phase }: any) => ({
      ...phase,
      id: null,
      formulaId: null,
      ingredients: ingredients.map((line: any) => ({ ...line, id: null })),
    })),
  },
});

describe('A dry run', () => {
  it('says what would become of each formula, and writes nothing', async () => {
    const { id } = await formula(user, 1, { name: 'B' });
    const { id: outOfBounds } = await formula(user, 10, { name: 'A' });
    const before = await read(id);
    const answer = await replaced(user, { factor: 0.8 });
    const waterLine = (await read(outOfBounds)).versions[0].phases[0].ingredients[0];
    expect(answer).toEqual({
      dryRun: true,
      ingredient: { id: old.id, inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇', supplier: null },
      by: { id: by.id, inciName: 'Hydroxyacetophenone', chineseName: '对羟基苯乙酮', supplier: null },
      factor: 0.8,
      formulas: [
        {
          id: outOfBounds,
          name: 'A',
          versionNumber: { from: 1, to: 2 },
          lineCount: 1,
          share: { from: 10, to: 8 },
          totalPercentage: { from: 100, to: 98 },
          alreadyContains: false,
          warning: 'sum-out-of-bounds',
          balancingLine: {
            id: waterLine.id,
            ingredientId: water.id,
            ingredient: { id: water.id, inciName: 'Aqua', chineseName: '水' },
            percentage: { from: 90, to: 92 },
          },
        },
        expect.objectContaining({ id, name: 'B', totalPercentage: { from: 100, to: 99.8 }, warning: null }),
      ],
      notPermitted: [],
      notPermittedCount: 0,
      withoutIngredient: [],
    });
    expect(await read(id)).toEqual(before);
    expect(events).toEqual([]);
  });

  it('is the default, and looks at latest versions only', async () => {
    const { id } = await formula(user, 1);
    await user.put(`/api/formulas/${id}/composition`, { phases: wholeOf(water.id) }).expect(200);
    for (const dryRun of [undefined, null, true]) {
      expect(await replaced(user, { dryRun })).toMatchObject({ dryRun: true, formulas: [], factor: 1 });
    }
  });
});

describe('A replacement', () => {
  it('makes a new version that is as one of the contract', async () => {
    const [one, twin] = [await formula(user, 1), await formula(user, 1)];
    const ids = [one.id];
    const { dryRun, formulas } = await replaced(user, { dryRun: false, formulas: { ids } });
    expect([dryRun, idsOf(formulas)]).toEqual([false, ids]);
    const phases = [
      cream(1)[1]!,
      {
        ...cream(1)[0]!,
        ingredients: [{ ingredientId: by.id, percentage: 1, processNotes: '45°C' }],
      },
    ];
    const description = '以对羟基苯乙酮替换苯氧乙醇';
    await user.put(`/api/formulas/${twin.id}/composition`, { phases, description }).expect(200);
    const [written, expected] = [await read(one.id), await read(twin.id)];
    expect(comparable(written)).toEqual(comparable(expected));
    expect(written.currentVersion).toBe(2);
    expect(written.updatedAt).toBe(written.versions[0].createdAt);
    expect(Date.parse(written.updatedAt)).toBeGreaterThanOrEqual(Date.parse(one.updatedAt));
    const positions = (id: string) =>
      database.query(
        `SELECT p.position AS phase, l.position AS line, p.formula_version_id = l.formula_version_id AS same
         FROM formula_phases p JOIN formula_ingredients l ON l.phase_id = p.id
         JOIN formula_versions v ON v.id = p.formula_version_id
         WHERE v.formula_id = $1 AND v.version_number = 2 ORDER BY 1, 2`,
        [id],
      );
    expect(await positions(one.id)).toEqual(await positions(twin.id));
    expect(written.versions[0].snapshotData).toEqual(expected.versions[0].snapshotData);
  });

  it('replaces in all formulas of the caller, with the phases and lines of each', async () => {
    const shares = [1, 2, 0.5, 3];
    const made = [];
    for (const share of shares) made.push(await formula(user, share));
    await replaced(user, { dryRun: false, factor: 1.1 });
    for (const [at, { id }] of made.entries()) {
      const [{ phases, versionNumber, description }] = (await read(id)).versions;
      expect([versionNumber, description]).toEqual([2, '以对羟基苯乙酮替换苯氧乙醇，用量×1.1']);
      expect(phases.map((phase: any) => [phase.name, phase.ingredients.length])).toEqual([
        ['水相', 1],
        ['后添加', 1],
      ]);
      expect(phases[1].ingredients[0]).toMatchObject({ ingredientId: by.id, processNotes: '45°C' });
      expect(phases[1].ingredients[0].percentage).toBe([1.1, 2.2, 0.55, 3.3][at]);
    }
  });

  it('is one of a project, or of formulas without one', async () => {
    const { id: projectId } = await createProject(user);
    const { id } = await formula(user, 1, { projectId });
    const { id: free } = await formula(user, 1);
    const found = async (selected: string) =>
      idsOf((await replaced(user, { formulas: { projectId: selected } })).formulas);
    expect(await found(projectId)).toEqual([id]);
    expect(await found('none')).toEqual([free]);
  });

  it('names the selected formulas that do not contain the ingredient', async () => {
    const { id } = await formula(user, 1);
    const { id: empty } = await createFormula(user, wholeOf(water.id), { name: 'B' });
    const { id: earlier } = await formula(user, 1, { name: 'A' });
    await user.put(`/api/formulas/${earlier}/composition`, { phases: wholeOf(water.id) }).expect(200);
    const ids = [empty, id.toUpperCase(), earlier, empty];
    const answer = await replaced(user, { dryRun: false, formulas: { ids } });
    expect(idsOf(answer.formulas)).toEqual([id]);
    expect(answer.withoutIngredient).toEqual([
      { id: earlier, name: 'A' },
      { id: empty, name: 'B' },
    ]);
    expect((await read(empty)).currentVersion).toBe(1);
  });

  it('of a raw material by that of another supplier says which is which', async () => {
    const glycerin = { inciName: 'Glycerin', chineseName: '甘油' };
    old = await createIngredient(user, { ...glycerin, supplier: 'Oleon' });
    by = await createIngredient(user, { ...glycerin, supplier: 'BASF' });
    const { id } = await formula(user, 1);
    expect(await replaced(user, { dryRun: false })).toMatchObject({
      ingredient: { id: old.id, supplier: 'Oleon' },
      by: { id: by.id, supplier: 'BASF' },
    });
    expect((await read(id)).versions[0].description).toBe('以甘油（BASF）替换甘油（Oleon）');
  });

  it('is of all formulas or of none', async () => {
    const [good, bad] = [await formula(user, 1), await formula(user, 10, { name: '粉底' })];
    expectError(
      await replace(user, { dryRun: false, factor: 0.5 }),
      400,
      'formulas: 配方 粉底 替换后所有成分百分比之和为95,必须在99.5到100.5之间',
    );
    const twoLines = phasesOf(old.id, [30, 60]).concat(phasesOf(water.id, [10]));
    const { id } = await createFormula(user, twoLines, { name: '乳' });
    const answer = await replace(user, { dryRun: false, factor: 2, formulas: { ids: [good.id, id] } });
    expectError(
      answer,
      400,
      'formulas: 配方 乳 替换后有一行为120%,每行必须大于0且不超过100%; ' +
        'formulas: 配方 测试配方 替换后所有成分百分比之和为101,必须在99.5到100.5之间',
    );
    for (const { id } of [good, bad]) expect((await read(id)).currentVersion).toBe(1);
    expect(events).toEqual([]);
  });

  it('publishes an event for each formula, and asks validators about each', async () => {
    const made = [await formula(user, 1), await formula(user, 2)];
    const asked: AskedWrite[] = [];
    onValidation = (write) => {
      asked.push(write);
      return [];
    };
    await replaced(user, { dryRun: false });
    const ids = idsOf(made).sort();
    expect(asked.map(({ recordId }) => recordId).sort()).toEqual(ids);
    expect(asked[0]).toMatchObject({
      type: 'formula.revised',
      user: { id: user.id },
      input: { description: '以对羟基苯乙酮替换苯氧乙醇', phases: [{ name: '水相' }, { name: '后添加' }] },
    });
    expect(events.map(({ recordId }) => recordId).sort()).toEqual(ids);
    for (const event of events)
      expect(event).toMatchObject({ type: 'formula.revised', userId: user.id, data: { versionNumber: 2 } });
  });

  it('is refused by a validator that refuses one', async () => {
    const [one, two] = [await formula(user, 1), await formula(user, 2)];
    onValidation = ({ recordId }) => (recordId === two.id ? [{ field: 'phases', message: '不行' }] : []);
    expectError(await replace(user, { dryRun: false }), 400, 'phases: 不行');
    expect((await read(one.id)).currentVersion).toBe(1);
  });

  it('takes the same number of statements for one formula and for many', async () => {
    await formula(user, 1);
    const count = async () => countStatements(() => replace(user, { dryRun: false }).expect(200));
    const ofOne = await count();
    [old, by] = [by, old];
    await count();
    [old, by] = [by, old];
    for (let made = 0; made < 5; made++) await formula(user, 1);
    expect(await count()).toBe(ofOne);
    expect(ofOne).toBeLessThan(13);
  });
});

describe('Who may not', () => {
  it('change a formula sees it listed; an administrator changes all', async () => {
    const [mine, theirs] = [await formula(user, 1), await formula(other, 1, { name: '他人' })];
    const { formulas, notPermitted } = await replaced(user, { dryRun: false });
    expect(idsOf(formulas)).toEqual([mine.id]);
    expect(notPermitted).toEqual([
      { id: theirs.id, name: '他人', createdBy: { id: other.id, username: other.username }, share: 1 },
    ]);
    expect((await read(theirs.id)).currentVersion).toBe(1);
    const ofAdmin = await replaced(admin, { dryRun: false });
    expect([idsOf(ofAdmin.formulas), ofAdmin.notPermitted]).toEqual([[theirs.id], []]);
    expect((await read(theirs.id)).versions[0].createdBy).toBe(admin.id);
  });

  it('change any gets an answer without formulas, and nothing is written', async () => {
    const { id } = await formula(other, 1);
    expect(await replaced(user, { dryRun: false })).toMatchObject({
      formulas: [],
      notPermitted: [{ id }],
      notPermittedCount: 1,
    });
    expect((await read(id)).currentVersion).toBe(1);
  });
});

describe('At the same time', () => {
  it('two replacements of one ingredient write each formula once', async () => {
    const made = [];
    for (let number = 0; number < 8; number++) made.push(await formula(user, 1));
    const another = await createIngredient(user);
    const answers = await Promise.all([
      replace(user, { dryRun: false }),
      replace(user, { dryRun: false, by: another.id }),
      replace(admin, { dryRun: false }),
    ]);
    const written = answers.filter(({ status, body }) => status === 200 && body.data.formulas.length > 0);
    expect(written).toHaveLength(1);
    for (const { status } of answers) expect([200, 409]).toContain(status);
    for (const { id } of made) expect((await read(id)).currentVersion).toBe(2);
    expect(events).toHaveLength(8);
  });

  it('a formula that somebody revises refuses the replacement, and nothing is lost', async () => {
    const [one, two] = [await formula(user, 1), await formula(user, 2)];
    onValidation = async ({ recordId }) => {
      onValidation = () => [];
      const { id } = recordId === one.id ? two : one;
      await admin.put(`/api/formulas/${id}/composition`, { phases: cream(3) }).expect(200);
      return [];
    };
    expectError(await replace(user, { dryRun: false }), 409, '配方刚被他人修改,未写入任何内容,请重试');
    const states = [await read(one.id), await read(two.id)];
    expect(states.map(({ currentVersion }) => currentVersion).sort()).toEqual([1, 2]);
    // Again, it is of what is there now.
    const { formulas } = await replaced(user, { dryRun: false });
    expect(formulas.map(({ share }: any) => share.to).sort()).toContain(3);
  });

  it('a formula that somebody deletes refuses it, too', async () => {
    const [one, two] = [await formula(user, 1), await formula(user, 2)];
    onValidation = async () => {
      onValidation = () => [];
      await admin.delete(`/api/formulas/${two.id}`).expect(204);
      return [];
    };
    expect((await replace(user, { dryRun: false })).status).toBe(409);
    expect((await read(one.id)).currentVersion).toBe(1);
  });

  it('an ingredient that somebody deletes is named', async () => {
    const { id } = await formula(user, 1);
    onValidation = async () => {
      await admin.delete(`/api/ingredients/${by.id}`).expect(204);
      return [];
    };
    const answer = await replace(user, { dryRun: false });
    expectError(answer, 400, 'phases.1.ingredients.0.ingredientId: 成分不存在');
    expect((await read(id)).currentVersion).toBe(1);
  });
});

describe('Requests that name nothing', () => {
  it.each([NOWHERE, 'x'])('of ingredient %s are not found', async (id) => {
    expectError(await replace(user, {}, id), 404, '成分不存在');
  });

  it('say what does not exist', async () => {
    const { id } = await formula(user, 1);
    expectError(await replace(user, { by: NOWHERE }), 400, 'by: 成分不存在');
    expectError(await replace(user, { by: old.id.toUpperCase() }), 400, 'by: 不能与被替换的成分相同');
    expectError(await replace(user, { formulas: { ids: [id, NOWHERE] } }), 400, 'formulas.ids.1: 配方不存在');
    expectError(
      await replace(user, { formulas: { projectId: NOWHERE } }),
      400,
      'formulas.projectId: 项目不存在',
    );
  });

  it.each([
    [{ formulas: {} }, 'formulas: 必须且只能提供 ids 或 projectId 之一'],
    [{ formulas: { ids: [NOWHERE], projectId: NOWHERE } }, 'formulas: 必须且只能提供'],
    [{ formulas: { ids: [] } }, 'formulas.ids: 至少需要1项'],
    [{ formulas: { ids: ['x'] } }, 'formulas.ids: 第1项必须是 UUID'],
    [{ formulas: { ids: Array.from({ length: 201 }, () => NOWHERE) } }, 'formulas.ids: 不能超过200项'],
    [{ by: undefined }, 'by: 不能为空'],
    [{ factor: 0 }, 'factor: 必须大于0'],
    [{ factor: 101 }, 'factor: 不能大于100'],
    [{ dryRun: 'false' }, 'dryRun: 必须是 true 或 false'],
  ])('%j is refused', async (body, message) => {
    const answer = await replace(user, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toContain(message);
  });
});

describe('Too many', () => {
  /** Formulas of `lines` lines, the first of which is the ingredient that is replaced. */
  const seed = (formulas: number, lines: number) =>
    database.query(
      `WITH f AS (INSERT INTO formulas (name, created_by) SELECT 'Many', $1 FROM generate_series(1, $2::int) RETURNING id),
       v AS (INSERT INTO formula_versions (formula_id, version_number, snapshot_data, created_by)
             SELECT id, 1, '{}', $1 FROM f RETURNING id),
       p AS (INSERT INTO formula_phases (formula_version_id, name, sort_order, position)
             SELECT id, '相', 1, 1 FROM v RETURNING id, formula_version_id)
       INSERT INTO formula_ingredients (formula_version_id, phase_id, ingredient_id, percentage, position)
       SELECT formula_version_id, id, CASE n WHEN 1 THEN $4::uuid ELSE $5::uuid END, 100.0 / $3::int, n
       FROM p, generate_series(1, $3::int) n`,
      [user.id, formulas, lines, old.id, water.id],
    );
  afterEach(() => database.query(`DELETE FROM formulas WHERE name = 'Many'`));

  it('formulas are refused, and so is a dry run', async () => {
    await seed(201, 1);
    const message = '涉及的配方超过200个,请用 formulas 缩小范围';
    expectError(await replace(user, { dryRun: false }), 409, message);
    expectError(await replace(user, {}), 409, message);
    const { id } = await formula(user, 1);
    expect((await replaced(user, { formulas: { ids: [id] } })).formulas).toHaveLength(1);
  });

  it('formulas of others do not count; the first 200 of them are listed', async () => {
    await seed(1001, 20);
    const { id } = await formula(other, 1);
    const { formulas, notPermitted, notPermittedCount } = await replaced(other, { dryRun: false });
    expect(idsOf(formulas)).toEqual([id]);
    expect([notPermitted.length, notPermittedCount]).toEqual([200, 1001]);
    expect(notPermitted[199]).toMatchObject({ name: 'Many', createdBy: { id: user.id }, share: 5 });
  });

  it('lines are refused; the most that are not are written', async () => {
    await seed(20, 1000);
    const { formulas } = await replaced(user, { dryRun: false });
    expect(formulas).toHaveLength(20);
    const [{ count }] = await database.query(
      'SELECT count(*)::int AS count FROM formula_ingredients WHERE ingredient_id = $1',
      [by.id],
    );
    expect(count).toBe(20);
    [old, by] = [by, old];
    await formula(user, 1);
    expectError(await replace(user, {}), 409, '涉及的配方共超过20000个成分行,请用 formulas 缩小范围');
  }, 120_000);
});
