import { Injectable, Module } from '@nestjs/common';
import readXlsxFile from 'read-excel-file/node';
import { AccessPolicy, AppModule, CUSTOM_ACCESS_POLICY, type ReadableRecords } from '../../src';
import { expectError, expectKeys, NOWHERE, UNAUTHORIZED } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { createFormula, createIngredient, type Ingredient, wholeOf } from '../support/factories';
import { recordStatements } from '../support/statements';

/** Everybody reads their own formulas, and ingredients that are not secret. */
@Injectable()
class SecretsPolicy extends AccessPolicy {
  canChange = () => true;
  canConfigure = () => true;

  override readable(): ReadableRecords {
    return {
      types: ['uuid'],
      values: (user) => [user.id],
      conditions: {
        formula: (row, [id]) => `${row}.created_by = ${id}`,
        ingredient: (row, [id]) => `(${row}.inci_name NOT LIKE 'Secret%' AND ${id} IS NOT NULL)`,
      },
    };
  }
}

@Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: SecretsPolicy }] })
class SecretsModule {}

let service: TestApp;
let user: Account;
let other: Account;
let water: Ingredient;
let glycerin: Ingredient;
let fragrance: Ingredient;
/** Version 1 is water alone, version 2 the cream. */
let creamId: string;

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const NO_FORMULA = '配方不存在';
const NO_VERSION = '配方版本不存在';

const cream = () => [
  {
    name: '水相',
    sortOrder: 1,
    ingredients: [
      { ingredientId: water.id, percentage: 72.5, processNotes: '加热至 75 ℃' },
      { ingredientId: glycerin.id, percentage: 7 },
    ],
  },
  { name: '油相', sortOrder: 2, ingredients: [{ ingredientId: fragrance.id, percentage: 20.2 }] },
];

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [SecretsModule] })] } });
  [user, other] = [await service.register(), await service.register()];
  water = await createIngredient(user, { inciName: 'Aqua', chineseName: '水', unitPrice: 0.5 });
  glycerin = await createIngredient(user, {
    inciName: 'Glycerin',
    chineseName: '甘油',
    unit: 'g',
    unitPrice: 0.02,
  });
  fragrance = await createIngredient(user, {
    inciName: 'Parfum',
    chineseName: '香精',
    unit: '25 kg',
    unitPrice: 1000,
  });
  const { id } = await createFormula(user, wholeOf(water.id), { name: '保湿霜' });
  await user.put(`/api/formulas/${id}/composition`, { phases: cream() }).expect(200);
  creamId = id;
});
afterAll(() => service.close());

const get = (route: string, query = '', account = user) =>
  account.get(`/api/ext/formulas/${creamId}/${route}${query}`);
const dataOf = async (route: string, query = '') => (await get(route, query).expect(200)).body.data;
const named = ({ id, inciName, chineseName }: Ingredient) => ({ id, inciName, chineseName });
const rowsOf = (csv: string) =>
  csv
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\n')
    .map((row) => row.split(','));
const binary = (test: ReturnType<typeof get>) =>
  test.buffer(true).parse((response, done) => {
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('end', () => done(null, Buffer.concat(chunks)));
  });

