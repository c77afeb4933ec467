import { Injectable, Module } from '@nestjs/common';
import Big from 'big.js';
import { AccessPolicy, AppModule, CUSTOM_ACCESS_POLICY, type ReadableRecords } from '../../src';
import { expectError, NOWHERE } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import type { Limit } from '../../src/regulations/editions/limit.entity';
import { RegulationsService } from '../../src/regulations/editions/regulations.service';
import { limit } from '../support/screenings';
import { createFormula, createIngredient, type Ingredient, type Phase } from '../support/factories';

/** Ingredients of the supplier `only NAME` are seen by the user of that name. */
@Injectable()
class SuppliersPolicy extends AccessPolicy {
  canChange = () => true;
  canConfigure = () => true;

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

@Module({ providers: [{ provide: CUSTOM_ACCESS_POLICY, useClass: SuppliersPolicy }] })
class PolicyModule {}

let service: TestApp;
let user: Account;
let other: Account;
let water: Ingredient;
let glycerin: Ingredient;
let oil: Ingredient;
let blend: Ingredient;
let cream: { id: string };

const line = ({ id }: Ingredient, percentage: number) => ({ ingredientId: id, percentage });
const phase = (name: string, sortOrder: number, ...ingredients: Phase['ingredients']): Phase => ({
  name,
  sortOrder,
  ingredients,
});
const bounds = ({ id }: Ingredient, min: number, max: number) => ({ ingredientId: id, min, max });
const post = (input: object, { id } = cream, account = user) =>
  account.post(`/api/ext/formulas/${id}/solve`, input);
const solve = async (input: object, formula = cream, account = user) =>
  (await post(input, formula, account).expect(200)).body.data;

type Solved = { phases: { name: string; ingredients: { ingredientId: string; percentage: number }[] }[] };
const sharesOf = ({ phases }: Solved) =>
  phases.flatMap(({ ingredients }) => ingredients.map(({ percentage }) => percentage));
const sum = (shares: readonly number[]) =>
  shares.reduce((total, share) => total.plus(share), new Big(0)).toFixed();

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [PolicyModule] })] } });
  [user, other] = [await service.register(), await service.register()];
  const create = (inciName: string, chineseName: string, functionCategory: string, unitPrice?: number) =>
    createIngredient(user, { inciName, chineseName, functionCategory, unitPrice });
  water = await create('Aqua', '水', 'other', 1);
  glycerin = await create('Glycerin', '甘油', 'humectant', 12);
  oil = await create('Squalane', '角鲨烷', 'emollient', 120);
  blend = await create('Phenoxyethanol (and) Ethylhexylglycerin', '防腐剂', 'preservative', 90);
  const substances = [
    { inciName: 'Phenoxyethanol', percentage: 90 },
    { inciName: 'Ethylhexylglycerin', percentage: 10 },
  ];
  await user.put(`/api/ext/ingredients/${blend.id}/composition`, { substances }).expect(200);
  cream = await createFormula(
    user,
    [
      phase('A', 1, line(water, 79), line(glycerin, 10)),
      phase('B', 2, line(oil, 10)),
      phase('C', 3, line(blend, 1)),
    ],
    { name: 'Cream' },
  );
});
afterAll(() => service.close());

