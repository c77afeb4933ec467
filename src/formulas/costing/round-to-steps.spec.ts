import Big from 'big.js';
import fc from 'fast-check';
import { roundToSteps } from './round-to-steps';
import { sumOf } from '../../platform/common/collections';

const stepsOf = (steps: number, ...shares: number[]) =>
  roundToSteps(new Big(steps), shares).map((part) => part.steps.toNumber());

/** Percentages as formulas have them, and as hostile ones may. */
const shares = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 1_000_000 }).map((number) => number / 10_000) },
    { weight: 1, arbitrary: fc.double({ min: 5e-324, max: 100, noNaN: true }) },
    { weight: 1, arbitrary: fc.constantFrom(1e-300, 1e-7, 33.333333333333336, 100) },
  ),
  { minLength: 1, maxLength: 60 },
);
const steps = fc.integer({ min: 1, max: 10 ** 12 });

describe('roundToSteps', () => {
  it.each([
    { steps: 10, shares: [33.33, 33.33, 33.34], parts: [3, 3, 4] },
    { steps: 100, shares: [50, 50], parts: [50, 50] },
    // Equal remainders: the larger share, then the earlier one.
    { steps: 3, shares: [1, 3, 1, 1], parts: [1, 2, 0, 0] },
    { steps: 1, shares: [50, 50], parts: [1, 0] },
    { steps: 5, shares: [25, 75], parts: [1, 4] },
    { steps: 1, shares: [0.0001, 99.9999], parts: [0, 1] },
  ])('$steps steps by $shares', ({ steps: all, shares: given, parts }) => {
    expect(stepsOf(all, ...given)).toEqual(parts);
  });

  it('rounds up the larger of two shares with equal remainders', () => {
    expect(stepsOf(2, 1, 3)).toEqual([0, 2]);
    expect(stepsOf(2, 3, 1)).toEqual([2, 0]);
  });

  it('says by how much it rounded', () => {
    const [small, large] = roundToSteps(new Big(10), [1, 99]);
    expect([small!.error.toString(), small!.relativeError.toString(), small!.isBelowOne]).toEqual([
      '-0.1',
      '1',
      true,
    ]);
    expect(roundToSteps(new Big(100), [1, 99])[0]!.isBelowOne).toBe(false);
    expect([large!.error.toString(), large!.isBelowOne]).toEqual(['0.1', false]);
  });

  it('adds up exactly, each part less than one step from the exact one, none negative', () => {
    fc.assert(
      fc.property(steps, shares, (all, given) => {
        const parts = roundToSteps(new Big(all), given);
        expect(sumOf(parts.map((part) => part.steps)).eq(all)).toBe(true);
        const sum = sumOf(given);
        parts.forEach((part, at) => {
          const product = new Big(all).times(given[at]!);
          const difference = part.steps.times(sum).minus(product).abs();
          expect(difference.lt(sum)).toBe(true);
          expect(part.steps.gte(0) && part.steps.mod(1).eq(0)).toBe(true);
          expect(part.isBelowOne).toBe(product.lt(sum));
          expect(Number.isFinite(part.relativeError.toNumber())).toBe(true);
        });
      }),
      { numRuns: 300 },
    );
  });

  it('is deterministic, and a larger share never gets less', () => {
    fc.assert(
      fc.property(steps, shares, (all, given) => {
        const parts = stepsOf(all, ...given);
        expect(stepsOf(all, ...given)).toEqual(parts);
        const sorted = given
          .map((share, at) => ({ share, part: parts[at]! }))
          .sort((a, b) => a.share - b.share);
        sorted.slice(1).forEach(({ share, part }, at) => {
          if (share > sorted[at]!.share) expect(part).toBeGreaterThanOrEqual(sorted[at]!.part);
        });
      }),
      { numRuns: 200 },
    );
  });
});
