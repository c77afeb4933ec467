import {
  type Contribution,
  type ExpandedSubstance,
  type Expansion,
  sumOfShares,
} from '../formulas/composition/expansion';
import { mapping, type Steps } from '../platform/common/steps';
import { aromaticKindOf } from './allergens/aromatic-plants';
import { isFragrance, isFragranceLine, isPresent } from './fragrance';
import { grouped } from './grouped';

export interface WholeExtracts {
  readonly substances: readonly ExpandedSubstance[];
  /** The part of the allergens that the share of an extract includes. */
  readonly counted: ReadonlySet<Contribution>;
}

/**
 * Natural extracts with the allergens in them: lavender oil of which 40 percent is linalool is declared with its
 * whole share. Only the EU has the allergens declared in addition. Where the composition of a raw material that is
 * no fragrance has one other substance than allergens, impurities and aids, and that is an oil or extract of an
 * aromatic plant, it holds the allergens. Elsewhere nobody knows what holds them: each counts on its own, as
 * linalool beside sunflower oil does.
 */
export function* wholeExtracts({ substances, unknown }: Expansion): Steps<WholeExtracts> {
  const doubtful = new Set(unknown.map(({ line }) => line));
  const counted = new Set<Contribution>();
  const whole = new Map<Contribution, Contribution>();
  for (const parts of partsByLine(substances)) {
    yield;
    const allergens = parts.filter(isAllergen).map(({ contribution }) => contribution);
    const [extract, ...others] = parts.filter((part) => !isAllergen(part));
    if (
      !extract ||
      others.length > 0 ||
      doubtful.has(extract.contribution.line) ||
      !aromaticKindOf(extract.substance.key)
    )
      continue;
    const { contribution } = extract;
    const share = sumOfShares([contribution, ...allergens].map((part) => part.share));
    whole.set(contribution, { ...contribution, share });
    for (const allergen of allergens) counted.add(allergen);
  }
  return {
    counted,
    substances: yield* mapping(substances, (substance) => ({
      ...substance,
      contributions: substance.contributions.map((contribution) => whole.get(contribution) ?? contribution),
    })),
  };
}

interface Part {
  readonly substance: ExpandedSubstance;
  readonly contribution: Contribution;
}

/** An allergen that may be in an extract, which another oil or extract is not. */
const isAllergen = ({ substance, contribution }: Part): boolean =>
  contribution.role === 'fragrance-allergen' &&
  !isFragrance(substance, contribution) &&
  !aromaticKindOf(substance.key);

/** The substances of given compositions that are present, without those of fragrances. */
const partsByLine = (substances: readonly ExpandedSubstance[]): Part[][] =>
  grouped(
    substances.flatMap((substance) =>
      substance.contributions
        .filter((part) => part.isGiven && isPresent(part) && !isFragranceLine(part.line))
        .map((contribution) => ({ substance, contribution })),
    ),
    ({ contribution }) => contribution.line,
  );
