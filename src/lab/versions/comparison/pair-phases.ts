import { type ComparedLine, type ComparedPhase, groupBy, type Pair } from './comparison';
import { equalPairs, withoutPaired } from './nearest-pairs';

/**
 * Which phase has become which, as indexes: phases of one name in their order, then the rest by most ingredients
 * in common. Phases without a common ingredient are not paired.
 */
export function pairPhases(from: readonly ComparedPhase[], to: readonly ComparedPhase[]): Pair<number>[] {
  const fromPhases = from.map(({ name }, index) => ({ name, index }));
  const toPhases = to.map(({ name }, index) => ({ name, index }));
  const sameName = equalPairs(fromPhases, toPhases, ({ name }) => name);
  const [fromLeft, toLeft] = withoutPaired(fromPhases, toPhases, sameName);
  const similar = similarPairs(
    fromLeft.map(({ index }) => ({ index, lines: from[index]!.lines })),
    toLeft.map(({ index }) => ({ index, lines: to[index]!.lines })),
  );
  return [...sameName.map(([{ index }, partner]): Pair<number> => [index, partner.index]), ...similar];
}

interface UnpairedPhase {
  /** Among all phases. */
  readonly index: number;
  readonly lines: readonly ComparedLine[];
}

/** Those with most in common first; of equal ones those that are nearest in the order of work. */
function similarPairs(from: readonly UnpairedPhase[], to: readonly UnpairedPhase[]): Pair<number>[] {
  const common = commonLines(from, to);
  const [usedFrom, usedTo] = [new Set<UnpairedPhase>(), new Set<UnpairedPhase>()];
  const pairs: Pair<number>[] = [];
  for (const cell of rankedCells(common, from, to)) {
    const [before, after] = [from[Math.floor(cell / to.length)]!, to[cell % to.length]!];
    if (usedFrom.has(before) || usedTo.has(after)) continue;
    usedFrom.add(before);
    usedTo.add(after);
    pairs.push([before.index, after.index]);
  }
  return pairs;
}

/**
 * The cells of `common` that are not 0, in the order of choice. Each is one number, which holds what it is sorted
 * by: sorting 40,000 of them takes a few milliseconds.
 */
function rankedCells(
  common: Uint32Array,
  from: readonly UnpairedPhase[],
  to: readonly UnpairedPhase[],
): Float64Array {
  const most = common.reduce((x, y) => Math.max(x, y), 0);
  const places = placesOf([...from, ...to]);
  const ranks: number[] = [];
  common.forEach((lines, cell) => {
    if (lines === 0) return;
    const [before, after] = [from[Math.floor(cell / to.length)]!.index, to[cell % to.length]!.index];
    const rank = ((most - lines) * places + Math.abs(before - after)) * 2 * places + before + after;
    ranks.push(rank * common.length + cell);
  });
  return Float64Array.from(ranks)
    .sort()
    .map((rank) => rank % common.length);
}

const placesOf = (phases: readonly UnpairedPhase[]) => Math.max(0, ...phases.map(({ index }) => index)) + 1;

/** How many lines of the same ingredients each pair of phases has: that of `a` and `b` at a × to.length + b. */
function commonLines(from: readonly UnpairedPhase[], to: readonly UnpairedPhase[]): Uint32Array {
  const common = new Uint32Array(from.length * to.length);
  const usesTo = usesOf(to);
  for (const [ingredientId, usesFrom] of usesOf(from)) {
    for (const [before, linesFrom] of usesFrom) {
      for (const [after, linesTo] of usesTo.get(ingredientId) ?? []) {
        common[before * to.length + after]! += Math.min(linesFrom, linesTo);
      }
    }
  }
  return common;
}

type Use = readonly [phase: number, lines: number];

/** By ingredient: the phases that have it, and in how many lines each. */
function usesOf(phases: readonly UnpairedPhase[]): Map<string, Use[]> {
  const uses = new Map<string, Use[]>();
  phases.forEach(({ lines }, phase) => {
    for (const [ingredientId, same] of groupBy(lines, (line) => line.ingredientId)) {
      const known = uses.get(ingredientId);
      if (known) known.push([phase, same.length]);
      else uses.set(ingredientId, [[phase, same.length]]);
    }
  });
  return uses;
}
