import type Big from 'big.js';
import { sumOf } from '../platform/common/collections';
import { InvalidInputError } from '../platform/common/errors/service-error';
import type { Message } from '../platform/texts/define-texts';
import { text } from '../platform/texts/text';

/** Limits of a complete formula's total, in percent, both inclusive. */
export const PERCENTAGE_SUM = { min: 99.5, max: 100.5 } as const;

interface Lines {
  ingredients: readonly { percentage: number }[];
}

/** Returns true if the percentages of a formula add up to this. */
export function isCompleteSum(sum: Big): boolean {
  return sum.gte(PERCENTAGE_SUM.min) && sum.lte(PERCENTAGE_SUM.max);
}

export const percentageOf = (lines: readonly { percentage: number }[]): Big =>
  sumOf(lines.map(({ percentage }) => percentage));

/** The total of a composition over all its phases. */
export const totalOf = (phases: readonly Lines[]): Big =>
  percentageOf(phases.flatMap(({ ingredients }) => ingredients));

/** @throws InvalidInputError if the total is out of bounds */
export function assertPercentageSum({ phases }: { phases: readonly Lines[] }): void {
  const sum = totalOf(phases);
  if (isCompleteSum(sum)) return;
  throw InvalidInputError.of([{ field: 'phases', message: incompleteText(sum.toString()) }]);
}

export const incompleteText = (sum: string): Message =>
  text('formula.percentage-sum', { ...PERCENTAGE_SUM, sum });
