import type Big from 'big.js';
import { sumOf } from '../platform/common/collections';
import { InvalidInputError } from '../platform/common/errors/service-error';
import type { Message } from '../platform/texts/define-texts';
import { type FieldFault, text } from '../platform/texts/text';

export { sumOf as percentageSum };

/** Limits of a complete formula's total, in percent, both inclusive. */
export const PERCENTAGE_SUM = { min: 99.5, max: 100.5 } as const;

interface Lines {
  ingredients: readonly { percentage: number }[];
}

/** Returns true if the percentages are a complete formula: their sum is 99.5 to 100.5. */
export function isComplete(percentages: Iterable<number>): boolean {
  return isCompleteSum(sumOf(percentages));
}

export function isCompleteSum(sum: Big): boolean {
  return sum.gte(PERCENTAGE_SUM.min) && sum.lte(PERCENTAGE_SUM.max);
}

/** Returns the fault in the total of a composition over all its phases, or undefined. */
export function percentageSumFault(phases: readonly Lines[]): FieldFault | undefined {
  const sum = sumOf(phases.flatMap(({ ingredients }) => ingredients.map((line) => line.percentage)));
  return isCompleteSum(sum) ? undefined : { field: 'phases', message: incompleteText(sum.toString()) };
}

/** @throws InvalidInputError if the total is out of bounds */
export function assertPercentageSum({ phases }: { phases: readonly Lines[] }): void {
  const fault = percentageSumFault(phases);
  if (fault) throw InvalidInputError.of([fault]);
}

export const incompleteText = (sum: string): Message =>
  text('formula.percentage-sum', { ...PERCENTAGE_SUM, sum });
