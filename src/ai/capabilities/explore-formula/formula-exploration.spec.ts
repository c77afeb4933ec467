import { ReadAccess } from '../../../database/read-access';
import { Readers } from '../../../database/readers';
import { type BaseFormulaRepository } from './base-formula.repository';
import { FormulaExploration } from './formula-exploration';

const ID = '6b1f6c3e-0000-4000-8000-000000000001';
const STORED = { name: '保湿霜', ingredients: [{ name: '水', percentage: 100 }] };

describe('FormulaExploration', () => {
  const latest = jest.fn((_: ReadAccess, id: string) => Promise.resolve(id === ID ? STORED : undefined));
  const exploration = new FormulaExploration({ latest } as unknown as BaseFormulaRepository, new Readers());
  beforeEach(() => latest.mockClear());

  it('fills in from the stored formula what the request leaves out, null, empty or blank', async () => {
    for (const [baseFormulaName, baseIngredients] of [
      [undefined, undefined],
      [null, null],
      ['  ', []],
    ]) {
      const input = await exploration.inputOf(ReadAccess.EVERYTHING, {
        costLimit: 20,
        baseFormulaId: ID,
        baseFormulaName,
        baseIngredients,
      } as Parameters<FormulaExploration['inputOf']>[1]);
      expect(input).toMatchObject({ baseFormulaName: STORED.name, baseIngredients: STORED.ingredients });
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
    const input = await exploration.inputOf(ReadAccess.EVERYTHING, {
      ...aims,
      baseFormulaId: ID,
      baseFormulaName: ' 晚霜 ',
      baseIngredients,
    });
    expect(input).toEqual({ ...aims, baseFormulaName: '晚霜', baseIngredients });
  });

  it('asks for nothing by a limit of zero, empty lists and empty targets', async () => {
    const input = await exploration.inputOf(ReadAccess.EVERYTHING, {
      costLimit: 0,
      keepIngredients: [],
      excludeIngredients: [],
      targetMetrics: { spf: 30 },
    });
    expect(input).toEqual({ targetMetrics: { spf: 30 } });
    expect(latest).not.toHaveBeenCalled();
    await expect(
      exploration.inputOf(ReadAccess.EVERYTHING, { costLimit: 0, targetMetrics: {} }),
    ).rejects.toMatchObject({
      status: 400,
      message: 'costLimit: 与 targetMetrics、excludeIngredients 至少需要设置一项',
    });
  });

  it('does not know a base formula that is not stored', async () => {
    const request = { costLimit: 20, baseFormulaId: ID.replace(/1$/, '2') };
    await expect(exploration.inputOf(ReadAccess.EVERYTHING, request)).rejects.toMatchObject({
      status: 404,
      message: '配方不存在',
    });
  });
});
