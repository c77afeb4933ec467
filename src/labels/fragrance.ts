import type { Contribution, Expansion } from '../formulas/composition/expansion';
import { AROMA, PARFUM } from '../ingredients/raw-materials/substance-names';
import type { Region } from './declaration.dto';
import type { LabelEntry } from './label-entries';
import { fragranceName } from './label-names';

/** Impurities and processing aids are neither in the list nor part of its fragrance entry. */
export const isPresent = ({ role }: Contribution): boolean =>
  role !== 'impurity' && role !== 'processing-aid';

export const isPresentInFragrance = (contribution: Contribution): boolean =>
  isPresent(contribution) && contribution.perfume !== null;

/** Combines all perfumes of a formula in one entry, and all aromas in another. */
export function fragranceEntries({ substances, unknown }: Expansion, region: Region): LabelEntry[] {
  const all = [
    ...substances.flatMap(({ contributions }) => contributions.filter(isPresentInFragrance)),
    ...unknown,
  ];
  return ([PARFUM, AROMA] as const).flatMap((key) => {
    const shares = all
      .filter(({ perfume }) => perfume === key)
      .map(({ phase, line, share }) => ({ phase, line, share, isCountedElsewhere: false }));
    if (shares.length === 0) return [];
    const inciName = fragranceName(key, 'eu');
    const name = fragranceName(key, region);
    return [{ name, inciName, inciNames: [inciName], kind: 'fragrance', chineseNames: [], shares }];
  });
}
