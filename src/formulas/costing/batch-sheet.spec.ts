import Big from 'big.js';
import fc from 'fast-check';
import { compositionOf } from '../../../test/support/compositions';
import { linesOf } from '../composition/composition';
import { batchSheetOf } from './batch-sheet';
import type { BatchOrder, BatchSheetDto } from './batch.dto';
import { sumOf } from '../../platform/common/collections';
import { converted, MASS_UNITS } from './analysis.fields';

const ORDER: BatchOrder = { mass: 25, unit: 'kg', step: 0.1, stepUnit: 'g' };
const sheetOf = (percentages: number[][], order: Partial<BatchOrder> = {}) =>
  batchSheetOf(compositionOf(...percentages.map((phase) => phase.map((percentage) => ({ percentage })))), {
    ...ORDER,
    ...order,
  });
const linesIn = ({ phases }: BatchSheetDto) => phases.flatMap(({ ingredients }) => ingredients);
const weightsIn = (sheet: BatchSheetDto) => linesIn(sheet).map(({ weightOnBalance }) => weightOnBalance);

describe('batchSheetOf', () => {
  it('weighs by phase, in the unit of the mass and in that of the balance', () => {
    const sheet = sheetOf([[72.5, 5], [22.5]]);
    expect(sheet).toMatchObject({ ...ORDER, massOnBalance: 25_000, totalPercentage: 100, versionNumber: 3 });
    expect(sheet.phases).toMatchObject([
      {
        name: '相1',
        percentage: 77.5,
        weight: 19.375,
        weightOnBalance: 19_375,
        ingredients: [
          { percentage: 72.5, weight: 18.125, weightOnBalance: 18_125, belowStep: false },
          { percentage: 5, weight: 1.25, weightOnBalance: 1250, belowStep: false },
        ],
      },
      { weight: 5.625, ingredients: [{ weight: 5.625, weightOnBalance: 5625 }] },
    ]);
    expect(sheet.largestError).toMatchObject({ error: 0, percentOfLine: 0 });
  });

  it('scales to the batch where the percentages make less or more than 100', () => {
    const less = sheetOf([[50, 49.5]], { mass: 1, step: 1 });
    expect(less.totalPercentage).toBe(99.5);
    expect(weightsIn(less)).toEqual([503, 497]);
    expect(weightsIn(sheetOf([[50, 50.5]], { mass: 1, step: 1 }))).toEqual([498, 502]);
  });

  it('flags a line that the balance cannot weigh, and states both largest errors', () => {
    const sheet = sheetOf([[0.04, 30.3, 69.66]], { mass: 1, step: 1 });
    expect(linesIn(sheet).map(({ weightOnBalance, belowStep }) => [weightOnBalance, belowStep])).toEqual([
      [0, true],
      [303, false],
      [697, false],
    ]);
    const [pinch] = linesIn(sheet);
    // 0.4 g became 0, and 696.6 g became 697.
    expect(sheet.largestError).toEqual({ lineId: pinch!.id, error: -0.4, percentOfLine: 100 });
    expect(sheet.largestErrorOfLine).toEqual({ lineId: pinch!.id, error: -0.4, percentOfLine: 100 });
    const other = sheetOf([[0.1, 33.35, 66.55]], { mass: 1, step: 10 });
    expect(weightsIn(other)).toEqual([0, 330, 670]);
    expect(other.largestError).toMatchObject({
      lineId: linesIn(other)[2]!.id,
      error: 4.5,
      percentOfLine: 0.676183,
    });
    expect(other.largestErrorOfLine).toMatchObject({
      lineId: linesIn(other)[0]!.id,
      error: -1,
      percentOfLine: 100,
    });
  });

  it.each([
    [{ mass: 25.000_05 }, 'mass: 必须是天平分度值的整数倍'],
    [{ mass: 0.05, unit: 'g' }, 'mass: 必须是天平分度值的整数倍'],
    [{ mass: 1, unit: 'kg', step: 3 }, 'mass: 必须是天平分度值的整数倍'],
    [{ mass: 1_000_000, unit: 't', step: 1, stepUnit: 'mg' }, 'mass: 不能超过天平分度值的1000000000000倍'],
    [{ step: 0.1234 }, 'step: 有效数字不能超过3位'],
  ] as [Partial<BatchOrder>, string][])('refuses %j', (order, message) => {
    expect(() => sheetOf([[100]], order)).toThrow(message);
  });

  it('takes a step of three digits, and a batch of 1e12 steps', () => {
    expect(weightsIn(sheetOf([[100]], { mass: 1.23, unit: 'g', step: 0.123 }))).toEqual([1.23]);
    expect(weightsIn(sheetOf([[100]], { mass: 1000, unit: 't', step: 1, stepUnit: 'mg' }))).toEqual([1e12]);
    expect(() => sheetOf([[100]], { mass: 1000.000_000_001, unit: 't', step: 1, stepUnit: 'mg' })).toThrow(
      '不能超过天平分度值的1000000000000倍',
    );
  });

  it('flags no line of exactly one step', () => {
    const sheet = sheetOf([[0.1, 0.09, 99.81]], { mass: 1, step: 1 });
    expect(linesIn(sheet).map(({ belowStep }) => belowStep)).toEqual([false, true, false]);
  });

  it('takes a mass that binary numbers would not find a multiple', () => {
    expect(weightsIn(sheetOf([[100]], { mass: 0.3, unit: 'g', step: 0.1 }))).toEqual([0.3]);
    expect(weightsIn(sheetOf([[100]], { mass: 1.1, unit: 'kg', step: 0.001, stepUnit: 'g' }))).toEqual([
      1100,
    ]);
  });

  const percentages = fc
    .array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 40 })
    .map((parts) => parts.map((part) => part / 10_000));
  const orders = fc
    .record({
      steps: fc.integer({ min: 1, max: 10 ** 9 }),
      digits: fc.integer({ min: 1, max: 999 }),
      exponent: fc.integer({ min: -6, max: 3 }),
      unit: fc.constantFrom(...MASS_UNITS),
      stepUnit: fc.constantFrom(...MASS_UNITS),
    })
    .map(({ steps, digits, exponent, unit, stepUnit }) => {
      const step = new Big(`${digits}e${exponent}`);
      return {
        mass: converted(step.times(steps), stepUnit, unit).toNumber(),
        unit,
        step: step.toNumber(),
        stepUnit,
      };
    });

  it('adds up exactly in both units, is within one step of exact, and keeps the order, for every mass and step', () => {
    fc.assert(
      fc.property(fc.array(percentages, { minLength: 1, maxLength: 5 }), orders, (phases, order) => {
        const composition = compositionOf(
          ...phases.map((phase) => phase.map((percentage) => ({ percentage }))),
        );
        const sheet = batchSheetOf(composition, order);
        const lines = linesIn(sheet);
        const total = sumOf(phases.flat());
        expect(lines.map(({ id }) => id)).toEqual(linesOf(composition).map(({ id }) => id));
        expect(sumOf(lines.map(({ weight }) => weight)).toNumber()).toBe(order.mass);
        expect(sumOf(lines.map(({ weightOnBalance }) => weightOnBalance)).eq(sheet.massOnBalance)).toBe(true);
        expect(sumOf(sheet.phases.map(({ weight }) => weight)).eq(order.mass)).toBe(true);
        for (const { weightOnBalance, percentage } of lines) {
          const difference = total
            .times(weightOnBalance)
            .minus(new Big(sheet.massOnBalance).times(percentage));
          expect(difference.abs().lt(total.times(order.step))).toBe(true);
          expect(new Big(weightOnBalance).mod(order.step).eq(0)).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