describe('GET /api/ext/formulas/:id/cost', () => {
  it('gives the cost per kg and per batch, by phase and line', async () => {
    const cost = await dataOf('cost', '?batch=25&unit=kg');
    expectKeys(cost, [
      'formulaId',
      'formulaName',
      'versionNumber',
      'totalPercentage',
      'batch',
      'unit',
      'currency',
      'exchangeRates',
      'costPerKg',
      'knownCostPerKg',
      'cost',
      'knownCost',
      'pricedPercentage',
      'pack',
      'target',
      'fromProfile',
      'unpriced',
      'phases',
    ]);
    // .725 × .5 + .07 × 20 + .202 × 40
    expect(cost).toMatchObject({
      formulaId: creamId,
      formulaName: '保湿霜',
      versionNumber: 2,
      totalPercentage: 99.7,
      batch: 25,
      unit: 'kg',
      costPerKg: 9.8425,
      knownCostPerKg: 9.8425,
      cost: 246.0625,
      knownCost: 246.0625,
      pricedPercentage: 99.7,
      unpriced: [],
    });
    expect(cost.phases[0]).toMatchObject({ name: '水相', sortOrder: 1, percentage: 79.5, costPerKg: 1.7625 });
    expect(cost.phases[0].ingredients[1]).toEqual({
      id: expect.any(String),
      ingredientId: glycerin.id,
      ingredient: named(glycerin),
      percentage: 7,
      unitPrice: 0.02,
      priceUnit: 'g',
      priceFrom: 'ingredient',
      costPerKg: 1.4,
      cost: 35,
      reason: null,
    });
  });

  it('takes another version, and the prices as they are now', async () => {
    expect(await dataOf('cost', '?version=1')).toMatchObject({
      versionNumber: 1,
      costPerKg: 0.5,
      cost: 0.5,
      batch: 1,
    });
    await user.put(`/api/ingredients/${water.id}`, { unitPrice: null }).expect(200);
    const cost = await dataOf('cost');
    await user.put(`/api/ingredients/${water.id}`, { unitPrice: 0.5 }).expect(200);
    expect(cost).toMatchObject({
      costPerKg: null,
      cost: null,
      knownCostPerKg: 9.48,
      pricedPercentage: 27.2,
      unpriced: [{ ingredientId: water.id, ingredient: named(water), percentage: 72.5, reason: 'no-price' }],
    });
  });

  it('has the same numbers on the page and in files', async () => {
    const page = (await get('cost', '?batch=25&format=html&lang=en').expect(200)).text;
    expect(page).toContain('Cost of raw materials: 保湿霜 (version 2)');
    expect(page).toContain('<td class="number">246.0625</td>');
    expect(page).toContain('99.7%; costs are of the percentages as entered');
    const rows = rowsOf((await get('cost', '?batch=25&format=csv&lang=en').expect(200)).text);
    expect(rows[0]).toEqual([
      'Phase',
      'INCI name',
      'Chinese name',
      '%',
      'Price',
      'per',
      'Cost per kg',
      'Cost of 25 kg',
      'Why unknown',
    ]);
    expect(rows[2]).toEqual(['水相', 'Glycerin', '甘油', '7', '0.02', 'g', '1.4', '35', '']);
    expect(rows[4]).toEqual(['', 'Total', '', '99.7', '', '', '9.8425', '246.0625', '']);
    const sheets = await readXlsxFile((await binary(get('cost', '?batch=25&format=xlsx')).expect(200)).body);
    expect(sheets.map(({ sheet }) => sheet)).toEqual([
      '1 各成分成本',
      '2 各相成本',
      '3 原料成本：保湿霜（第 2 版）',
    ]);
    expect(sheets[0]!.data[2]).toEqual(['水相', 'Glycerin', '甘油', 7, 0.02, 'g', 1.4, 35, null]);
  });
});

