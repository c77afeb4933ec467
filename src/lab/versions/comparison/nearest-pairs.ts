import { groupBy, type Pair, type PlacedLine } from './comparison';

/**
 * Pairs lines of one ingredient so that the percentages differ as little as possible in total. All lines of the
 * shorter list get a partner. Of lines that are equally near, those with the same notes are paired, and then
 * those in the same order.
 *
 * Pairing equal percentages first never makes the total larger: where a = b, a with x and b with y can be paired
 * as a with b and x with y, and |x − y| is at most |a − x| + |b − y|.
 */
export function nearestPairs(
  from: readonly PlacedLine[],
  to: readonly PlacedLine[],
): readonly Pair<PlacedLine>[] {
  if (from.length === 0 || to.length === 0) return [];
  const same = equalPairs(from, to, ({ line }) => `${line.percentage} ${line.processNotes ?? ''}`);
  const unpaired = withoutPaired(from, to, same);
  const equal = equalPairs(...unpaired, ({ line }) => String(line.percentage));
  return [...same, ...equal, ...leastTotal(...withoutPaired(...unpaired, equal))];
}

/** The items of both sides that have no partner yet. */
export function withoutPaired<T>(
  from: readonly T[],
  to: readonly T[],
  pairs: readonly Pair<T>[],
): [from: T[], to: T[]] {
  const pairedFrom = new Set(pairs.map(([item]) => item));
  const pairedTo = new Set(pairs.map(([, item]) => item));
  return [from.filter((item) => !pairedFrom.has(item)), to.filter((item) => !pairedTo.has(item))];
}

/** The first of a key with the first of the same key, the second with the second. */
export function equalPairs<T>(
  from: readonly T[],
  to: readonly T[],
  keyOf: (item: T) => string,
): readonly Pair<T>[] {
  const partners = groupBy(to, keyOf);
  return [...groupBy(from, keyOf)].flatMap(([key, items]) => {
    const found = partners.get(key) ?? [];
    return items.slice(0, found.length).map((item, index): Pair<T> => [item, found[index]!]);
  });
}

/**
 * Decimals that percentages are compared with. As integers of this unit the differences of two compositions,
 * together at most 201 %, are summed without an error of rounding.
 */
const DECIMALS = 13;

const unitsOf = ({ line }: PlacedLine): number => Math.round(line.percentage * 10 ** DECIMALS);

const byPercentage = (lines: readonly PlacedLine[]) => lines.toSorted((x, y) => unitsOf(x) - unitsOf(y));

function leastTotal(from: readonly PlacedLine[], to: readonly PlacedLine[]): Pair<PlacedLine>[] {
  const [fromSorted, toSorted] = [byPercentage(from), byPercentage(to)];
  if (fromSorted.length <= toSorted.length) {
    return nearestOf(fromSorted.map(unitsOf), toSorted.map(unitsOf)).map((partner, index) => [
      fromSorted[index]!,
      toSorted[partner]!,
    ]);
  }
  return nearestOf(toSorted.map(unitsOf), fromSorted.map(unitsOf)).map((partner, index) => [
    fromSorted[partner]!,
    toSorted[index]!,
  ]);
}

/**
 * For each of the few the index of its partner among the many, the total of the differences being the least.
 * Both are sorted, and partners are in the same order: crossing never makes the total smaller. Only as many of
 * the many are passed over as there are more of them, so there are few × (many − few) steps.
 */
function nearestOf(few: readonly number[], many: readonly number[]): number[] {
  const most = many.length - few.length;
  /** By how many have been passed over: the least total of the few so far. */
  let totals = new Float64Array(most + 1);
  const isPassed = few.map(() => new Uint8Array(most + 1));
  few.forEach((value, index) => {
    const next = new Float64Array(most + 1);
    for (let passed = 0; passed <= most; passed++) {
      const paired = totals[passed]! + Math.abs(value - many[index + passed]!);
      const isLess = passed === 0 || paired <= next[passed - 1]!;
      next[passed] = isLess ? paired : next[passed - 1]!;
      isPassed[index]![passed] = isLess ? 0 : 1;
    }
    totals = next;
  });
  const partners: number[] = [];
  let passed = most;
  for (let index = few.length - 1; index >= 0; index--) {
    while (isPassed[index]![passed] === 1) passed--;
    partners[index] = index + passed;
  }
  return partners;
}
