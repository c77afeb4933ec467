import Big from 'big.js';
import type { FieldFault } from '../common/errors/service-error';

/** Bounds of a formula's total, in percent, both inclusive. */
const PERCENTAGE_SUM = { min: 99.5, max: 100.5 } as const;

interface Lines {
  ingredients: readonly { percentage: number }[];
}

/** The sum of all percentages over all phases, in exact decimal arithmetic (0.1 + 0.2 is 0.3). */
export function percentageSum(phases: readonly Lines[]): Big {
  return phases
    .flatMap(({ ingredients }) => ingredients)
    .reduce((sum, { percentage }) => sum.plus(percentage), new Big(0));
}

/** What is wrong with the total of a composition, or nothing. */
export function percentageSumFault(phases: readonly Lines[]): FieldFault | undefined {
  const sum = percentageSum(phases);
  if (sum.gte(PERCENTAGE_SUM.min) && sum.lte(PERCENTAGE_SUM.max)) return undefined;
  const { min, max } = PERCENTAGE_SUM;
  return { field: 'phases', message: `所有成分百分比之和必须在${min}到${max}之间,当前为${sum.toString()}` };
}
