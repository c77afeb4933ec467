import { Injectable, Module } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  AccessPolicy,
  AppModule,
  CUSTOM_ACCESS_POLICY,
  type DomainEvent,
  EVENT_HANDLER,
  type ReadableRecords,
  WRITE_VALIDATOR,
} from '../../src';
import { expectError, expectKeys, FORBIDDEN, NOWHERE, TIMESTAMP, UUID } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import {
  createFormula,
  createIngredient,
  createProject,
  type Ingredient,
  type Phase,
  phasesOf,
  wholeOf,
} from '../support/factories';
import { countStatements } from '../support/statements';

const NOT_FOUND = '配方不存在';
const NO_VERSION = '配方版本不存在';
const LISTED = ['versionNumber', 'description', 'createdAt', 'createdBy', 'phaseCount', 'lineCount', 'total'];

let service: TestApp;
let user: Account;
let other: Account;
let water: Ingredient;
let glycerin: Ingredient;

beforeAll(async () => {
  service = await bootApp();
  [user, other] = [await service.register(), await service.register()];
  water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水' });
  glycerin = await createIngredient(user, { inciName: 'Glycerin', chineseName: '甘油' });
});
afterAll(() => service.close());

/** Two phases, sent in the opposite order of their sortOrder. */
const cream = (percentage: number): Phase[] => [
  { name: '油相', sortOrder: 2, ingredients: [{ ingredientId: glycerin.id, percentage: 30 - percentage }] },
  {
    name: '水相',
    sortOrder: 1,
    ingredients: [
      { ingredientId: water.id, percentage: 70, processNotes: '搅拌' },
      { ingredientId: glycerin.id, percentage },
    ],
  },
];

const read = async (id: string) => (await user.get(`/api/formulas/${id}`).expect(200)).body.data;
const revise = (id: string, body: object) => user.put(`/api/formulas/${id}/composition`, body).expect(200);
const versions = (id: string, rest = '') => user.get(`/api/ext/formulas/${id}/versions${rest}`);

/** A formula of three versions. */
async function creamOfThree(overrides: object = {}) {
  const { id } = await createFormula(user, cream(10), { name: '面霜', description: '清爽', ...overrides });
  await revise(id, { phases: cream(5.5), description: '减少甘油' });
  await revise(id, { phases: wholeOf(water.id) });
  return read(id);
}

/** What a composition is, without what makes its version another one. */
const compositionOf = ({ phases }: { phases: any[] }) =>
  phases.map(({ name, sortOrder, ingredients }) => ({
    name,
    sortOrder,
    lines: ingredients.map(({ ingredientId, percentage, processNotes, ingredient }: any) => ({
      ingredientId,
      percentage,
      processNotes,
      ingredient,
    })),
  }));

describe('GET /api/ext/formulas/:id/versions', () => {
  it('lists all versions, the newest first', async () => {
    const formula = await creamOfThree();
    const { body } = await versions(formula.id).expect(200);
    expectKeys(body, ['data', 'pagination']);
    expect(body.pagination).toEqual({ page: 1, limit: 20, total: 3, totalPages: 1 });
    for (const version of body.data) expectKeys(version, LISTED);
    const createdBy = { id: user.id, username: user.username };
    const createdAt = expect.stringMatching(TIMESTAMP);
    expect(body.data).toEqual([
      { versionNumber: 3, description: null, createdAt, createdBy, phaseCount: 1, lineCount: 1, total: 100 },
      {
        versionNumber: 2,
        description: '减少甘油',
        createdAt,
        createdBy,
        phaseCount: 2,
        lineCount: 3,
        total: 100,
      },
      { versionNumber: 1, description: null, createdAt, createdBy, phaseCount: 2, lineCount: 3, total: 100 },
    ]);
    expect(body.data[0].createdAt).toBe(formula.versions[0].createdAt);
  });

  it('is paged', async () => {
    const { id } = await creamOfThree();
    const numbers = async (query: string) =>
      (await versions(id, query).expect(200)).body.data.map((version: any) => version.versionNumber);
    expect(await numbers('?limit=2')).toEqual([3, 2]);
    expect(await numbers('?limit=2&page=2')).toEqual([1]);
    expect(await numbers('?limit=2&page=3')).toEqual([]);
    expect((await versions(id, '?limit=2&page=3')).body.pagination).toMatchObject({
      total: 3,
      totalPages: 2,
    });
    expectError(await versions(id, '?limit=101'), 400, 'limit: 不能大于100');
  });

  it('sums percentages exactly', async () => {
    const { id } = await createFormula(user, phasesOf(water.id, [33.33, 33.33], [33.34]));
    expect((await versions(id)).body.data[0].total).toBe(100);
    await revise(id, { phases: phasesOf(water.id, [99.7, 0.1, 0.2, 0.1]) });
    expect((await versions(id)).body.data[0].total).toBe(100.1);
  });

  it('takes two statements, whatever their number', async () => {
    const formula = await creamOfThree();
    expect(await countStatements(() => versions(formula.id).expect(200))).toBe(2);
  });

  it.each([NOWHERE, 'x'])('knows no formula %s', async (id) => {
    expectError(await versions(id), 404, NOT_FOUND);
  });
});