describe('POST /api/ext/formulas/:id/solve', () => {
  it('finds the least cost within bounds, and phases that a revision takes', async () => {
    const solution = await solve({
      objective: 'least-cost',
      bounds: [bounds(water, 50, 90), bounds(glycerin, 5, 15), bounds(oil, 6, 12)],
      keep: [blend.id],
    });
    // 88 % water, 5 % glycerin, 6 % oil and 1 % preservative: 0.88 + 0.6 + 7.2 + 0.9.
    expect(sharesOf(solution)).toEqual([88, 5, 6, 1]);
    expect(solution).toMatchObject({
      formulaId: cream.id,
      versionNumber: 1,
      cost: { from: { costPerKg: 14.89 }, to: { costPerKg: 9.58 }, difference: -5.31 },
      comparison: { totals: { from: 100, to: 100, difference: 0 } },
      conflict: [],
      notes: [],
    });
    expect(solution.comparison.lines.map((each: { change: string }) => each.change)).toEqual(
      Array(3).fill('changed'),
    );
    const copy = (await user.post(`/api/ext/formulas/${cream.id}/copy`, {}).expect(201)).body.data;
    await user.put(`/api/formulas/${copy.id}/composition`, { phases: solution.phases }).expect(200);
    expect((await user.get(`/api/ext/formulas/${copy.id}/cost`).expect(200)).body.data.costPerKg).toBe(9.58);
  });

  it('reaches a cost with the least change, and keeps limits of substances through blends', async () => {
    const cheaper = await solve({ objective: 'least-change', maxCost: 10 });
    expect(cheaper.cost.to.costPerKg).toBeLessThanOrEqual(10);
    expect(sum(sharesOf(cheaper))).toBe('100');
    // Only the oil is worth it: (120 - 1) / 100 for each percent, 4.89 / 1.19 = 4.1093 in all.
    expect(sharesOf(cheaper)).toEqual([83.11, 10, 5.89, 1]);

    const weaker = await solve({
      objective: 'least-change',
      substances: [{ key: 'Phenoxyethanol', min: 0.4, max: 0.5 }],
      phases: [{ name: 'B', min: 10, max: 10 }],
    });
    // 90 % of 0.555 are 0.4995.
    expect(sharesOf(weaker)).toEqual([79.445, 10, 10, 0.555]);
  });

  it('takes ingredients out, and lets those of a category come in', async () => {
    const cheap = await createIngredient(user, {
      inciName: 'Mineral Oil',
      chineseName: '矿油',
      functionCategory: 'emollient',
      unitPrice: 10,
    });
    await createIngredient(user, {
      inciName: 'Jojoba Oil',
      chineseName: '荷荷巴油',
      functionCategory: 'emollient',
    });
    const solution = await solve({
      objective: 'least-cost',
      exclude: [oil.id],
      others: 'unchanged',
      add: [{ category: 'emollient', max: 20 }],
    });
    expect(solution.phases[1]).toMatchObject({ name: 'B', ingredients: [line(cheap, 10)] });
    expect(solution.comparison.lines.map((each: { change: string }) => each.change).sort()).toEqual([
      'added',
      'removed',
    ]);
    expect(solution.notes).toEqual(['emollient 类成分：目录中有 2 种未用，考虑了 1 种']);
    const english = await post({
      objective: 'least-cost',
      others: 'unchanged',
      add: [{ category: 'emollient' }],
    })
      .set('X-Language', 'en')
      .expect(200);
    expect(english.body.data.notes).toEqual([
      'emollient: 1 of 2 further ingredients of the catalogue were considered',
    ]);
  });

  it('names a smallest set of wishes that exclude each other', async () => {
    const wishes = {
      objective: 'least-cost',
      maxCost: 8,
      bounds: [bounds(glycerin, 1, 20), bounds(oil, 8, 20)],
      keep: [blend.id],
      substances: [{ key: 'phenoxyethanol', max: 2 }],
    };
    const { conflict, ...rest } = await solve(wishes);
    expect(rest).toMatchObject({ phases: null, cost: null, comparison: null });
    expect(conflict).toEqual([
      { field: 'bounds.1', message: '角鲨烷：8%～20%' },
      { field: 'maxCost', message: '每千克成本不超过 8' },
    ]);
    const english = await post(wishes).set('X-Language', 'en').expect(200);
    expect(english.body.data.conflict[0].message).toBe('Squalane: 8 to 20%');
  });

  it('treats no unknown price as 0, and no unknown composition as free of a substance', async () => {
    const unpriced = await createIngredient(user, { inciName: 'Nameless', chineseName: '无价' });
    const mixture = await createIngredient(user, {
      inciName: 'Caprylyl Glycol (and) Glycerin',
      chineseName: '混合物',
      unitPrice: 5,
    });
    const serum = await createFormula(
      user,
      [phase('A', 1, line(water, 80), line(glycerin, 10), line(unpriced, 6), line(mixture, 4))],
      { name: 'Serum' },
    );
    const cheapest = await solve({ objective: 'least-cost' }, serum);
    expect(sharesOf(cheapest)).toEqual([94, 6]);
    expect(cheapest.notes).toEqual(['无价 用量不变：没有可用价格']);
    expect(cheapest.cost.to.costPerKg).toBeNull();
    expectError(
      await post({ objective: 'least-change', maxCost: 5 }, serum),
      400,
      'maxCost: 成本未知:1种成分没有可用价格(Nameless)',
    );
    const known = await solve({ objective: 'least-change', maxCost: 1.5, exclude: [unpriced.id] }, serum);
    expect(known.cost.to.costPerKg).toBeLessThanOrEqual(1.5);

    const free = await solve({ objective: 'least-change', substances: [{ key: 'glycerin', max: 0 }] }, serum);
    expect(sharesOf(free)).toEqual([90, 6, 4]);
    expect(free.notes).toEqual(['混合物 用量不变：组成未知']);
  });

  it('counts the known part of a blend that is known in part', async () => {
    const preservative = (percentage: number) => line(partly, percentage);
    const create = (inciName: string) =>
      createIngredient(user, { inciName, chineseName: inciName, unitPrice: 5 });
    const [partly, pure] = [await create('Preservative Blend'), await create('Phenoxyethanol')];
    const substances = [
      { inciName: 'Phenoxyethanol', percentage: 90 },
      { inciName: 'Caprylyl Glycol (and) Ethylhexylglycerin', percentage: 10 },
    ];
    await user.put(`/api/ext/ingredients/${partly.id}/composition`, { substances }).expect(200);
    const limited = (max: number) => ({
      objective: 'least-change',
      substances: [{ key: 'phenoxyethanol', max }],
    });
    const formula = await createFormula(
      user,
      [phase('A', 1, line(water, 98.5), line(pure, 0.5), preservative(1))],
      { name: 'Toner' },
    );
    // 1 × 90 % of the blend stays, and leaves 0.1.
    const solution = await solve(limited(1), formula);
    expect(sharesOf(solution)).toEqual([98.9, 0.1, 1]);
    const { conflict } = await solve(limited(0.6), formula);
    expect(conflict.map((wish: { field: string | null }) => wish.field)).toEqual(['substances.0', null]);

    const only = await createFormula(user, [phase('A', 1, line(water, 99), preservative(1))], {
      name: 'Only',
    });
    expect(sharesOf(await solve(limited(0.9), only))).toEqual([99, 1]);
  });

  it('limits the cost in the currency of the cost, whatever is excluded', async () => {
    const priced = (name: string, unit: string) =>
      createIngredient(user, { inciName: `${name} oil`, chineseName: name, unit, unitPrice: 10 });
    const euros = [await priced('A', '€/kg'), await priced('B', '€/kg'), await priced('C', '€/kg')];
    const yuan = [await priced('D', '元/kg'), await priced('E', '元/kg')];
    const shares = [...euros.map((one) => line(one, 10)), ...yuan.map((one) => line(one, 35))];
    const formula = await createFormula(user, [phase('A', 1, ...shares)], { name: 'Currencies' });
    const wish = { objective: 'least-change', maxCost: 12, exclude: euros.map(({ id }) => id) };
    expectError(await post(wish, formula), 400, 'maxCost: 成本未知:2种成分没有可用价格(D oil、E oil)');
    const cost = (await user.get(`/api/ext/formulas/${formula.id}/cost`).expect(200)).body.data;
    expect(cost.currency).toBe('EUR');
  });

  it('considers the cheapest by the prices of suppliers too, and always those with bounds', async () => {
    const colorant = async (inciName: string, unitPrice?: number) =>
      createIngredient(user, { inciName, chineseName: inciName, functionCategory: 'colorant', unitPrice });
    const [dear, cheap] = [await colorant('Dear colorant', 900), await colorant('Cheap colorant')];
    for (let index = 0; index < 100; index += 1) await colorant(`Colorant ${index}`, 500);
    const suppliers = [{ name: 'A', price: 2, unit: 'kg', preferred: true }];
    await user.put(`/api/ext/ingredients/${cheap.id}/card`, { suppliers, documents: [] }).expect(200);
    const wish = {
      objective: 'least-cost',
      others: 'unchanged',
      exclude: [oil.id],
      add: [{ category: 'colorant' }],
    };
    const found = await solve({ ...wish, bounds: [bounds(dear, 1, 100)] });
    expect(found.phases.at(-1).ingredients).toEqual([
      expect.objectContaining(line(blend, 1)),
      expect.objectContaining(line(cheap, 9)),
      expect.objectContaining(line(dear, 1)),
    ]);
    expect(found.notes).toEqual(['colorant 类成分：目录中有 102 种未用，考虑了 101 种']);
  });

  it('leaves ingredients that are hidden as they are, and brings none in', async () => {
    const secret = await createIngredient(user, {
      inciName: 'Secret Oil',
      chineseName: '秘油',
      functionCategory: 'emollient',
      supplier: `only ${user.username}`,
      unitPrice: 0.1,
    });
    const formula = await createFormula(user, [phase('A', 1, line(water, 90), line(secret, 10))], {
      name: 'Secret',
    });
    const hidden = await solve({ objective: 'least-cost', add: [{ category: 'emollient' }] }, formula, other);
    expect(sharesOf(hidden)).toEqual([90, 10]);
    expect(hidden.notes[0]).toBe('秘油 用量不变：无权查看该成分');
    const seen = await solve({ objective: 'least-cost' }, formula);
    expect(sharesOf(seen)).toEqual([100]);
    const cheapest = { objective: 'least-cost', add: [{ category: 'emollient' }] };
    expect(JSON.stringify(await solve(cheapest, cream))).toContain('Secret Oil');
    expect(JSON.stringify(await solve(cheapest, cream, other))).not.toContain('Secret Oil');
  });

  it('refuses what the version does not contain, and says what cannot be rounded', async () => {
    expectError(
      await post({
        objective: 'least-cost',
        bounds: [bounds({ id: NOWHERE } as Ingredient, 0, 1)],
        phases: [{ name: 'Z' }],
        substances: [
          { key: 'retinol', min: 0.1 },
          { key: 'retinal', max: 1 },
        ],
        keep: [NOWHERE],
      }),
      400,
      'bounds.0: 该配方版本中没有此项; phases.0: 该配方版本中没有此项; substances.0: 该配方版本中没有此项; keep.0: 该配方版本中没有此项',
    );
    expectError(await post({ objective: 'least-cost' }, { id: NOWHERE }), 404, '配方不存在');
    expectError(
      await post({ objective: 'cheapest' }),
      400,
      'objective: 必须是以下值之一: least-cost, least-change',
    );
    const narrow = [bounds(blend, 0.00000011, 0.00000012)];
    expectError(
      await post({ objective: 'least-cost', bounds: narrow }),
      409,
      '未找到保留6位小数且满足全部条件的百分比,请放宽条件',
    );
    const trace = [line(water, 99.9999998), line(glycerin, 0.0000002)];
    const formula = await createFormula(user, [phase('A', 1, ...trace)], { name: 'Trace' });
    expectError(
      await post({ objective: 'least-change', keep: [glycerin.id] }, formula),
      409,
      '未找到保留6位小数且满足全部条件的百分比,请放宽条件',
    );
    const absent = { objective: 'least-change', substances: [{ key: 'retinol', max: 0 }] };
    expect(sharesOf(await solve(absent))).toEqual([79, 10, 10, 1]);
  });
});

