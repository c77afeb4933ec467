import type { CompositionLine } from '../formulas/composition/composition';
import type {
  Contribution,
  ExpandedSubstance,
  Expansion,
  LineShare,
} from '../formulas/composition/expansion';
import { ciNumberOf } from '../ingredients/raw-materials/registry-numbers';
import { substanceKey } from '../ingredients/raw-materials/substance-names';
import type { Region } from './declaration.dto';
import type { LabelEntry } from './label-entries';
import { AROMA, FRAGRANCE, fragranceName } from './label-names';

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

interface FragranceShare extends LineShare {
  /** Key of the substance; of the raw material if the substance is unknown. */
  readonly key: string;
}

/** Combines all perfumes of a formula in one entry, and all aromas in another. */
export function fragranceEntries(expansion: Expansion, region: Region): LabelEntry[] {
  const all = fragranceShares(expansion);
  const aromaLines = new Set(all.filter(isAroma).map(({ line }) => line));
  const keyOf = ({ key, line }: FragranceShare) =>
    key !== FRAGRANCE && aromaLines.has(line) ? AROMA : FRAGRANCE;
  return ([FRAGRANCE, AROMA] as const).flatMap((key) => {
    const shares = all
      .filter((share) => keyOf(share) === key)
      .map(({ phase, line, share }) => ({ phase, line, share, isCountedElsewhere: false }));
    if (shares.length === 0) return [];
    const inciName = fragranceName(key, 'eu');
    const name = fragranceName(key, region);
    return [{ name, inciName, inciNames: [inciName], kind: 'fragrance', chineseNames: [], shares }];
  });
}

const isAroma = ({ key, line }: FragranceShare): boolean =>
  key === AROMA || (isFragranceLine(line) && substanceKey(line.ingredient.inciName) === AROMA);

function fragranceShares({ substances, unknown }: Expansion): FragranceShare[] {
  const known = substances.flatMap((substance) =>
    substance.contributions
      .filter((contribution) => isPresentInFragrance(substance, contribution))
      .map((contribution) => ({ ...contribution, key: substance.key })),
  );
  const ofUnknownComposition = unknown
    .filter(({ line }) => isFragranceLine(line))
    .map((part) => ({ ...part, key: substanceKey(part.inciName) }));
  return [...known, ...ofUnknownComposition];
}
