import { groupBy } from '../../../platform/common/collections';
import { type ComparedLine, type ComparedPhase, equalPairs, type Pair, withoutPaired } from './pair-lines';

/**
 * Pairs the phases of two versions, as indexes: phases with the same name in their order, then the others by the
 * number of common ingredients. Phases without a common ingredient are not paired.
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
  /** Index among all phases. */
  readonly index: number;
  readonly lines: readonly ComparedLine[];
}

/** Pairs with most in common come first; among equal ones those nearest in the order of work. */
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
 * Returns the cells of `common` that are not 0, in the order of choice. Each is encoded as one number that contains
 * its sort key: sorting 40,000 numbers takes a few milliseconds.
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

/** Counts lines of the same ingredients for each pair of phases: that of `a` and `b` is at a × to.length + b. */
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

/** Returns by ingredient the phases that contain it, with the number of lines in each. */
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
