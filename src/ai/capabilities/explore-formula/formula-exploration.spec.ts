import { Logger } from '@nestjs/common';
import { compositionOf } from '../../../../test/support/compositions';
import { RowFilter } from '../../../platform/access/row-filter';
import type { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import type { CompositionsService } from '../../../formulas/composition/compositions.service';
import { Solver } from '../../../formulas/solver/solver';
import type { ConcurrencyLimiter } from '../../../platform/request-limits/concurrency-limiter';
import { IngredientNames } from '../ingredient-names';
import { explorePreset } from './explore-formula';
import { FormulaExploration } from './formula-exploration';

const ID = '6b1f6c3e-0000-4000-8000-000000000001';
const WATER = { id: ID, inciName: 'Aqua', chineseName: '水' };
const STORED = compositionOf([{ percentage: 100, ingredient: WATER }]);

describe('FormulaExploration', () => {
  const find = jest.fn((_: RowFilter, id: string) => Promise.resolve(id === ID ? STORED : undefined));
  const squalane = { id: ID, inciName: 'Squalane', chineseName: '角鲨烷', unitPrice: 300, unit: 'kg' };
  const resolve = jest.fn((_: RowFilter, names: readonly string[]) =>
    Promise.resolve(
      names.map((name) => ({
        name,
        certain: name === '角鲨烷',
        grade: null,
        inciNames: [],
        candidates: name === '角鲨烷' ? [{ ingredient: squalane, matchedBy: 'chinese' }] : [],
      })),
    ),
  );
  const exploration = new FormulaExploration(
    { find } as unknown as CompositionsService,
    { resolve } as unknown as IngredientResolver,
    new Solver({ run: (_: string, work: () => unknown) => work() } as unknown as ConcurrencyLimiter),
  );
  beforeEach(() => jest.clearAllMocks());

  it('fills in from the stored formula what the request leaves out, null, empty or blank', async () => {
    for (const [baseFormulaName, ingredients] of [
      [undefined, undefined],
      [null, null],
      ['  ', []],
    ]) {
      const input = await exploration.inputOf(RowFilter.EVERYTHING, {
        costLimit: 20,
        baseFormulaId: ID,
        baseFormulaName,
        baseIngredients: ingredients,
      } as Parameters<FormulaExploration['inputOf']>[1]);
      const baseIngredients = [{ name: '水', inciName: 'Aqua', percentage: 100 }];
      expect(input).toMatchObject({ baseFormulaName: '保湿霜', baseIngredients });
    }
  });

  it("takes the request's own name and ingredients before those of the stored formula", async () => {
    const baseIngredients = [{ name: '油', percentage: 10 }];
    const aims = {
      excludeIngredients: ['酒精'],
      keepIngredients: ['水'],
      costLimit: 20,
      targetMetrics: { spf: 30 },
    };
    const input = await exploration.inputOf(RowFilter.EVERYTHING, {
      ...aims,
      baseFormulaId: ID,
      baseFormulaName: ' 晚霜 ',
      baseIngredients,
    });
    expect(input).toEqual({ ...aims, baseFormulaName: '晚霜', baseIngredients });
  });

  it('asks for nothing by a limit of zero, empty lists and empty targets', async () => {
    const input = await exploration.inputOf(RowFilter.EVERYTHING, {
      costLimit: 0,
      keepIngredients: [],
      excludeIngredients: [],
      targetMetrics: { spf: 30 },
    });
    expect(input).toEqual({ targetMetrics: { spf: 30 } });
    expect(find).not.toHaveBeenCalled();
    await expect(
      exploration.inputOf(RowFilter.EVERYTHING, { costLimit: 0, targetMetrics: {} }),
    ).rejects.toMatchObject({
      status: 400,
      message: 'costLimit: 与 targetMetrics、excludeIngredients 至少需要设置一项',
    });
  });

  it('does not know a base formula that is not stored', async () => {
    const request = { costLimit: 20, baseFormulaId: ID.replace(/1$/, '2') };
    await expect(exploration.inputOf(RowFilter.EVERYTHING, request)).rejects.toMatchObject({
      status: 404,
      message: '配方不存在',
    });
  });

  it('resolves all names at once, and none where none is named', async () => {
    const input = await exploration.withCatalogue(RowFilter.EVERYTHING, {
      baseIngredients: [{ name: '水', inciName: 'Aqua', percentage: 100 }],
      keepIngredients: ['角鲨烷'],
      excludeIngredients: ['酒精', '水'],
    });
    expect(resolve).toHaveBeenCalledTimes(1);
    const [[, names]] = resolve.mock.calls as [[RowFilter, string[]]];
    expect(names).toEqual(expect.arrayContaining(['角鲨烷', '酒精', '水', 'Aqua', '甘油']));
    expect(new Set(names).size).toBe(names.length);
    expect(input.catalogue?.pricePerKg('squalane')).toBe(300);
    expect(await exploration.withCatalogue(RowFilter.EVERYTHING, { costLimit: 1 })).toEqual({
      costLimit: 1,
    });
    expect(resolve).toHaveBeenCalledTimes(1);
  });

  it('says before the stream what presets leave out, and of a model only what holds of the request', async () => {
    const input = {
      baseIngredients: [{ name: '甘油', percentage: 100 }],
      keepIngredients: ['甘油'],
      excludeIngredients: ['Glycerin', '酒精'],
    };
    expect(await exploration.notesOn(input, true)).toEqual({
      excludedNotInBase: 1,
      noOptions: 'kept-ingredient',
    });
    expect(await exploration.notesOn({ ...input }, false)).toEqual({ excludedNotInBase: 1 });
    expect(await exploration.notesOn({ costLimit: 9 }, true)).toEqual({ excludedNotInBase: 0 });
  });

  describe('variants that are calculated', () => {
    const catalogue = new IngredientNames([
      { inciName: 'Aqua', chineseName: '水', pricePerKg: 1 },
      { inciName: 'Glycerin', chineseName: '甘油', pricePerKg: 12 },
      { inciName: 'Squalane', chineseName: '角鲨烷', pricePerKg: 120 },
      { inciName: 'Alcohol', chineseName: '乙醇', pricePerKg: 8 },
    ]);
    const baseIngredients = [
      { name: '水', percentage: 75 },
      { name: '甘油', percentage: 10 },
      { name: '角鲨烷', percentage: 10 },
      { name: '乙醇', percentage: 5 },
    ];
    const variantsOf = async (input: object) => {
      const { options } = explorePreset(
        await exploration.withSolutions({ baseIngredients, catalogue, ...input }),
      );
      return options.map(({ changes, predictedMetrics }) => [
        predictedMetrics.costEstimate,
        ...changes.map(({ ingredient, newPercentage }) => `${ingredient} ${newPercentage}`),
      ]);
    };

    it('meet the limit of the cost with the least change, and at the least cost', async () => {
      // 14.35 becomes 12 with 1.975 % less squalane: 2.35 / 1.19.
      expect(await variantsOf({ costLimit: 12 })).toEqual([
        [12, '水 76.975', '角鲨烷 8.025'],
        [7.68, '水 87.5', '甘油 5', '角鲨烷 5', '乙醇 2.5'],
      ]);
    });

    it('take out what must go, and leave what must stay as it is', async () => {
      const input = { costLimit: 10, excludeIngredients: ['Alcohol'], keepIngredients: ['Squalane'] };
      expect(await variantsOf({ ...input, costLimit: 13.5 })).toEqual([
        [13.5, '水 84.546', '甘油 5.454', '乙醇 0'],
        [13.45, '水 85', '甘油 5', '乙醇 0'],
      ]);
      expect(await variantsOf(input)).toEqual([]);
    });

    it('are none where something that must stay would be rounded to 0', async () => {
      const variants = async (percentage: number) => {
        const traces = [
          { name: '水', percentage: 90 - percentage },
          { name: '角鲨烷', percentage: 10 },
          { name: '甘油', percentage },
        ];
        const input = { baseIngredients: traces, catalogue, costLimit: 10, keepIngredients: ['甘油'] };
        return (await exploration.withSolutions(input)).solutions;
      };
      expect(await variants(0.0004)).toEqual([]);
      expect((await variants(0.0005))![0]![2]).toBe(0.001);
    });

    it('are none where the solver fails', async () => {
      const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
      const solve = jest.spyOn(Solver.prototype, 'solve').mockRejectedValue(new Error('broken'));
      const { solutions } = await exploration.withSolutions({ baseIngredients, catalogue, costLimit: 12 });
      expect(solutions).toEqual([]);
      expect(logged).toHaveBeenCalled();
      for (const spy of [logged, solve]) spy.mockRestore();
    });

    it('are none where a price is not known', async () => {
      const unknown = [...baseIngredients.slice(0, 3), { name: '香精', percentage: 5 }];
      const { solutions } = await exploration.withSolutions({
        baseIngredients: unknown,
        catalogue,
        costLimit: 12,
      });
      expect(solutions).toEqual([]);
    });
  });
});
