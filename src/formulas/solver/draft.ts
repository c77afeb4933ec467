import type Big from 'big.js';
import { groupBy } from '../../platform/common/collections';
import { type Composition, type CompositionLine, linesOf } from '../composition/composition';
import type { CandidateIngredient } from '../composition/compositions.repository';
import { type Expansion, type Share, sumOfShares } from '../composition/expansion';

/** A version, and the ingredients that may come in, whose percentage is 0. */
export interface Draft {
  readonly composition: Composition;
  readonly lines: readonly CompositionLine[];
  /** Cost of one percent of each line; null if the line has no usable price. */
  readonly costs: readonly (Big | null)[];
  /** The known substances of one percent of each line, by their keys. */
  readonly contents: readonly ReadonlyMap<string, Share>[];
  /** Indexes of lines that may contain more than that. */
  readonly unknown: ReadonlySet<number>;
}

/** Adds each candidate to the phase with the largest line of its category, else to the last phase. */
export function withCandidates(
  { phases, ...composition }: Composition,
  candidates: readonly CandidateIngredient[],
): Composition {
  const lines = phases.flatMap(({ ingredients }, phase) => ingredients.map((line) => ({ line, phase })));
  lines.sort((one, other) => other.line.percentage - one.line.percentage);
  const byPhase = groupBy(candidates, ({ catalogue: { functionCategory } }) => {
    const largest = lines.find(({ line }) => line.catalogue?.functionCategory === functionCategory);
    return largest?.phase ?? phases.length - 1;
  });
  const lineOf = ({ ingredient, catalogue }: CandidateIngredient): CompositionLine => ({
    ...{ id: '', ingredientId: ingredient.id, ingredient, catalogue, percentage: 0, processNotes: null },
  });
  return {
    ...composition,
    phases: phases.map((phase, index) => ({
      ...phase,
      ingredients: [...phase.ingredients, ...(byPhase.get(index) ?? []).map(lineOf)],
    })),
  };
}

/** The composition with other percentages, without lines and phases that have none. */
export function withPercentages(composition: Composition, percentages: Iterable<number>): Composition {
  const next = percentages[Symbol.iterator]();
  const phases = composition.phases.map((phase) => ({
    ...phase,
    ingredients: phase.ingredients
      .map((line) => ({ ...line, percentage: next.next().value as number }))
      .filter(({ percentage }) => percentage > 0),
  }));
  return { ...composition, phases: phases.filter(({ ingredients }) => ingredients.length > 0) };
}

/** @param composition whose lines were expanded */
export function contentsOf(
  composition: Composition,
  { substances, unknown }: Expansion,
): Pick<Draft, 'contents' | 'unknown'> {
  const indexes = new Map(linesOf(composition).map((line, index) => [line, index]));
  const contents = [...indexes].map(() => new Map<string, Share>());
  for (const { key, contributions } of substances) {
    for (const { line, share } of contributions) {
      const ofLine = contents[indexes.get(line)!]!;
      ofLine.set(key, sumOfShares([share, ofLine.get(key) ?? []].flat()));
    }
  }
  return { contents, unknown: new Set(unknown.map(({ line }) => indexes.get(line)!)) };
}
