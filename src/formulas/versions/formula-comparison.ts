import Big from 'big.js';
import { type Composition, linesOf } from '../composition/composition';
import { type Cost, costOf, shownCost } from '../composition/cost';
import { compare } from './comparison/compare';
import type { Comparison, FromTo } from './comparison/comparison';

/** A compared version, without its composition. */
export type ComparedVersion = Pick<Composition, 'formulaId' | 'formulaName' | 'versionNumber' | 'createdAt'>;

/** Cost of the raw materials, in currency per kilogram of the product. */
export interface ComparedCost {
  /** Null unless every line has a usable price. */
  readonly costPerKg: number | null;
  /** Cost of the lines with a price. */
  readonly knownCostPerKg: number;
  /** Percent of the formula in these lines. */
  readonly pricedPercentage: number;
}

interface Difference<T> {
  readonly from: T;
  readonly to: T;
}

/** The differences of two versions, of the same or of two formulas. */
export interface FormulaComparison extends Comparison {
  readonly from: ComparedVersion;
  readonly to: ComparedVersion;
  readonly totals: Difference<number> & { readonly difference: number };
  /** The difference is null unless both costs are known. */
  readonly cost: Difference<ComparedCost> & { readonly difference: number | null };
}

export function comparisonOf(from: Composition, to: Composition): FormulaComparison {
  const [totalFrom, totalTo] = [totalOf(from), totalOf(to)];
  const [costFrom, costTo] = [costOf(from), costOf(to)];
  return {
    from: versionOf(from),
    to: versionOf(to),
    ...compare(from.phases, to.phases),
    totals: {
      from: totalFrom.toNumber(),
      to: totalTo.toNumber(),
      difference: totalTo.minus(totalFrom).toNumber(),
    },
    cost: {
      from: comparedCost(costFrom),
      to: comparedCost(costTo),
      difference:
        costFrom.costPerKg && costTo.costPerKg && shownCost(costTo.costPerKg.minus(costFrom.costPerKg)),
    },
  };
}

/** Returns the difference in exact decimals; null unless both values exist. */
export const differenceOf = ({ from, to }: FromTo<number>): number | null =>
  from === null || to === null ? null : new Big(to).minus(from).toNumber();

const totalOf = (composition: Composition): Big =>
  linesOf(composition).reduce((sum, { percentage }) => sum.plus(percentage), new Big(0));

const versionOf = ({ formulaId, formulaName, versionNumber, createdAt }: Composition): ComparedVersion => ({
  formulaId,
  formulaName,
  versionNumber,
  createdAt,
});

const comparedCost = ({ costPerKg, knownCostPerKg, pricedPercentage }: Cost): ComparedCost => ({
  costPerKg: costPerKg && shownCost(costPerKg),
  knownCostPerKg: shownCost(knownCostPerKg),
  pricedPercentage: pricedPercentage.toNumber(),
});
