import type Big from 'big.js';
import type { Composition } from '../composition/composition';
import { costOf, type LineCost, shownCost } from '../composition/cost';
import { lineOf, versionOf } from './analysis.fields';
import type { CostOrder, FormulaCostDto } from './cost.dto';
import { sumOf } from '../../platform/common/collections';
import { converted } from './mass';

/**
 * The cost of the raw materials per kilogram of the product and of a batch. A percentage is a share of the
 * product as it was entered: where all of them make 99.7, nothing is known of the rest, and nothing is added.
 */
export function formulaCostOf(composition: Composition, { batch, unit }: CostOrder): FormulaCostDto {
  const { lines } = costOf(composition);
  const costOfLine = new Map(lines.map((cost) => [cost.line, cost]));
  const kilograms = converted(batch, unit, 'kg');
  return {
    ...versionOf(composition),
    totalPercentage: percentageOf(lines),
    batch,
    unit,
    ...sums(lines, kilograms),
    unpriced: lines.flatMap(({ line, reason }) => (reason ? [{ ...lineOf(line), reason }] : [])),
    phases: composition.phases.map(({ name, sortOrder, lines: ofPhase }) => {
      const costs = ofPhase.map((line) => costOfLine.get(line)!);
      return {
        name,
        sortOrder,
        percentage: percentageOf(costs),
        ...sums(costs, kilograms),
        ingredients: costs.map((cost) => lineCostOf(cost, kilograms)),
      };
    }),
  };
}

const percentageOf = (costs: readonly LineCost[]): number =>
  sumOf(costs.map(({ line }) => line.percentage)).toNumber();

/** The cost of these lines: the known part, and the sum if all of them are known. */
function sums(costs: readonly LineCost[], kilograms: Big) {
  const priced = costs.filter(({ costPerKg }) => costPerKg !== null);
  const known = sumOf(priced.map(({ costPerKg }) => costPerKg!));
  const [knownCostPerKg, knownCost] = [shownCost(known), shownCost(known.times(kilograms))];
  const isComplete = priced.length === costs.length;
  return {
    costPerKg: isComplete ? knownCostPerKg : null,
    knownCostPerKg,
    cost: isComplete ? knownCost : null,
    knownCost,
    pricedPercentage: percentageOf(priced),
  };
}

const lineCostOf = ({ line, costPerKg, reason }: LineCost, kilograms: Big) => ({
  ...lineOf(line),
  unitPrice: line.catalogue?.unitPrice ?? null,
  priceUnit: line.catalogue?.unit ?? null,
  costPerKg: costPerKg && shownCost(costPerKg),
  cost: costPerKg && shownCost(costPerKg.times(kilograms)),
  reason: reason ?? null,
});