describe('GET /api/ext/formulas/:id/batch', () => {
  it('gives weights that add up to exactly the batch, with notes and rounding errors', async () => {
    const sheet = await dataOf('batch', '?mass=25&unit=kg&step=0.1&stepUnit=g');
    expectKeys(sheet, [
      'formulaId',
      'formulaName',
      'versionNumber',
      'totalPercentage',
      'mass',
      'unit',
      'step',
      'stepUnit',
      'massOnBalance',
      'largestError',
      'largestErrorOfLine',
      'productType',
      'volume',
      'pack',
      'mixedWith',
      'fromProfile',
      'phases',
    ]);
    expect(sheet).toMatchObject({
      totalPercentage: 99.7,
      mass: 25,
      unit: 'kg',
      step: 0.1,
      stepUnit: 'g',
      massOnBalance: 25_000,
    });
    const lines = sheet.phases.flatMap(({ ingredients }: any) => ingredients);
    // 25000 × 72.5 / 99.7 = 18179.538…, 1755.265…, 5065.195…
    expect(lines.map(({ weightOnBalance }: any) => weightOnBalance)).toEqual([18_179.5, 1755.3, 5065.2]);
    expect(lines[0]).toEqual({
      id: expect.any(String),
      ingredientId: water.id,
      ingredient: named(water),
      percentage: 72.5,
      supplier: null,
      processNotes: '加热至 75 ℃',
      weight: 18.1795,
      weightOnBalance: 18_179.5,
      belowStep: false,
    });
    expect(sheet.largestError).toEqual({
      lineId: lines[0].id,
      error: -0.0386158,
      percentOfLine: 0.000212414,
    });
    expect(sheet.largestErrorOfLine).toEqual({
      lineId: lines[1].id,
      error: 0.0342026,
      percentOfLine: 0.00194857,
    });
  });

  it('has places to fill in on the page and in files, and numbers in Excel', async () => {
    const page = (await get('batch', '?mass=25&format=html').expect(200)).text;
    expect(page).toContain('配料单：保湿霜（第 2 版）');
    expect(page).toContain('水相 · 79.5% · 19934.8 g');
    expect(page.match(/<td class="blank"><\/td>/g)).toHaveLength(3 * 4);
    for (const label of ['批号', '称量人', '签名', '生产批号', '日期']) expect(page).toContain(label);
    expect(page).toContain('合计为 99.7%');
    const answer = await binary(get('batch', '?mass=25&format=xlsx')).expect(200);
    expect(answer.headers['content-type']).toBe(XLSX);
    const [weighing] = await readXlsxFile(answer.body as Buffer);
    const BOUGHT_AS = ['原料代码', '商品名', '供应商'];
    expect(weighing!.data).toEqual([
      [
        '序号',
        '相',
        'INCI 名称',
        '中文名称',
        ...BOUGHT_AS,
        '%',
        '称量值（g）',
        '工艺说明',
        '批号',
        '称量人',
        '签名',
      ],
      [1, '水相', 'Aqua', '水', null, null, null, 72.5, 18_179.5, '加热至 75 ℃', null, null, null],
      [2, '水相', 'Glycerin', '甘油', null, null, null, 7, 1755.3, null, null, null, null],
      [3, '油相', 'Parfum', '香精', null, null, null, 20.2, 5065.2, null, null, null, null],
      [null, null, '合计', null, null, null, null, 99.7, 25_000, null, null, null, null],
    ]);
    const rows = rowsOf((await get('batch', '?mass=25&format=csv&lang=en').expect(200)).text);
    expect(rows[4]).toEqual(['', '', 'Total', '', '', '', '', '99.7', '25000', '', '', '', '']);
  });

  it('names what the balance cannot weigh', async () => {
    const { phases } = await dataOf('batch', '?mass=10&unit=g&step=1');
    expect(phases[0].ingredients[1]).toMatchObject({ weightOnBalance: 1, belowStep: true });
    const page = (await get('batch', '?mass=10&unit=g&step=1&format=html').expect(200)).text;
    expect(page).toContain('请改用精度更高的天平或预混物：甘油。');
    const light = (await get('batch', '?mass=5&unit=g&step=1&format=html&lang=en').expect(200)).text;
    expect(light).toMatch(/0\.351 \(finer balance\)/);
  });

  it.each([
    ['?mass=0', 'mass: 不能小于0.000001'],
    ['?mass=-1', 'mass: 不能小于0.000001'],
    ['?mass=1e7', 'mass: 不能大于1000000'],
    ['?mass=1e999', 'mass: 必须是有限的数字'],
    ['?mass=25%20kg', 'mass: 必须是数字'],
    ['?step=0', 'step: 不能小于0.000001'],
    ['?step=0.1234', 'step: 有效数字不能超过3位'],
    ['?mass=0.05&unit=g', 'mass: 必须是天平分度值的整数倍'],
    ['?mass=100000&unit=t&step=1&stepUnit=mg', 'mass: 不能超过天平分度值的1000000000000倍'],
    ['?unit=lb', 'unit: 必须是以下值之一: kg, g, mg, t'],
    ['?format=pdf', 'format: 必须是以下值之一: json, html, csv, xlsx'],
    ['?lang=fr', 'lang: 必须是以下值之一: zh, en'],
    ['?version=0', 'version: 不能小于1'],
    ['?version=1.5', 'version: 必须是整数'],
  ])('refuses %s', async (query, error) => {
    expectError(await get('batch', query), 400, error);
  });
});

