import { groupBy } from '../../../platform/common/collections';
import type { CompositionLine } from '../../composition/composition';

/** The compared part of a phase. Phases and their lines are in the order of work. */
export interface ComparedPhase {
  readonly name: string;
  readonly ingredients: readonly ComparedLine[];
}

export type ComparedLine = Omit<CompositionLine, 'id' | 'catalogue'>;

/** An item of the earlier composition, and the same item of the later one. */
export type Pair<T> = readonly [from: T, to: T];

/** A line with its position: indexes of its phase, and within the phase. */
export interface PlacedLine {
  readonly line: ComparedLine;
  readonly phase: number;
  readonly index: number;
}

export const placedLines = (phases: readonly ComparedPhase[]): PlacedLine[] =>
  phases.flatMap(({ ingredients }, phase) => ingredients.map((line, index) => ({ line, phase, index })));

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

/**
 * Pairs lines of one ingredient so that the percentages differ as little as possible in total. All lines of the
 * shorter list get a partner. Among equally near lines, those with the same notes are paired first, then those in
 * the same order.
 *
 * Pairing equal percentages first never increases the total: if a = b, then the pairs a–x and b–y can be replaced
 * by a–b and x–y, and |x − y| is at most |a − x| + |b − y|.
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

/** Returns the items of both sides without a partner. */
export function withoutPaired<T>(
  from: readonly T[],
  to: readonly T[],
  pairs: readonly Pair<T>[],
): [from: T[], to: T[]] {
  const pairedFrom = new Set(pairs.map(([item]) => item));
  const pairedTo = new Set(pairs.map(([, item]) => item));
  return [from.filter((item) => !pairedFrom.has(item)), to.filter((item) => !pairedTo.has(item))];
}

/** Pairs items with the same key: the first with the first, the second with the second. */
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
 * Number of decimals in the comparison of percentages. As integers of this unit, the differences of two
 * compositions, together at most 201 %, are summed without rounding errors.
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
 * Returns for each of the few the index of its partner among the many, with the smallest total of differences. Both
 * are sorted, and so are the partners: crossing never makes the total smaller. At most (many − few) of the many are
 * skipped, so there are few × (many − few) steps.
 */
function nearestOf(few: readonly number[], many: readonly number[]): number[] {
  const most = many.length - few.length;
  /** The smallest total so far, by the number of skipped ones. */
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