describe('within the limits of a screening', () => {
  const least = { objective: 'least-change', screening: { region: 'House', productType: 'face-leave-on' } };
  const named = (inciName: string, more: object = {}) =>
    createIngredient(user, { inciName, chineseName: inciName, functionCategory: 'other', ...more });
  const formulaOf = (...ingredients: Phase['ingredients']) =>
    createFormula(user, [phase('A', 1, ...ingredients)], { name: 'Limited' });
  const load = (name: string, rows: readonly Partial<Limit>[]) => {
    const limits = rows.map((row, index) => {
      const { id: _id, editionId: _editionId, ...draft } = limit({ region: 'house', ...row });
      return { ...draft, line: index + 1 };
    });
    return service.app.get(RegulationsService).importEdition(name, { limits, refused: [] });
  };
  const screen = async (phases: object, query: string, { id } = cream) => {
    const copy = (await user.post(`/api/ext/formulas/${id}/copy`, {}).expect(201)).body.data;
    await user.put(`/api/formulas/${copy.id}/composition`, { phases }).expect(200);
    return (await user.get(`/api/ext/formulas/${copy.id}/screening?${query}`).expect(200)).body.data;
  };
  const HOUSE = 'region=house&productType=face-leave-on';

  beforeAll(() =>
    load('House', [
      {
        annex: 'V',
        entry: '29',
        kind: 'permitted-only',
        inciNames: ['PHENOXYETHANOL'],
        limitPercent: '1',
        productTypes: ['face-leave-on'],
      },
      {
        annex: 'V',
        kind: 'permitted-only',
        entry: '29',
        inciNames: ['PHENOXYETHANOL'],
        limitPercent: '2',
        productTypes: ['shampoo'],
      },
      { entry: '98', inciNames: ['SODIUM SALICYLATE'], limitPercent: '0.5', basis: 'acid', factor: '0.8' },
      { annex: 'II', entry: '1339', kind: 'prohibited', inciNames: ['HYDROQUINONE'] },
      { entry: '12', inciNames: ['METHYLPARABEN'], limitPercent: '0.4', sumGroup: 'parabens' },
      { entry: '12', inciNames: ['ETHYLPARABEN'], limitPercent: '0.4', sumGroup: 'parabens' },
      { entry: '15', inciNames: ['POTASSIUM HYDROXIDE'], limitPercent: '2', basis: 'after mixing' },
      { entry: '20', inciNames: ['RETINOL'], limitPercent: '0.3', scope: 'some of them', productTypes: null },
      { entry: '67', inciNames: ['LINALOOL'], kind: 'declare-above', limitPercent: '0.001' },
    ]),
  );

  it('takes no more of a substance through a blend than the limit of the product type', async () => {
    const formula = await formulaOf(line(water, 98), line(blend, 2));
    const { screening: ignored, ...without } = await solve({ objective: 'least-change' }, formula);
    expect([sharesOf(without as Solved), ignored]).toEqual([[98, 2], null]);
    expect((await screen(without.phases, HOUSE)).summary.result).toBe('above-limit');

    const solution = await solve(least, formula);
    // 90 % of 1.111 are 0.9999.
    expect(sharesOf(solution)).toEqual([98.889, 1.111]);
    expect(solution.screening).toMatchObject({
      formulaId: formula.id,
      region: 'house',
      productType: 'face-leave-on',
      edition: { name: 'House' },
      summary: { result: 'not-above-limit' },
    });
    const {
      formulaId: _id,
      formulaName: _name,
      versionNumber: _number,
      ...stored
    } = await screen(solution.phases, HOUSE);
    expect({ ...solution.screening, ...stored }).toEqual(solution.screening);
    const shampoo = { ...least, screening: { region: 'house', productType: 'shampoo' } };
    expect(sharesOf(await solve(shampoo, formula))).toEqual([98, 2]);
  });

  it('counts salts by their factor, sums groups, and takes out what is prohibited', async () => {
    const salicylate = await named('Sodium Salicylate');
    expect(sharesOf(await solve(least, await formulaOf(line(water, 99), line(salicylate, 1))))).toEqual([
      99.375, 0.625,
    ]);
    const [methyl, ethyl] = [await named('Methylparaben'), await named('Ethylparaben')];
    const parabens = await formulaOf(line(water, 99.3), line(methyl, 0.3), line(ethyl, 0.4));
    const shares = sharesOf(await solve(least, parabens));
    expect(sum(shares.slice(1))).toBe('0.4');
    const bleach = await named('Hydroquinone');
    const bleaching = await formulaOf(line(water, 97), line(glycerin, 2), line(bleach, 1));
    const { phases, screening } = await solve(least, bleaching);
    expect(phases[0].ingredients).toMatchObject([line(water, 98), line(glycerin, 2)]);
    expect(screening.summary.counts).toEqual({ 'no-entry-matched': 2 });
  });

  it('brings in no ingredient that is prohibited, however cheap it is', async () => {
    await named('Hydroquinone', { functionCategory: 'antioxidant', unitPrice: 0.01 });
    const dear = await named('Tocopherol', { functionCategory: 'antioxidant', unitPrice: 0.5 });
    const cheapest = {
      objective: 'least-cost',
      add: [{ category: 'antioxidant', max: 3 }],
      keep: [glycerin.id],
    };
    const formula = await formulaOf(line(water, 90), line(glycerin, 10));
    const ids = ({ phases: [first] }: any) => first.ingredients.map((each: any) => each.ingredient.inciName);
    expect(ids(await solve(cheapest, formula))).toContain('Hydroquinone');
    const within = await solve({ ...cheapest, screening: least.screening }, formula);
    expect(within.phases[0].ingredients).toMatchObject([line(water, 87), line(glycerin, 10), line(dear, 3)]);
  });

  it('names the limits that exclude other wishes', async () => {
    const formula = await formulaOf(line(water, 98), line(blend, 2));
    const wishes = { ...least, keep: [blend.id] };
    const { conflict, ...rest } = await solve(wishes, formula);
    expect(rest).toMatchObject({ phases: null, screening: null });
    expect(conflict).toEqual([
      { field: 'screening', message: '条目 V/29：Phenoxyethanol 不超过 1%' },
      { field: 'keep.0', message: '保留 防腐剂，用量不变' },
    ]);
    const bleach = await named('Hydroquinone');
    const bleaching = await formulaOf(line(water, 99), line(bleach, 1));
    const english = await post({ ...least, keep: [bleach.id] }, bleaching)
      .set('X-Language', 'en')
      .expect(200);
    expect(english.body.data.conflict[0]).toEqual({
      field: 'screening',
      message: 'Entry II/1339: Hydroquinone prohibited',
    });
  });

  it('takes from the profile what the request leaves out, and judges limits after mixing on the mixture', async () => {
    const alkali = await named('Potassium Hydroxide');
    const developer = await formulaOf(line(water, 99), line(alkali, 1));
    const relaxer = await formulaOf(line(water, 90), line(alkali, 10));
    const request = { objective: 'least-change', screening: {} };
    expectError(await post(request, relaxer), 400, 'screening.region: 不能为空');
    const profile = { productType: 'hair-straightening', markets: ['house'] };
    const give = (more: object) =>
      user.put(`/api/ext/formulas/${relaxer.id}/profile`, { ...profile, ...more }).expect(200);
    await give({});
    const unmixed = await solve(request, relaxer);
    expect(unmixed.fromProfile).toEqual(['region', 'productType']);
    expect(unmixed.screening.summary.result).toBe('cannot-be-judged');

    await give({ mixedWith: { formulaId: developer.id, ratio: 2 } });
    const mixed = await solve(request, relaxer);
    // (4 + 2 × 1) / 3 are 2.
    expect(sharesOf(mixed)).toEqual([96, 4]);
    expect(mixed.fromProfile).toEqual(['region', 'productType', 'mixedWith']);
    expect(mixed.screening).toMatchObject({
      summary: { result: 'not-above-limit' },
      fromProfile: mixed.fromProfile,
    });

    await user.put(`/api/formulas/${developer.id}/composition`, {
      phases: [phase('A', 1, line(water, 95), line(alkali, 5))],
    });
    const { conflict } = await solve(request, relaxer);
    expect(conflict).toEqual([
      { field: 'screening', message: '条目 III/15：Potassium Hydroxide 不超过 2% (after mixing)' },
    ]);
  });

  it('hides nothing that is not certain', async () => {
    const [retinol, linalool] = [await named('Retinol'), await named('Linalool')];
    const formula = await formulaOf(line(water, 98), line(retinol, 1), line(linalool, 1));
    const solution = await solve(least, formula);
    expect(sharesOf(solution)).toEqual([98, 1, 1]);
    expect(solution.screening.summary).toMatchObject({
      result: 'cannot-be-judged',
      counts: { 'cannot-be-judged': 1, declare: 1, 'no-entry-matched': 1 },
    });
    const mixture = await named('Caprylyl Glycol (and) Phenoxyethanol');
    const held = await solve(least, await formulaOf(line(water, 99), line(mixture, 0.4), line(mixture, 0.6)));
    expect(held.notes).toEqual(['Caprylyl Glycol (and) Phenoxyethanol 用量不变：组成未知']);
    expect(held.screening.notExamined.unknownPercentage).toBe('1');
    const nowhere = await solve({ objective: 'least-change', screening: { region: 'mars' } });
    expect(nowhere.screening.summary.result).toBe('no-data');
    const missing = { objective: 'least-change', screening: { region: 'house', edition: 'No such' } };
    expectError(await post(missing), 404, '限值表版本不存在');
  });
});

