import type Big from 'big.js';
import type { ExpandedSubstance } from '../../formulas/composition/expansion';
import { mapping, type Steps } from '../../platform/common/steps';
import { allergenNameOf } from './allergen-names';
import type { DeclarationRules, ProductType } from '../declaration-model';
import { isPresent } from '../fragrance';
import { grouped } from '../grouped';
import { type LineTotals, shareOfParts } from '../shares-of-lines';

/** Percent of the product that an allergen must exceed to be named (EU). */
export const ALLERGEN_THRESHOLDS: Readonly<Record<ProductType, number>> = {
  'leave-on': 0.001,
  'rinse-off': 0.01,
};

/** Substances of which there is more than the EU's threshold: those that have one name as allergens, together. */
export function* aboveThreshold(
  substances: readonly ExpandedSubstance[],
  totals: LineTotals,
  { productType }: DeclarationRules,
): Steps<ReadonlySet<ExpandedSubstance>> {
  const sharing = grouped(substances, ({ key }) => allergenNameOf(key) ?? key);
  const most = yield* mapping(sharing, (same): Big => {
    const present = same.flatMap(({ contributions }) => contributions.filter(isPresent));
    return shareOfParts(present, totals).max;
  });
  return new Set(sharing.filter((_, index) => most[index]!.gt(ALLERGEN_THRESHOLDS[productType])).flat());
}
