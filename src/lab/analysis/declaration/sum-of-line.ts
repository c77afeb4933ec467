import Big from 'big.js';
import type { CompositionLine } from '../../compositions/composition';
import { type Expansion, NOTHING, type Share, sumOfShares } from '../../raw-materials/expansion';

/** Adds shares that parts of one line have. */
export type SumOfLine = (line: CompositionLine, shares: readonly Share[]) => Share;

const HALF = new Big('0.5');

/**
 * All parts of a line are the line together, so that some of them are at most what the others leave: a perfume of
 * which 92 to 100 percent are `Parfum` and up to 5 percent linalool is still 1 percent of a product with 1 percent.
 */
export function sumOfLine({ substances, unknown }: Expansion): SumOfLine {
  const totals = new Map<CompositionLine, Share>();
  const parts = [...substances.flatMap(({ contributions }) => contributions), ...unknown];
  for (const { line, share } of parts) totals.set(line, sumOfShares([totals.get(line) ?? NOTHING, share]));
  return (line, shares) => {
    const sum = sumOfShares(shares);
    if (shares.length < 2) return sum;
    const total = totals.get(line) ?? sum;
    const most = total.max.minus(sum.max);
    const least = total.min.minus(sum.min);
    const min = [sum.min, new Big(line.percentage).minus(most)].reduce((a, b) => (a.gt(b) ? a : b));
    const max = [sum.max, new Big(line.percentage).minus(least)].reduce((a, b) => (a.lt(b) ? a : b));
    return min.gt(max) ? sum : { min, middle: min.plus(max).times(HALF), max };
  };
}
