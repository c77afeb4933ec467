import fc from 'fast-check';
import { sumOf } from '../platform/common/collections';
import { assertPercentageSum, isCompleteSum, totalOf } from './percentage-sum';

const phase = (...percentages: number[]) => ({
  ingredients: percentages.map((percentage) => ({ percentage })),
});

const isComplete = (...phases: ReturnType<typeof phase>[]) => isCompleteSum(totalOf(phases));

describe('percentage sum', () => {
  it('accepts both bounds and refuses what is just outside', () => {
    expect(isComplete(phase(99.5))).toBe(true);
    expect(isComplete(phase(100), phase(0.5))).toBe(true);
    expect(isComplete(phase(99.49999999999999))).toBe(false);
    expect(isComplete(phase(100), phase(0.5, 1e-15))).toBe(false);
    expect(isComplete()).toBe(false);
  });

  it('adds decimals exactly where binary numbers would leave the bounds', () => {
    expect(32.6 + 43.2 + 24.7).toBeGreaterThan(100.5);
    expect(isComplete(phase(32.6, 43.2), phase(24.7))).toBe(true);
    expect(sumOf([0.1, 0.2]).toString()).toBe('0.3');
  });

  it('names the total it found', () => {
    expect(() => assertPercentageSum({ phases: [phase(100)] })).not.toThrow();
    expect(() => assertPercentageSum({ phases: [phase(60, 39.4)] })).toThrow(
      'phases: 所有成分百分比之和必须在99.5到100.5之间,当前为99.4',
    );
  });

  it('does not depend on order or on how lines are split into phases', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 30 }),
        (hundredths) => {
          const lines = hundredths.map((n) => n / 100);
          const exact = hundredths.reduce((sum, n) => sum + n, 0) / 100;
          expect(Number(totalOf([phase(...lines)]))).toBe(exact);
          expect(Number(totalOf(lines.toReversed().map((line) => phase(line))))).toBe(exact);
        },
      ),
    );
  });
});
