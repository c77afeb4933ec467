import fc from 'fast-check';
import { render } from '../platform/texts/text';
import { isComplete, percentageSum, percentageSumFault } from './percentage-sum';

const phase = (...percentages: number[]) => ({
  ingredients: percentages.map((percentage) => ({ percentage })),
});

describe('percentage sum', () => {
  it('accepts both bounds and refuses what is just outside', () => {
    expect(percentageSumFault([phase(99.5)])).toBeUndefined();
    expect(percentageSumFault([phase(100), phase(0.5)])).toBeUndefined();
    expect(percentageSumFault([phase(99.49999999999999)])).toBeDefined();
    expect(percentageSumFault([phase(100), phase(0.5, 1e-15)])).toBeDefined();
  });

  it('adds decimals exactly where binary numbers would leave the bounds', () => {
    expect(32.6 + 43.2 + 24.7).toBeGreaterThan(100.5);
    expect(percentageSumFault([phase(32.6, 43.2), phase(24.7)])).toBeUndefined();
    expect(percentageSum([0.1, 0.2]).toString()).toBe('0.3');
    expect(isComplete([32.6, 43.2, 24.7])).toBe(true);
  });

  it('asks the same of bare percentages', () => {
    const totals = [99.49, 99.5, 100, 100.5, 100.51];
    expect(totals.map((total) => isComplete([40, total - 40]))).toEqual([false, true, true, true, false]);
    expect(isComplete([])).toBe(false);
  });

  it('names the total it found', () => {
    const fault = percentageSumFault([phase(60, 39.4)])!;
    expect(fault.field).toBe('phases');
    expect(render(fault.message)).toBe('所有成分百分比之和必须在99.5到100.5之间,当前为99.4');
  });

  it('does not depend on order or on how lines are split into phases', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 30 }),
        (hundredths) => {
          const lines = hundredths.map((n) => n / 100);
          const exact = hundredths.reduce((sum, n) => sum + n, 0) / 100;
          expect(Number(percentageSum(lines))).toBe(exact);
          expect(Number(percentageSum(lines.toReversed()))).toBe(exact);
          const fault = percentageSumFault([phase(...lines)]);
          expect(fault === undefined).toBe(isComplete(lines));
          expect(percentageSumFault(lines.toReversed().map((line) => phase(line)))).toEqual(fault);
        },
      ),
    );
  });
});
