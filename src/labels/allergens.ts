import type { ExpandedSubstance } from '../formulas/composition/expansion';
import { substanceKey } from '../ingredients/raw-materials/substance-names';
import { groupBy } from '../platform/common/collections';
import { inTurns } from '../platform/common/in-turns';
import allergens from './allergen-names.json';
import type { LabelProductType } from './declaration.dto';
import { isPresent } from './fragrance';
import { type LineTotals, sumByLine } from './label-entries';

/** An English name in brackets, which labels of the United States have: `Citrus Limon (Lemon) Peel Oil`. */
const EVERYDAY_NAME = / \([a-z -]+\)/g;
const allergenKey = (name: string): string => substanceKey(name).replace(EVERYDAY_NAME, '');

const BY_KEY: ReadonlyMap<string, string> = new Map(
  [
    ...allergens.ownNames.map((name) => [name, name] as const),
    ...Object.entries(allergens.namesOfSeveral).flatMap(([name, several]) =>
      [name, ...several].map((one) => [one, name] as const),
    ),
  ].map(([one, name]) => [allergenKey(one), name]),
);

/** The name under which the EU has an allergen declared; nothing where it is not known. */
export const allergenNameOf = (inciName: string): string | undefined => BY_KEY.get(allergenKey(inciName));

/** Percent of the product that an allergen must exceed to be named (EU). */
export const ALLERGEN_THRESHOLDS: Readonly<Record<LabelProductType, number>> = {
  'leave-on': 0.001,
  'rinse-off': 0.01,
};

/** Substances of which there is more than the EU's threshold: those that have one name as allergens, together. */
export async function substancesAboveThreshold(
  substances: readonly ExpandedSubstance[],
  totals: LineTotals,
  productType: LabelProductType,
): Promise<ReadonlySet<ExpandedSubstance>> {
  const byName = [...groupBy(substances, ({ key }) => allergenNameOf(key) ?? key).values()];
  const above = await inTurns(byName, (same) => {
    const present = same.flatMap(({ contributions }) => contributions.filter(isPresent));
    return sumByLine(present, totals).max.gt(ALLERGEN_THRESHOLDS[productType]) ? same : [];
  });
  return new Set(above.flat());
}