it('an exploration without a model calculates its options', async () => {
  const { text } = await user
    .post('/api/ai/explore-formula', {
      baseFormulaId: cream.id,
      costLimit: 10,
      keepIngredients: ['甘油', '防腐剂'],
    })
    .expect(200);
  const options = Array.from(
    text.matchAll(/^data: (.*"option".*)$/gm),
    ([, json]) => JSON.parse(json!).option,
  );
  expect(options.map(({ changes, predictedMetrics }) => [predictedMetrics.costEstimate, changes])).toEqual([
    [
      10,
      [
        { action: 'add', ingredient: '水', oldPercentage: 79, newPercentage: 83.11 },
        { action: 'reduce', ingredient: '角鲨烷', oldPercentage: 10, newPercentage: 5.89 },
      ],
    ],
    // 0.84 + 1.2 + 6 + 0.9
    [
      8.94,
      [
        { action: 'add', ingredient: '水', oldPercentage: 79, newPercentage: 84 },
        { action: 'reduce', ingredient: '角鲨烷', oldPercentage: 10, newPercentage: 5 },
      ],
    ],
  ]);
});

it('an exploration has its presets at prices that are too high to calculate with', async () => {
  await createIngredient(user, { inciName: 'Gold', chineseName: '金', unitPrice: 1e300 });
  const baseIngredients = [
    { name: 'Aqua', percentage: 99 },
    { name: 'Gold', percentage: 1 },
  ];
  const excludeIngredients = ['Gold'];
  await user
    .post('/api/ai/explore-formula', { baseIngredients, excludeIngredients, costLimit: 5 })
    .expect(200, /"option"/);
  await user.post('/api/ai/explore-formula', { baseIngredients, costLimit: 1e299 }).expect(200);
});