describe('GET /api/ext/formulas/:id/versions/:number', () => {
  it('is the version as the contract shows it, the latest to the byte', async () => {
    const { id } = await creamOfThree();
    for (const phases of [cream(1), phasesOf(water.id, [0.1, 0.2], [99.7])]) {
      await revise(id, { phases, description: '"<b>' });
      const latest = (await user.get(`/api/formulas/${id}`)).text;
      const { currentVersion } = JSON.parse(latest).data;
      const { text } = await versions(id, `/${currentVersion}`).expect(200);
      expect(latest).toContain(`"versions":[${text.slice('{"data":'.length, -1)}]`);
    }
  });

  it('is what was answered when it was made', async () => {
    const created = await createFormula(user, cream(10));
    await revise(created.id, { phases: wholeOf(water.id) });
    expect((await versions(created.id, '/1').expect(200)).body.data).toEqual(created.versions[0]);
  });

  it.each(['0', '4', '-1', '1.5', '2.0', '+1', '01', '0x1', '1e0', 'x', '2147483648', '99999999999'])(
    'knows no version %s',
    async (number) => {
      const { id } = await creamOfThree();
      expectError(await versions(id, `/${number}`), 404, NO_VERSION);
    },
  );

  it('knows no version of a formula that there is not', async () => {
    expectError(await versions(NOWHERE, '/1'), 404, NOT_FOUND);
  });

  it('takes two statements', async () => {
    const { id } = await creamOfThree();
    expect(await countStatements(() => versions(id, '/2').expect(200))).toBe(2);
  });
});

describe('PUT /api/ext/formulas/:id/versions/:number', () => {
  const describeVersion = (id: string, number: number, body: object, account = user) =>
    account.put(`/api/ext/formulas/${id}/versions/${number}`, body);

  it('says why a version was made, afterwards, and takes it back', async () => {
    const before = await creamOfThree();
    const { body } = await describeVersion(before.id, 1, { description: '第一版' }).expect(200);
    expect(body.data).toMatchObject({ versionNumber: 1, description: '第一版' });
    expect((await versions(before.id, '/1')).body).toEqual(body);
    expect((await versions(before.id)).body.data[2].description).toBe('第一版');
    // Neither the formula nor its latest version is another.
    expect(await read(before.id)).toEqual(before);

    const cleared = await describeVersion(before.id, 1, { description: null }).expect(200);
    expect(cleared.body.data.description).toBeNull();
  });

  it('changes nothing without a description', async () => {
    const { id } = await creamOfThree();
    const { body } = await describeVersion(id, 2, {}).expect(200);
    expect(body.data.description).toBe('减少甘油');
  });

  it('is for the creator of the formula, and for admins', async () => {
    const { id } = await creamOfThree();
    expectError(await describeVersion(id, 1, { description: 'x' }, other), 403, FORBIDDEN);
    expect((await versions(id, '/1')).body.data.description).toBeNull();
  });

  it('is refused where it is too long, and for a version that there is not', async () => {
    const { id } = await creamOfThree();
    expectError(
      await describeVersion(id, 1, { description: 'x'.repeat(2001) }),
      400,
      'description: 不能超过2000个字符',
    );
    expectError(await describeVersion(id, 4, { description: 'x' }), 404, NO_VERSION);
    expectError(await describeVersion(id, 4, {}), 404, NO_VERSION);
    expectError(await describeVersion(NOWHERE, 1, { description: 'x' }), 404, NOT_FOUND);
  });

  it('takes If-Match with the state of the formula', async () => {
    const { id } = await creamOfThree();
    const { etag } = (await user.get(`/api/formulas/${id}`)).headers;
    await describeVersion(id, 3, { description: '纯水' }).set('If-Match', etag!).expect(200);
    const stale = await describeVersion(id, 3, { description: '水' }).set('If-Match', etag!);
    expectError(stale, 412, '配方已被修改,当前版本为3,请重新获取后再提交');
    expect(stale.headers.etag).toBe((await user.get(`/api/formulas/${id}`)).headers.etag);
  });
});

