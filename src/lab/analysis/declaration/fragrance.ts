import type { CompositionLine } from '../../compositions/composition';
import { ciNumberOf } from '../../raw-materials/ci-numbers';
import type { Contribution, ExpandedSubstance } from '../../raw-materials/expansion';
import { FRAGRANCE } from './declared-names';

/** Whether a raw material is a fragrance. */
export const isFragranceLine = ({ catalogue }: CompositionLine): boolean =>
  catalogue?.functionCategory === 'fragrance';

/**
 * Whether what a line brings of a substance is part of the perfume: all that a fragrance consists of but its
 * colorants, and in other raw materials what has the role or the name of one.
 */
export function isFragrance(
  { key, inciName }: Pick<ExpandedSubstance, 'key' | 'inciName'>,
  { role, line }: Contribution,
): boolean {
  if (key === FRAGRANCE || role === 'fragrance') return true;
  return isFragranceLine(line) && role !== 'colorant' && ciNumberOf(inciName) === undefined;
}

/** Impurities and processing aids are not in the list, nor a part of what it calls fragrance. */
export const isPresent = ({ role }: Contribution): boolean =>
  role !== 'impurity' && role !== 'processing-aid';

export const isPresentInFragrance = (
  substance: Pick<ExpandedSubstance, 'key' | 'inciName'>,
  contribution: Contribution,
): boolean => isPresent(contribution) && isFragrance(substance, contribution);
