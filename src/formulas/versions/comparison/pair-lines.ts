import { groupBy } from '../../../platform/common/collections';
import { type ComparedPhase, type Pair, type PlacedLine } from './comparison';
import { nearestPairs, withoutPaired } from './nearest-pairs';

export const placedLines = (phases: readonly ComparedPhase[]): PlacedLine[] =>
  phases.flatMap(({ lines }, phase) => lines.map((line, index) => ({ line, phase, index })));

/**
 * Which line has become which: the same ingredient first inside paired phases, then across phases, each time by
 * the nearest percentage.
 */
export function pairLines(
  from: readonly PlacedLine[],
  to: readonly PlacedLine[],
  phasePairs: readonly Pair<number>[],
): Pair<PlacedLine>[] {
  const partnerOf = new Map(phasePairs);
  const inside = nearestPairsBy(
    from.filter(({ phase }) => partnerOf.has(phase)),
    to,
    ({ line, phase }, isFrom) => `${isFrom ? partnerOf.get(phase) : phase} ${line.ingredientId}`,
  );
  const across = nearestPairsBy(...withoutPaired(from, to, inside), ({ line }) => line.ingredientId);
  return [...inside, ...across];
}

/** Pairs what has the same key. */
function nearestPairsBy(
  from: readonly PlacedLine[],
  to: readonly PlacedLine[],
  keyOf: (line: PlacedLine, isFrom: boolean) => string,
): Pair<PlacedLine>[] {
  const partners = groupBy(to, (line) => keyOf(line, false));
  return [...groupBy(from, (line) => keyOf(line, true))].flatMap(([key, lines]) =>
    nearestPairs(lines, partners.get(key) ?? []),
  );
}
