import { sumOf } from '../../../platform/common/collections';
import { isCompleteSum } from '../../../formulas/percentage-sum';
import { type IngredientNames } from './ingredient-names';

interface Line {
  readonly name: string;
  readonly percentage: number;
}

/** Cost of the raw materials of one kilogram at catalogue prices. */
export interface RawMaterialCost {
  /** Cost of the lines that have a price. If others have none, this is a lower bound. */
  readonly perKg: number;
  /** True if every line has a price and the lines are a complete formula. */
  readonly isKnown: boolean;
  readonly unpriced: readonly Line[];
}

/** Ignores lines without a positive share. */
export function rawMaterialCost(lines: readonly Line[], names: IngredientNames): RawMaterialCost {
  const present = lines.filter(({ percentage }) => percentage > 0);
  const unpriced: Line[] = [];
  let perKg = 0;
  for (const line of present) {
    const price = names.pricePerKg(line.name);
    if (price === undefined) unpriced.push(line);
    else perKg += (line.percentage / 100) * price;
  }
  const isComplete = isCompleteSum(sumOf(present.map(({ percentage }) => percentage)));
  return { perKg: toCents(perKg), isKnown: unpriced.length === 0 && isComplete, unpriced };
}

const toCents = (amount: number): number => Math.round(amount * 100) / 100;

/** Kilograms in one of each known unit. The weight of other units, such as a litre, is unknown. */
const KILOGRAMS: ReadonlyMap<string, number> = new Map([
  ...['kg', 'kgs', 'kilo', 'kilogram', 'kilograms', '千克', '公斤'].map((unit) => [unit, 1] as const),
  ...['g', 'gm', 'gram', 'grams', '克', '公克'].map((unit) => [unit, 1e-3] as const),
  ...['mg', '毫克'].map((unit) => [unit, 1e-6] as const),
  ...['t', 'ton', 'tonne', 'tons', 'tonnes', '吨', '公吨'].map((unit) => [unit, 1_000] as const),
  ...['斤', '市斤'].map((unit) => [unit, 0.5] as const),
  ...['lb', 'lbs', 'pound', 'pounds', '磅'].map((unit) => [unit, 0.453_592_37] as const),
  ...['oz', 'ounce', 'ounces', '盎司'].map((unit) => [unit, 0.028_349_523_125] as const),
]);

/** Returns the price per kilogram, or undefined if there is no price or its unit is not one of weight. */
export function pricePerKg(unitPrice: number | null, unit: string): number | undefined {
  const kilograms = KILOGRAMS.get(unit.normalize('NFKC').trim().toLowerCase());
  if (unitPrice === null || kilograms === undefined) return undefined;
  const price = unitPrice / kilograms;
  return Number.isFinite(price) ? price : undefined;
}
