import type { ExpandedSubstance } from '../formulas/composition/expansion';
import { RINSE_OFF } from '../formulas/product-types';
import { allergenNameOf } from '../ingredients/raw-materials/allergen-names';
import { groupBy } from '../platform/common/collections';
import { inTurns } from '../platform/common/in-turns';
import type { LabelProductType } from './declaration.dto';
import { isPresent } from './fragrance';
import { type LineTotals, sumByLine } from './label-entries';

/** Percent of the product that an allergen must exceed to be named (EU). */
export const allergenThreshold = (productType: LabelProductType): number =>
  productType === 'rinse-off' || RINSE_OFF.some((type) => type === productType) ? 0.01 : 0.001;

/**
 * Keys of substances of which there is more than the EU's threshold: those that have one name as allergens, together.
 */
export async function substancesAboveThreshold(
  substances: readonly ExpandedSubstance[],
  totals: LineTotals,
  productType: LabelProductType,
): Promise<ReadonlySet<string>> {
  const byName = [...groupBy(substances, ({ key }) => allergenNameOf(key) ?? key).values()];
  const above = await inTurns(byName, (same) => {
    const present = same.flatMap(({ contributions }) => contributions.filter(isPresent));
    return sumByLine(present, totals).max.gt(allergenThreshold(productType)) ? same : [];
  });
  return new Set(above.flat().map(({ key }) => key));
}
