import Big from 'big.js';
import type { CompositionLine } from '../formulas/composition/composition';
import { type Expansion, NOTHING, type Share, sumOfShares } from '../formulas/composition/expansion';
import { mapping, type Steps } from '../platform/common/steps';
import type { InParts, Origin, Portion } from './declaration-model';
import { grouped } from './grouped';

/** The sums of each line's contributions. With ranges, minimum and maximum may differ from the line's share. */
export type LineTotals = ReadonlyMap<CompositionLine, Share>;

export function* lineTotals({ substances, unknown }: Expansion): Steps<LineTotals> {
  const totals = new Map<CompositionLine, Share>();
  for (const { contributions } of [...substances, { contributions: unknown }]) {
    for (const { line, share } of contributions) {
      yield;
      const sum = totals.get(line);
      totals.set(line, sum ? sumOfShares([sum, share]) : share);
    }
  }
  return totals;
}

/** Returns the entries with the sums of their parts. */
export const addedUp = <Listed>(
  items: readonly InParts<Listed>[],
  totals: LineTotals,
): Steps<(Listed & Portion)[]> =>
  mapping(items, (item) => {
    const origins = originsOf(item.parts, totals);
    const counted = item.parts.filter(({ isCountedElsewhere }) => isCountedElsewhere);
    return {
      ...item,
      share: sumOfShares(origins.map(({ share }) => share)),
      countedInFragrance: shareOfParts(counted, totals),
      origins,
    };
  });

/** Combines the parts of each line to one origin, because a line may contribute several substances. */
const originsOf = (parts: readonly Origin[], totals: LineTotals): Origin[] =>
  grouped(parts, ({ line }) => line).map((same) => {
    const { phase, line } = same[0]!;
    return { phase, line, share: shareOfSome(sumOfShares(same.map(({ share }) => share)), line, totals) };
  });

export const shareOfParts = (parts: readonly Origin[], totals: LineTotals): Share =>
  sumOfShares(originsOf(parts, totals).map(({ share }) => share));

/** Returns the possible share of some substances: the line's share minus the possible share of the others. Exact. */
function shareOfSome(some: Share, line: CompositionLine, totals: LineTotals): Share {
  if (some.min.eq(some.max)) return some;
  const all = totals.get(line) ?? NOTHING;
  const ofLine = new Big(line.percentage);
  const withMostOthers = ofLine.minus(all.max.minus(some.max));
  const withLeastOthers = ofLine.minus(all.min.minus(some.min));
  const min = some.min.gt(withMostOthers) ? some.min : withMostOthers;
  const max = some.max.lt(withLeastOthers) ? some.max : withLeastOthers;
  return { min, middle: min.plus(max).times('0.5'), max };
}
