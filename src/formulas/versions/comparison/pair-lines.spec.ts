import fc from 'fast-check';
import { nearestPairs, type PlacedLine } from './pair-lines';

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

  const partnerOf = (from: number, to: number[]) => nearestPairs(linesOf([from]), linesOf(to))[0]![1].index;

  it('takes 0.2 and 0.4 to be equally near to 0.3, which binary floats deny: then the larger one', () => {
    expect(partnerOf(0.3, [0.2, 0.4])).toBe(1);
    expect(partnerOf(0.2, [0.1, 0.3])).toBe(1);
  });

  it('sees the ninth decimal', () => {
    expect(partnerOf(1, [1.000000002, 1.000000001])).toBe(1);
    expect(partnerOf(1, [1.000000001, 1.000000002])).toBe(0);
  });
});
