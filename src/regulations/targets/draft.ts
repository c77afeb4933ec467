import type Big from 'big.js';
import { groupBy, sumOf } from '../../platform/common/collections';
import type { Composition, CompositionLine } from '../../formulas/composition/composition';
import type { CandidateIngredient } from '../../formulas/composition/compositions.repository';
import type { Expansion } from '../../formulas/composition/expansion';
import type { ProfileUse } from '../../formulas/profile/profile-defaults';
import type { Limit } from '../../formulas/solver/linear-program';
import type { Finding } from '../screening/screening-model';

/** A version, and the ingredients that may come in, whose percentage is 0. */
export interface Draft {
  readonly composition: Composition;
  readonly candidates: readonly CandidateIngredient[];
  readonly lines: readonly CompositionLine[];
  /** Cost of one percent of each line; null if the line has no usable price. */
  readonly costs: readonly (Big | null)[];
  /** The substances of one percent of each line; null if no wish is about them. */
  readonly expansion: Expansion | null;
  readonly held: readonly HeldLine[];
  /** Of the screening of one percent of each line. */
  readonly findings: readonly Finding[];
  /** Conditions of that screening. */
  readonly fromProfile: ProfileUse[];
  /** Of the percentages that are sought. */
  readonly decimals: number;
}

/** A line that stays as it is, because too little is known of it. */
export interface HeldLine {
  readonly index: number;
  readonly line: CompositionLine;
  readonly message: string;
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
export function termsOf<Content extends { readonly line: CompositionLine }>(
  { lines }: Draft,
  contents: readonly Content[],
  amountOf: (content: Content) => Big,
): Limit['terms'] {
  const indexes = new Map(lines.map(({ id }, index) => [id, index]));
  const byLine = groupBy(contents, ({ line }) => indexes.get(line.id)!);
  return [...byLine].map(([index, ofLine]) => [index, sumOf(ofLine.map(amountOf)).toFixed()]);
}