describe('GET /api/ext/formulas/:id/balance', () => {
  it('proposes a composition that a revision takes as it is, and writes nothing', async () => {
    const { phases } = await dataOf('batch');
    const line = phases[0].ingredients[0].id;
    const statements = await recordStatements(async () => {
      const proposal = await dataOf('balance', `?line=${line}&to=100`);
      expectKeys(proposal, [
        'formulaId',
        'formulaName',
        'versionNumber',
        'totalPercentage',
        'line',
        'phases',
      ]);
      expect(proposal).toMatchObject({
        totalPercentage: { from: 99.7, to: 100 },
        line: {
          id: line,
          ingredientId: water.id,
          ingredient: named(water),
          percentage: { from: 72.5, to: 72.8 },
        },
      });
      const names = new Map([water, glycerin, fragrance].map((each) => [each.id, named(each)]));
      const proposed = cream().map((phase) => ({
        ...phase,
        ingredients: phase.ingredients.map((each) => ({
          processNotes: null,
          ...each,
          ingredient: names.get(each.ingredientId),
        })),
      }));
      proposed[0]!.ingredients[0]!.percentage = 72.8;
      expect(proposal.phases).toEqual(proposed);
      const copy = await createFormula(user, proposal.phases as ReturnType<typeof cream>);
      expect(copy.versions[0].phases).toHaveLength(2);
    });
    expect(statements.map(({ text }) => text).filter((text) => /INSERT INTO/.test(text))).toHaveLength(1);
    expect((await dataOf('balance', `?line=${line}&to=100.5`)).line.percentage).toEqual({
      from: 72.5,
      to: 73.3,
    });
  });

  it('refuses what is no line of this version', async () => {
    const { phases } = await dataOf('batch');
    const line = phases[0].ingredients[0].id as string;
    const missing = 'line: 该配方版本中没有这一成分行';
    expectError(await get('balance', `?version=1&line=${line}`), 400, missing);
    expectError(await get('balance', `?line=${NOWHERE}`), 400, missing);
    expectError(await get('balance', `?line=${water.id}`), 400, missing);
    expectError(await get('balance', '?line=%27%3B--'), 400, missing);
    expectError(await get('balance'), 400, 'line: 不能为空');
    expectError(await get('balance', `?line=${line}&to=99.4`), 400, 'to: 不能小于99.5');
  });

  it('refuses a line that is too small to take the rest', async () => {
    const lines = [
      { ingredientId: glycerin.id, percentage: 0.4 },
      { ingredientId: water.id, percentage: 100 },
    ];
    const formula = await createFormula(user, [{ name: '相', sortOrder: 1, ingredients: lines }]);
    const line = formula.versions[0].phases[0].ingredients[0].id;
    const answer = await user.get(`/api/ext/formulas/${formula.id}/balance?line=${line}`);
    expectError(answer, 400, 'line: 补足后该行为0%,必须大于0且不超过100%');
  });
});

describe.each(['cost', 'batch', 'balance'])('%s', (route) => {
  const query = (more = '') => `?line=${NOWHERE}${more}`;

  it('is a 404 without the formula or the version, also for pages', async () => {
    for (const id of [NOWHERE, 'none', '1']) {
      expectError(await user.get(`/api/ext/formulas/${id}/${route}${query()}`), 404, NO_FORMULA);
    }
    expectError(await get(route, query('&version=3')), 404, NO_VERSION);
    expectError(await get(route, query('&version=3&format=html')), 404, NO_VERSION);
    expectError(await get(route, query('&version=2147483647')), 404, NO_VERSION);
  });

  it('is a 404 where the reader may not see the formula, and a 401 without a token', async () => {
    expectError(await get(route, query(), other), 404, NO_FORMULA);
    expectError(await get(route, query('&version=99'), other), 404, NO_FORMULA);
    expectError(await service.http.get(`/api/ext/formulas/${creamId}/${route}${query()}`), 401, UNAUTHORIZED);
  });

  it('takes one statement for the formula', async () => {
    const { phases } = await dataOf('batch');
    const line = phases[0].ingredients[0].id as string;
    const statements = await recordStatements(() => get(route, `?line=${line}`).expect(200));
    expect(statements.filter(({ name }) => name?.startsWith('compositions'))).toHaveLength(1);
    // Others look up the user of the token and, for costs, the exchange rates.
    expect(statements.length).toBeLessThanOrEqual(route === 'cost' ? 3 : 2);
  });
});

