import Big from 'big.js';
import { type Composition, type CompositionLine, linesOf } from './composition';

/** Why a unit gives no mass. A volume would need a density, which the catalogue does not have. */
export interface NoMass {
  readonly reason: 'volume' | 'unknown-unit';
}

export interface LineCost {
  readonly line: CompositionLine;
  /** Currency per kilogram of the product; null where the line has no usable price. */
  readonly costPerKg: Big | null;
  readonly reason?: 'no-price' | 'hidden' | NoMass['reason'];
}

export interface Cost {
  /** Sum over the lines that have a usable price, in currency per kilogram of the product. */
  readonly knownCostPerKg: Big;
  /** The same, null unless every line has a usable price. */
  readonly costPerKg: Big | null;
  /** Percent of the formula in lines that have a usable price. */
  readonly pricedPercentage: Big;
  readonly lines: readonly LineCost[];
}

/** Decimals of costs in answers. */
const COST_DECIMALS = 10;

export const COST_ROUNDING = `rounded half up to ${COST_DECIMALS} decimals, sums from unrounded values`;

/** A cost as answers have it. */
export const shownCost = (cost: Big): number => cost.round(COST_DECIMALS, Big.roundHalfUp).toNumber();

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

/** The cost of the raw materials in one kilogram of the product, by the catalogue's prices as they are now. */
export function costOf(composition: Composition): Cost {
  const lines = linesOf(composition).map(costOfLine);
  let knownCostPerKg = new Big(0);
  let pricedPercentage = new Big(0);
  for (const { line, costPerKg } of lines) {
    if (!costPerKg) continue;
    knownCostPerKg = knownCostPerKg.plus(costPerKg);
    pricedPercentage = pricedPercentage.plus(line.percentage);
  }
  const isComplete = lines.every(({ costPerKg }) => costPerKg !== null);
  return { knownCostPerKg, costPerKg: isComplete ? knownCostPerKg : null, pricedPercentage, lines };
}

function costOfLine(line: CompositionLine): LineCost {
  if (!line.catalogue) return { line, costPerKg: null, reason: 'hidden' };
  const { unit, unitPrice } = line.catalogue;
  if (unitPrice === null) return { line, costPerKg: null, reason: 'no-price' };
  const kilograms = kilogramsOf(unit);
  if ('reason' in kilograms) return { line, costPerKg: null, reason: kilograms.reason };
  return { line, costPerKg: new Big(line.percentage).times(unitPrice).div(kilograms.times(100)) };
}
