import fc from 'fast-check';
import type { PlacedLine } from './comparison';
import { nearestPairs } from './nearest-pairs';

const linesOf = (percentages: readonly number[]): PlacedLine[] =>
  percentages.map((percentage, index) => ({
    line: {
      ingredientId: 'water',
      ingredient: { id: 'water', inciName: 'Aqua', chineseName: '水' },
      percentage,
      processNotes: null,
    },
    phase: 0,
    index,
  }));

/** Tries every choice. */
function leastTotal(few: readonly number[], many: readonly number[]): number {
  const [first, ...rest] = few;
  if (first === undefined) return 0;
  return Math.min(
    ...many.map((value, index) => Math.abs(first - value) + leastTotal(rest, many.toSpliced(index, 1))),
  );
}

describe('nearestPairs', () => {
  const some = fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 5 });

  it('gives every line of the shorter list a partner, with the least total of differences', () => {
    fc.assert(
      fc.property(some, some, (from, to) => {
        const pairs = nearestPairs(linesOf(from), linesOf(to));
        const total = pairs.reduce((sum, [a, b]) => sum + Math.abs(a.line.percentage - b.line.percentage), 0);
        const [few, many] = from.length <= to.length ? [from, to] : [to, from];
        expect(pairs).toHaveLength(few.length);
        expect(new Set(pairs.map(([{ index }]) => index)).size).toBe(few.length);
        expect(new Set(pairs.map(([, { index }]) => index)).size).toBe(few.length);
        expect(total).toBe(leastTotal(few, many));
      }),
      { numRuns: 1000 },
    );
  });

  it('is not misled by errors of rounding: 0.1 + 0.2 is 0.3', () => {
    // 0.3 − 0.1 and 0.4 − 0.2 are the same difference, which binary floats deny.
    const there = nearestPairs(linesOf([0.1]), linesOf([0.3, 0.4]));
    expect(there.map(([, { index }]) => index)).toEqual([0]);
  });
});