describe('What the reader may not see', () => {
  it('has a name in the line, as the contract has it, and no price', async () => {
    const secret = await createIngredient(user, { inciName: 'Known', chineseName: '秘方', unitPrice: 777 });
    const formula = await createFormula(user, wholeOf(secret.id));
    await user.put(`/api/ingredients/${secret.id}`, { inciName: 'Secret' }).expect(200);
    const path = `/api/ext/formulas/${formula.id}/cost`;
    const answer = await user.get(path).expect(200);
    expect(answer.body.data).toMatchObject({ costPerKg: null, knownCostPerKg: 0, pricedPercentage: 0 });
    expect(answer.body.data.phases[0].ingredients[0]).toMatchObject({
      ingredient: { ...named(secret), inciName: 'Secret' },
      unitPrice: null,
      priceUnit: null,
      costPerKg: null,
      cost: null,
      reason: 'hidden',
    });
    for (const format of ['json', 'html', 'csv']) {
      expect((await user.get(`${path}?format=${format}`).expect(200)).text).not.toContain('777');
    }
  });
});

describe('Pages and files', () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'text/html; charset=utf-8'],
    ['text/csv', 'text/csv; charset=utf-8'],
    [XLSX, XLSX],
    ['*/*', 'application/json; charset=utf-8'],
    ['image/png', 'application/json; charset=utf-8'],
  ])('follow Accept: %s', async (accept, type) => {
    for (const route of ['cost', 'batch']) {
      const answer = await get(route).set('Accept', accept).expect(200);
      expect(answer.headers['content-type']).toBe(type);
      expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    }
  });

  it('are named after the formula', async () => {
    const { headers } = await get('batch', '?format=csv');
    const name = encodeURIComponent('保湿霜-v2-配料单-1kg.csv');
    expect(headers['content-disposition']).toBe(
      `attachment; filename="___-v2-___-1kg.csv"; filename*=UTF-8''${name}`,
    );
    expect((await get('batch', '?format=html')).headers['content-disposition']).toBe('inline');
  });

  it('have hostile texts as texts', async () => {
    const hostile = "=cmd|' /C calc'!A0\"><script>alert(1)</script>";
    const ingredient = await createIngredient(user, {
      inciName: hostile,
      chineseName: hostile,
      unit: hostile,
      unitPrice: 1,
    });
    const phases = [
      {
        name: hostile,
        sortOrder: 1,
        ingredients: [{ ingredientId: ingredient.id, percentage: 100, processNotes: hostile }],
      },
    ];
    const formula = await createFormula(user, phases, { name: hostile });
    for (const route of ['cost', 'batch']) {
      const path = `/api/ext/formulas/${formula.id}/${route}`;
      const page = (await user.get(`${path}?format=html`).expect(200)).text;
      expect(page).not.toContain('<script');
      expect(page).toContain('&lt;script&gt;');
      const csv = (await user.get(`${path}?format=csv`).expect(200)).text;
      expect(csv).toContain("'=cmd|");
      expect(csv).not.toMatch(/(?:^|,)"?=cmd/m);
      const [sheet] = await readXlsxFile((await binary(user.get(`${path}?format=xlsx`)).expect(200)).body);
      expect(sheet!.data[1]).toContain(hostile);
    }
  });

  it('of the largest formula are exact, in every format', async () => {
    const phases = Array.from({ length: 200 }, (_, phase) => ({
      name: `相${phase}`,
      sortOrder: phase,
      ingredients: Array.from({ length: 5 }, (__, line) => ({
        ingredientId: [water, glycerin, fragrance][line % 3]!.id,
        percentage: phase === 0 && line === 0 ? 0.5 : 0.0997,
      })),
    }));
    const formula = await createFormula(user, phases, { name: '最大' });
    const path = `/api/ext/formulas/${formula.id}`;
    const sheet = (await user.get(`${path}/batch?mass=1&unit=kg&step=0.1&stepUnit=g`).expect(200)).body.data;
    const lines = sheet.phases.flatMap(({ ingredients }: any) => ingredients);
    expect(lines).toHaveLength(1000);
    const tenths = lines.map(({ weightOnBalance }: any) => Math.round(weightOnBalance * 10));
    expect(tenths.reduce((sum: number, tenth: number) => sum + tenth, 0)).toBe(10_000);
    const cost = (await user.get(`${path}/cost`).expect(200)).body.data;
    expect(cost.pricedPercentage).toBe(cost.totalPercentage);
    await user.get(`${path}/balance?line=${lines[0].id}`).expect(200);
    for (const format of ['html', 'csv', 'xlsx']) {
      for (const route of ['batch', 'cost'])
        await binary(user.get(`${path}/${route}?format=${format}`)).expect(200);
    }
  });
});
