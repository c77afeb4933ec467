import type { CompositionLine } from '../formulas/composition/composition';
import { ciNumberOf } from '../ingredients/raw-materials/ci-numbers';
import type { Contribution, ExpandedSubstance } from '../formulas/composition/expansion';
import { FRAGRANCE } from './declared-names';

/** Returns true if a raw material is a fragrance. */
export const isFragranceLine = ({ catalogue }: CompositionLine): boolean =>
  catalogue?.functionCategory === 'fragrance';

/**
 * Returns true if a contribution is part of the perfume: in a fragrance all substances except colorants, in other
 * raw materials those with the role or the name of a fragrance.
 */
export function isFragrance(
  { key, inciName }: Pick<ExpandedSubstance, 'key' | 'inciName'>,
  { role, line }: Contribution,
): boolean {
  if (key === FRAGRANCE || role === 'fragrance') return true;
  return isFragranceLine(line) && role !== 'colorant' && ciNumberOf(inciName) === undefined;
}

/** Impurities and processing aids are neither in the list nor part of its fragrance entry. */
export const isPresent = ({ role }: Contribution): boolean =>
  role !== 'impurity' && role !== 'processing-aid';

export const isPresentInFragrance = (
  substance: Pick<ExpandedSubstance, 'key' | 'inciName'>,
  contribution: Contribution,
): boolean => isPresent(contribution) && isFragrance(substance, contribution);