describe('POST /api/ext/formulas/:id/versions/:number/restore', () => {
  const restore = (id: string, number: number | string, body?: object, account = user) =>
    account.post(`/api/ext/formulas/${id}/versions/${number}/restore`, body);

  it('makes a new version that is equal to it, and answers with the formula', async () => {
    const { id } = await creamOfThree();
    const answer = await restore(id, 2).expect(201);
    const formula = answer.body.data;
    expect(formula).toMatchObject({ id, currentVersion: 4, versions: [{ versionNumber: 4 }] });
    const restored = formula.versions[0];
    const original = (await versions(id, '/2')).body.data;
    expect(compositionOf(restored)).toEqual(compositionOf(original));
    expect(restored.snapshotData).toEqual(original.snapshotData);
    expect(restored.id).not.toBe(original.id);
    expect(restored.description).toBe('恢复自版本 2');

    const current = await user.get(`/api/formulas/${id}`);
    expect(current.body).toEqual(answer.body);
    expect(answer.headers.etag).toBe(current.headers.etag);
  });

  it.each([
    ['its own words', { description: '客户要求' }, '客户要求'],
    ['none', { description: null }, null],
    ['the default', {}, '恢复自版本 1'],
  ])('has %s for a description', async (_, body, expected) => {
    const { id } = await creamOfThree();
    expect((await restore(id, 1, body).expect(201)).body.data.versions[0].description).toBe(expected);
  });

  it('is for the creator of the formula, and for versions that there are', async () => {
    const { id } = await creamOfThree();
    expectError(await restore(id, 1, {}, other), 403, FORBIDDEN);
    expectError(await restore(id, 4), 404, NO_VERSION);
    expectError(await restore(id, 'x'), 404, NO_VERSION);
    expectError(await restore(NOWHERE, 1), 404, NOT_FOUND);
    expectError(await restore(id, 1, { description: 5 }), 400, 'description: 必须是字符串');
    expect((await read(id)).currentVersion).toBe(3);
  });

  it('takes If-Match', async () => {
    const { id } = await creamOfThree();
    const { etag } = (await user.get(`/api/formulas/${id}`)).headers;
    await restore(id, 1).set('If-Match', etag!).expect(201);
    expectError(
      await restore(id, 1).set('If-Match', etag!),
      412,
      '配方已被修改,当前版本为4,请重新获取后再提交',
    );
  });

  it('gives back the largest composition', async () => {
    const phases = Array.from({ length: 200 }, (_, phase) => ({
      name: `相${phase}`,
      sortOrder: Math.floor((200 - phase) / 2),
      ingredients: Array.from({ length: 5 }, (__, line) => ({
        ingredientId: line % 2 ? water.id : glycerin.id,
        percentage: 0.1,
        processNotes: `${phase}-${line}`,
      })),
    }));
    const created = await createFormula(user, phases);
    await revise(created.id, { phases: wholeOf(water.id) });
    const { body } = await restore(created.id, 1).expect(201);
    expect(compositionOf(body.data.versions[0])).toEqual(compositionOf(created.versions[0]));
  });
});

