import type Big from 'big.js';
import { groupBy, sumOf } from '../../platform/common/collections';
import type { Composition, CompositionLine } from '../composition/composition';
import type { CandidateIngredient } from '../composition/compositions.repository';
import type { Expansion } from '../composition/expansion';
import type { Limit } from './linear-program';

/** A version, and the ingredients that may come in, whose percentage is 0. */
export interface Draft {
  readonly composition: Composition;
  readonly lines: readonly CompositionLine[];
  /** Cost of one percent of each line; null if the line has no usable price. */
  readonly costs: readonly (Big | null)[];
  /** The substances of one percent of each line; null if no wish is about them. */
  readonly expansion: Expansion | null;
  /** Of the percentages that are sought. */
  readonly decimals: number;
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
    ...{ id: ingredient.id, ingredientId: ingredient.id, ingredient, catalogue },
    ...{ percentage: 0, processNotes: null },
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

/** Sums what lines contain by line. */
export function termsOf(
  { lines }: Draft,
  contents: readonly { readonly line: CompositionLine; readonly amount: Big }[],
): Limit['terms'] {
  const indexes = new Map(lines.map(({ id }, index) => [id, index]));
  return [...groupBy(contents, ({ line }) => indexes.get(line.id)!)].map(([index, ofLine]) => [
    index,
    sumOf(ofLine.map(({ amount }) => amount)).toFixed(),
  ]);
}
