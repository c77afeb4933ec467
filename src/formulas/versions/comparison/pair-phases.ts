import { groupBy } from '../../../platform/common/collections';
import { type ComparedPhase, equalPairs, type Pair, withoutPaired } from './pair-lines';

/** A phase, and its index among all phases. */
interface PlacedPhase {
  readonly phase: ComparedPhase;
  readonly index: number;
}

const placedPhases = (phases: readonly ComparedPhase[]): PlacedPhase[] =>
  phases.map((phase, index) => ({ phase, index }));

/**
 * Pairs the phases of two versions, as indexes: phases with the same name in their order, then the others by the
 * number of common ingredients. Phases without a common ingredient are not paired.
 */
export function pairPhases(from: readonly ComparedPhase[], to: readonly ComparedPhase[]): Pair<number>[] {
  const [before, after] = [placedPhases(from), placedPhases(to)];
  const sameName = equalPairs(before, after, ({ phase }) => phase.name);
  const similar = similarPairs(...withoutPaired(before, after, sameName));
  return [...sameName, ...similar].map(([one, other]) => [one.index, other.index]);
}

/** Pairs with most in common come first; among equal ones those nearest in the order of work. */
function similarPairs(from: readonly PlacedPhase[], to: readonly PlacedPhase[]): Pair<PlacedPhase>[] {
  const distance = ([one, other]: Pair<PlacedPhase>) => Math.abs(one.index - other.index);
  const place = ([one, other]: Pair<PlacedPhase>) => one.index + other.index;
  const ranked = commonLines(from, to).sort(
    (one, other) =>
      other.lines - one.lines ||
      distance(one.pair) - distance(other.pair) ||
      place(one.pair) - place(other.pair),
  );
  const used = new Set<PlacedPhase>();
  return ranked.flatMap(({ pair }) => {
    if (pair.some((phase) => used.has(phase))) return [];
    for (const phase of pair) used.add(phase);
    return [pair];
  });
}

/** Counts lines of the same ingredients for each pair of phases that have any, in the order of the phases. */
function commonLines(from: readonly PlacedPhase[], to: readonly PlacedPhase[]) {
  const countsOf = (phases: readonly PlacedPhase[]) =>
    phases.map((placed) => ({
      placed,
      counts: groupBy(placed.phase.ingredients, ({ ingredientId }) => ingredientId),
    }));
  const after = countsOf(to);
  return countsOf(from).flatMap(({ placed, counts }) =>
    after.flatMap((other) => {
      let lines = 0;
      for (const [id, same] of counts) lines += Math.min(same.length, other.counts.get(id)?.length ?? 0);
      return lines > 0 ? [{ pair: [placed, other.placed] as Pair<PlacedPhase>, lines }] : [];
    }),
  );
}