describe('POST /api/ext/formulas/:id/copy', () => {
  const copy = (id: string, body?: object, account = user) =>
    account.post(`/api/ext/formulas/${id}/copy`, body);

  it('makes a new formula of the latest version, for anybody who may read it', async () => {
    const project = await createProject(user, { name: '春季' });
    const original = await creamOfThree({ projectId: project.id });
    const answer = await copy(original.id, undefined, other).expect(201);
    const formula = answer.body.data;
    expect(formula).toMatchObject({
      id: expect.stringMatching(UUID),
      name: '面霜（副本）',
      description: '清爽',
      project: { id: project.id, name: '春季' },
      currentVersion: 1,
      createdBy: other.id,
    });
    expect(formula.id).not.toBe(original.id);
    expect(compositionOf(formula.versions[0])).toEqual(compositionOf(original.versions[0]));
    expect(answer.headers.etag).toBe((await user.get(`/api/formulas/${formula.id}`)).headers.etag);
    expect(await read(original.id)).toEqual(original);
  });

  it('takes a name, a project and a version', async () => {
    const [spring, autumn] = [await createProject(user), await createProject(user)];
    const { id } = await creamOfThree({ projectId: spring.id });
    const body = { name: '面霜 B', projectId: autumn.id, version: 1 };
    const formula = (await copy(id, body).expect(201)).body.data;
    expect(formula).toMatchObject({ name: '面霜 B', projectId: autumn.id, currentVersion: 1 });
    expect(compositionOf(formula.versions[0])).toEqual(compositionOf((await versions(id, '/1')).body.data));
    expect((await copy(id, { projectId: null }).expect(201)).body.data.project).toBeNull();
    expect((await copy(id, { name: null, version: null }).expect(201)).body.data.name).toBe('面霜（副本）');
  });

  it.each([196, 197, 200])('has at most 200 characters in its name: of %d', async (length) => {
    const { id } = await createFormula(user, wholeOf(water.id), { name: '霜'.repeat(length) });
    expect((await copy(id).expect(201)).body.data.name).toBe(`${'霜'.repeat(196)}（副本）`);
  });

  it('cuts a long name between characters', async () => {
    const family = '👨‍👩‍👧‍👦';
    const { id } = await createFormula(user, wholeOf(water.id), { name: 'x'.repeat(190) + family });
    expect((await copy(id).expect(201)).body.data.name).toBe(`${'x'.repeat(190)}（副本）`);
  });

  it('is refused where something is wrong', async () => {
    const { id } = await creamOfThree();
    expectError(await copy(NOWHERE), 404, NOT_FOUND);
    expectError(await copy(id, { version: 4 }), 404, NO_VERSION);
    expectError(await copy(id, { version: 0 }), 400, 'version: 不能小于1');
    expectError(await copy(id, { name: ' ' }), 400, 'name: 不能为空');
    expectError(await copy(id, { name: 'x'.repeat(201) }), 400, 'name: 不能超过200个字符');
    expectError(await copy(id, { projectId: NOWHERE }), 400, 'projectId: 项目不存在');
  });
});

/** Users see what they have created, and ingredients that are not secret. */
@Injectable()
class OwnRecordsPolicy extends AccessPolicy {
  canChange = () => true;
  canConfigure = () => true;
  override readable(): ReadableRecords {
    const own = (row: string, [id]: readonly string[]) => `${row}.created_by = ${id}`;
    return {
      types: ['uuid'],
      values: (reader) => (reader.username === 'boss' ? 'everything' : [reader.id]),
      conditions: {
        formula: own,
        project: own,
        ingredient: (row, [id]) => `(${row}.supplier IS DISTINCT FROM 'secret' OR ${id} IS NULL)`,
      },
    };
  }
}

const events: DomainEvent[] = [];
const asked: { type: string; input: object }[] = [];

@Module({
  providers: [
    { provide: CUSTOM_ACCESS_POLICY, useClass: OwnRecordsPolicy },
    {
      provide: EVENT_HANDLER,
      useValue: {
        name: 'seen',
        events: ['formula.created', 'formula.revised', 'formula.version-described'],
        inTransaction: (event: DomainEvent) => void events.push(event),
      },
    },
    {
      provide: WRITE_VALIDATOR,
      useValue: {
        writes: ['formula.created', 'formula.revised', 'formula.version-described'],
        faults: ({ type, input }: { type: string; input: { description?: string } }) => {
          asked.push({ type, input });
          return input.description === '不行' ? [{ field: 'description', message: '不行' }] : [];
        },
      },
    },
  ],
})
class OwnRecordsModule {}

