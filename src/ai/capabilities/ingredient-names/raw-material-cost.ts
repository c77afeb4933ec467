import { isCompleteSum, percentageSum } from '../../../formulas/percentage-sum';
import { type IngredientNames } from './ingredient-names';

interface Line {
  readonly name: string;
  readonly percentage: number;
}

/** What the raw materials of a kilogram cost by the catalogue's prices. */
export interface RawMaterialCost {
  /** Of the lines that have a price: where others have none, the whole costs at least as much. */
  readonly perKg: number;
  /** Whether every line has a price and the lines are a complete formula. */
  readonly isKnown: boolean;
  readonly unpriced: readonly Line[];
}

/** Lines without a share, or with a negative one, are not in the formula. */
export function rawMaterialCost(lines: readonly Line[], names: IngredientNames): RawMaterialCost {
  const present = lines.filter(({ percentage }) => percentage > 0);
  const unpriced: Line[] = [];
  let perKg = 0;
  for (const line of present) {
    const price = names.pricePerKg(line.name);
    if (price === undefined) unpriced.push(line);
    else perKg += (line.percentage / 100) * price;
  }
  const isComplete = isCompleteSum(percentageSum(present.map(({ percentage }) => percentage)));
  return { perKg: toCents(perKg), isKnown: unpriced.length === 0 && isComplete, unpriced };
}

const toCents = (amount: number): number => Math.round(amount * 100) / 100;
