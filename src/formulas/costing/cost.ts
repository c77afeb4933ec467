import Big from 'big.js';
import { currencyOf, kilogramsOf, type NoMass } from '../../ingredients/price-unit';
import { sumOf } from '../../platform/common/collections';
import { type Composition, type CompositionLine, linesOf } from '../composition/composition';
import { percentageOf } from '../percentage-sum';
import { converted, lineOf, versionOf } from './analysis.fields';
import { COST_DECIMALS, type CostChangeDto, type CostOrder, type FormulaCostDto } from './cost.dto';

interface LineCost {
  readonly line: CompositionLine;
  /** Currency per kilogram of the product; null where the line has no usable price. */
  readonly costPerKg: Big | null;
  readonly reason?: 'no-price' | 'hidden' | 'other-currency' | NoMass['reason'];
}

const shownCost = (cost: Big): number => cost.round(COST_DECIMALS, Big.roundHalfUp).toNumber();

/**
 * The cost of the raw materials per kilogram of the product and of a batch, by the catalogue's prices as they are
 * now. A percentage is a share of the product as it was entered: where all of them make 99.7, nothing is known of the
 * rest, and nothing is added.
 */
export function formulaCostOf(composition: Composition, { batch, unit }: CostOrder): FormulaCostDto {
  const kilograms = converted(batch, unit, 'kg');
  const currency = currencyOfMost(linesOf(composition));
  const phases = composition.phases.map(({ name, sortOrder, ingredients }) => {
    const costs = ingredients.map((line) => costOfLine(line, currency));
    return { costs, phase: { name, sortOrder, percentage: shareOf(costs), ...sums(costs, kilograms) } };
  });
  const all = phases.flatMap(({ costs }) => costs);
  return {
    ...versionOf(composition),
    totalPercentage: shareOf(all),
    batch,
    unit,
    ...sums(all, kilograms),
    unpriced: all.flatMap(({ line, reason }) => (reason ? [{ ...lineOf(line), reason }] : [])),
    phases: phases.map(({ costs, phase }) => ({
      ...phase,
      ingredients: costs.map((cost) => lineCostOf(cost, kilograms)),
    })),
  };
}

const shareOf = (costs: readonly LineCost[]): number =>
  percentageOf(costs.map(({ line }) => line)).toNumber();

/** The cost of these lines: the known part, and the sum if all of them are known. */
function sums(costs: readonly LineCost[], kilograms: Big) {
  const { known, isComplete, pricedPercentage } = knownCostOf(costs);
  const [knownCostPerKg, knownCost] = [shownCost(known), shownCost(known.times(kilograms))];
  return {
    costPerKg: isComplete ? knownCostPerKg : null,
    knownCostPerKg,
    cost: isComplete ? knownCost : null,
    knownCost,
    pricedPercentage,
  };
}

function knownCostOf(costs: readonly LineCost[]) {
  const priced = costs.filter(({ costPerKg }) => costPerKg !== null);
  return {
    known: sumOf(priced.map(({ costPerKg }) => costPerKg!)),
    isComplete: priced.length === costs.length,
    pricedPercentage: shareOf(priced),
  };
}

/** Costs of two versions per kilogram, and their difference, null unless both costs are known. */
export function costChangeOf(earlier: Composition, later: Composition): CostChangeDto {
  const currency = currencyOfMost([...linesOf(earlier), ...linesOf(later)]);
  const [from, to] = [earlier, later].map((composition) =>
    knownCostOf(linesOf(composition).map((line) => costOfLine(line, currency))),
  );
  const shown = ({ known, isComplete, pricedPercentage }: ReturnType<typeof knownCostOf>) => ({
    costPerKg: isComplete ? shownCost(known) : null,
    knownCostPerKg: shownCost(known),
    pricedPercentage,
  });
  const isComplete = from!.isComplete && to!.isComplete;
  return {
    from: shown(from!),
    to: shown(to!),
    difference: isComplete ? shownCost(to!.known.minus(from!.known)) : null,
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

/** Returns the currency of most priced lines, or of the first ones. Prices in another one are not added. */
function currencyOfMost(lines: readonly CompositionLine[]): string {
  const counts = new Map<string, number>();
  for (const { catalogue } of lines) {
    if (!catalogue || catalogue.unitPrice === null || 'reason' in kilogramsOf(catalogue.unit)) continue;
    const currency = currencyOf(catalogue.unit);
    counts.set(currency, (counts.get(currency) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '';
}

function costOfLine(line: CompositionLine, currency: string): LineCost {
  if (!line.catalogue) return { line, costPerKg: null, reason: 'hidden' };
  const { unit, unitPrice } = line.catalogue;
  if (unitPrice === null) return { line, costPerKg: null, reason: 'no-price' };
  const kilograms = kilogramsOf(unit);
  if ('reason' in kilograms) return { line, costPerKg: null, reason: kilograms.reason };
  if (currencyOf(unit) !== currency) return { line, costPerKg: null, reason: 'other-currency' };
  return { line, costPerKg: new Big(line.percentage).times(unitPrice).div(kilograms.times(100)) };
}
