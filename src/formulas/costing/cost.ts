import Big from 'big.js';
import { sumOf } from '../../platform/common/collections';
import { type Composition, type CompositionLine, linesOf } from '../composition/composition';
import { percentageOf } from '../percentage-sum';
import { converted, lineOf, versionOf } from './analysis.fields';
import { COST_DECIMALS, type CostChangeDto, type CostOrder, type FormulaCostDto } from './cost.dto';

/** Why a unit gives no mass. A volume would need a density, which the catalogue does not have. */
export interface NoMass {
  readonly reason: 'volume' | 'unknown-unit';
}

interface LineCost {
  readonly line: CompositionLine;
  /** Currency per kilogram of the product; null where the line has no usable price. */
  readonly costPerKg: Big | null;
  readonly reason?: 'no-price' | 'hidden' | NoMass['reason'];
}

const shownCost = (cost: Big): number => cost.round(COST_DECIMALS, Big.roundHalfUp).toNumber();

const KILOGRAMS: ReadonlyMap<string, string> = new Map([
  ['kg', '1'],
  ['公斤', '1'],
  ['千克', '1'],
  ['g', '0.001'],
  ['克', '0.001'],
  ['mg', '0.000001'],
  ['毫克', '0.000001'],
  ['t', '1000'],
  ['吨', '1000'],
  ['lb', '0.45359237'],
]);

const VOLUMES: ReadonlySet<string> = new Set(['l', 'ml', '升', '毫升']);

/** A unit, of which a count may say how many: `kg`, `25 kg`, `0.5kg`. */
const COUNTED_UNIT = /^(\d{1,12}(?:\.\d{1,12})?)?\s*(\p{L}+)$/u;

/**
 * How many kilograms a unit of the catalogue is: 25 for `25 kg`. Width and case do not matter, except that `Mg`
 * and `MG` are unknown: they may be megagrams or milligrams. `斤` is unknown: it differs from region to region.
 */
export function kilogramsOf(unit: string): Big | NoMass {
  const [, count = '1', name = ''] = COUNTED_UNIT.exec(unit.normalize('NFKC').trim()) ?? [];
  const symbol = name.toLowerCase();
  if (VOLUMES.has(symbol)) return { reason: 'volume' };
  const kilograms = name.startsWith('M') ? undefined : KILOGRAMS.get(symbol);
  const mass = new Big(count).times(kilograms ?? 0);
  return mass.eq(0) ? { reason: 'unknown-unit' } : mass;
}

/**
 * The cost of the raw materials per kilogram of the product and of a batch, by the catalogue's prices as they are
 * now. A percentage is a share of the product as it was entered: where all of them make 99.7, nothing is known of the
 * rest, and nothing is added.
 */
export function formulaCostOf(composition: Composition, { batch, unit }: CostOrder): FormulaCostDto {
  const kilograms = converted(batch, unit, 'kg');
  const phases = composition.phases.map(({ name, sortOrder, ingredients }) => {
    const costs = ingredients.map(costOfLine);
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
  const [from, to] = [earlier, later].map((composition) => knownCostOf(linesOf(composition).map(costOfLine)));
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

function costOfLine(line: CompositionLine): LineCost {
  if (!line.catalogue) return { line, costPerKg: null, reason: 'hidden' };
  const { unit, unitPrice } = line.catalogue;
  if (unitPrice === null) return { line, costPerKg: null, reason: 'no-price' };
  const kilograms = kilogramsOf(unit);
  if ('reason' in kilograms) return { line, costPerKg: null, reason: kilograms.reason };
  return { line, costPerKg: new Big(line.percentage).times(unitPrice).div(kilograms.times(100)) };
}