describe('What a policy hides', () => {
  let hiding: TestApp;
  let ada: Account;
  let boss: Account;
  let shown: Ingredient;
  let secret: Ingredient;
  let ofAda: string;
  let ofBoss: string;

  beforeAll(async () => {
    hiding = await bootApp({ module: { imports: [AppModule.register({ extensions: [OwnRecordsModule] })] } });
    ada = await hiding.register();
    boss = await hiding.register('boss');
    shown = await createIngredient(boss, { unitPrice: 10 });
    secret = await createIngredient(boss, { supplier: 'secret', unitPrice: 1000 });
    const half = (ingredientId: string) => phasesOf(shown.id, [50]).concat(phasesOf(ingredientId, [50]));
    ofBoss = (await createFormula(boss, half(secret.id), { projectId: (await createProject(boss)).id })).id;
    await boss.put(`/api/formulas/${ofBoss}/composition`, { phases: wholeOf(shown.id) }).expect(200);
    ofAda = (await createFormula(ada, wholeOf(shown.id), { name: 'ada' })).id;
  });
  afterAll(() => hiding.close());
  beforeEach(() => {
    events.length = 0;
    asked.length = 0;
  });

  it('is not there on any route', async () => {
    const path = `/api/ext/formulas/${ofBoss}`;
    expectError(await ada.get(`${path}/versions`), 404, NOT_FOUND);
    expectError(await ada.get(`${path}/versions/1`), 404, NOT_FOUND);
    expectError(await ada.get(`${path}/compare`), 404, NOT_FOUND);
    expectError(await ada.get(`/api/ext/formulas/${ofAda}/compare?toFormula=${ofBoss}`), 404, NOT_FOUND);
    expectError(await ada.put(`${path}/versions/1`, { description: 'x' }), 404, NOT_FOUND);
    expectError(await ada.post(`${path}/versions/1/restore`), 404, NOT_FOUND);
    expectError(await ada.post(`${path}/copy`), 404, NOT_FOUND);
    await boss.get(`${path}/versions`).expect(200);
    await boss.get(`${path}/versions/1`).expect(200);
  });

  it('is no project of a copy, and no ingredient of one', async () => {
    const database = hiding.app.get(DataSource);
    const phases = phasesOf(shown.id, [50]).concat(phasesOf(secret.id, [50]));
    const project = await createProject(boss);
    const mixed = (await createFormula(boss, phases, { projectId: project.id })).id;
    await boss.put(`/api/formulas/${mixed}/composition`, { phases: wholeOf(shown.id) }).expect(200);
    await database.query('UPDATE formulas SET created_by = $1 WHERE id = $2', [ada.id, mixed]);

    const copied = await ada.post(`/api/ext/formulas/${mixed}/copy`).expect(201);
    expect(copied.body.data).toMatchObject({ projectId: null, project: null });
    const fault = 'phases.1.ingredients.0.ingredientId: 成分不存在';
    expectError(await ada.post(`/api/ext/formulas/${mixed}/copy`, { version: 1 }), 400, fault);
    expectError(await ada.post(`/api/ext/formulas/${mixed}/versions/1/restore`), 400, fault);
    await boss.post(`/api/ext/formulas/${mixed}/versions/1/restore`).expect(201);

    // Its price is not known to her, and nothing can be computed from it.
    const { cost } = (await ada.get(`/api/ext/formulas/${mixed}/compare?from=1&to=2`).expect(200)).body.data;
    expect(cost).toEqual({
      ...{ currency: null, exchangeRates: [] },
      from: { costPerKg: null, knownCostPerKg: 5, pricedPercentage: 50 },
      to: { costPerKg: 10, knownCostPerKg: 10, pricedPercentage: 100 },
      difference: null,
    });
    const ofEverything = await boss.get(`/api/ext/formulas/${mixed}/compare?from=1&to=2`).expect(200);
    expect(ofEverything.body.data.cost.difference).toBe(-495);
  });

  it('extensions are asked about and told of what is written', async () => {
    const path = `/api/ext/formulas/${ofAda}`;
    const told = () => events.map(({ type, recordId, data }) => ({ type, recordId, data }));
    await ada.put(`${path}/versions/1`, { description: '第一版' }).expect(200);
    await ada.put(`${path}/versions/1`, {}).expect(200);
    expect(told()).toEqual([
      { type: 'formula.version-described', recordId: ofAda, data: { versionNumber: 1 } },
    ]);
    expect(asked[0]).toEqual({ type: 'formula.version-described', input: { description: '第一版' } });
    expectError(await ada.put(`${path}/versions/1`, { description: '不行' }), 400, 'description: 不行');
    expectError(
      await ada.post(`${path}/versions/1/restore`, { description: '不行' }),
      400,
      'description: 不行',
    );

    events.length = 0;
    await ada.post(`${path}/versions/1/restore`).expect(201);
    const { body } = await ada.post(`${path}/copy`).expect(201);
    expect(told()).toEqual([
      { type: 'formula.revised', recordId: ofAda, data: { versionNumber: 2 } },
      {
        type: 'formula.created',
        recordId: body.data.id,
        data: { name: 'ada（副本）', projectId: null, versionNumber: 1 },
      },
    ]);
    expect(asked.at(-1)!.input).toEqual({
      name: 'ada（副本）',
      description: null,
      projectId: undefined,
      phases: wholeOf(shown.id).map((phase) => ({
        ...phase,
        ingredients: [{ ingredientId: shown.id, percentage: 100, processNotes: null }],
      })),
    });
  });
});
