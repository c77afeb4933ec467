import Big from 'big.js';
import type { ShownExchangeRatesDto as ExchangeRates } from '../../ingredients/exchange-rates/exchange-rates.dto';
import { currencyOf, kilogramsOf } from '../../ingredients/price-unit';
import { sumOf } from '../../platform/common/collections';
import {
  type CatalogueEntry,
  type Composition,
  type CompositionLine,
  linesOf,
} from '../composition/composition';
import { percentageOf } from '../percentage-sum';
import { EMPTY_PROFILE, type Profile, type TargetCostDto } from '../profile/profile.fields';
import { usesOf } from '../profile/profile-defaults';
import { converted, lineOf, packMassOf, versionOf } from './analysis.fields';
import {
  COST_DECIMALS,
  type CostChangeDto,
  type CostOrder,
  type FormulaCostDto,
  type NoCostReason,
  type TargetResult,
} from './cost.dto';

interface LineCost {
  readonly line: CompositionLine;
  /** Currency per kilogram of the product; null where the line has no usable price. */
  readonly costPerKg: Big | null;
  readonly reason?: NoCostReason;
  /** Of the price. */
  readonly currency?: string;
}

/** In any currency. No raw material costs more; sums of such prices are finite numbers. */
const MAX_PRICE_PER_KG = 1e12;

const rounded = (cost: Big): Big => cost.round(COST_DECIMALS, Big.roundHalfUp);
const shownCost = (cost: Big): number => rounded(cost).toNumber();

/**
 * The cost of the raw materials per kilogram of the product and of a batch, by the catalogue's prices as they are
 * now. A percentage is a share of the product as it was entered: where all of them make 99.7, nothing is known of the
 * rest, and nothing is added.
 */
export function formulaCostOf(
  composition: Composition,
  { batch, unit }: CostOrder,
  rates: ExchangeRates,
): FormulaCostDto {
  const kilograms = converted(batch, unit, 'kg');
  const conversion = conversionOf(linesOf(composition), rates);
  const phases = composition.phases.map(({ name, sortOrder, ingredients }) => {
    const costs = ingredients.map((line) => costOfLine(line, conversion));
    return { costs, phase: { name, sortOrder, percentage: shareOf(costs), ...sums(costs, kilograms) } };
  });
  const all = phases.flatMap(({ costs }) => costs);
  return {
    ...versionOf(composition),
    totalPercentage: shareOf(all),
    batch,
    unit,
    ...currencyUsed(all, conversion, composition.profile?.targetCost?.currency),
    ...sums(all, kilograms),
    ...byProfile(all, composition.profile, conversion),
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
  const [costPerKg, cost] = isComplete ? [knownCostPerKg, knownCost] : [null, null];
  return { costPerKg, knownCostPerKg, cost, knownCost, pricedPercentage };
}

function knownCostOf(costs: readonly LineCost[]) {
  const priced = costs.filter(({ costPerKg }) => costPerKg !== null);
  return {
    known: sumOf(priced.map(({ costPerKg }) => costPerKg!)),
    isComplete: priced.length === costs.length,
    pricedPercentage: shareOf(priced),
  };
}

/** The cost of a pack, and the comparison with the target cost. Costs are compared as they are shown. */
function byProfile(costs: readonly LineCost[], profile: Profile | null, { currency, rates }: Conversion) {
  const { packSize, targetCost, density } = profile ?? EMPTY_PROFILE;
  const { known, isComplete } = knownCostOf(costs);
  const kilograms = packMassOf(profile);
  const cost = kilograms && isComplete ? shownCost(known.times(kilograms)) : null;
  const resultOf = ({ amount, currency: ofTarget, per }: TargetCostDto): TargetResult => {
    const mass = per === 'kg' ? new Big(1) : kilograms;
    const rate = currency === '' ? 1 : rates.get(ofTarget);
    if (rate === undefined) return 'other-currency';
    if (!mass) return 'no-pack-mass';
    if (new Big(amount).times(rate).lt(rounded(known.times(mass)))) return 'above';
    return isComplete ? 'within' : 'incomplete';
  };
  return {
    pack: packSize && { ...packSize, kilograms: kilograms && kilograms.toNumber(), cost },
    target: targetCost && { ...targetCost, result: resultOf(targetCost), currencyAssumed: currency === '' },
    fromProfile: usesOf({ packSize, density: packSize && density, targetCost }),
  };
}

/** Costs of two versions in the currency of the earlier one, or of the later if it has no prices. */
export function costChangeOf(earlier: Composition, later: Composition, rates: ExchangeRates): CostChangeDto {
  const versions = [linesOf(earlier), linesOf(later)];
  const conversion = conversionOf(versions.find((lines) => currencyOfMost(lines) !== undefined) ?? [], rates);
  const costs = versions.map((lines) => lines.map((line) => costOfLine(line, conversion)));
  const [from, to] = costs.map(knownCostOf);
  const [shownFrom, shownTo] = costs.map((lines) => {
    const { costPerKg, knownCostPerKg, pricedPercentage } = sums(lines, new Big(1));
    return { costPerKg, knownCostPerKg, pricedPercentage };
  });
  return {
    ...currencyUsed(costs.flat(), conversion),
    ...{ from: shownFrom!, to: shownTo! },
    difference: from!.isComplete && to!.isComplete ? shownCost(to!.known.minus(from!.known)) : null,
  };
}

function lineCostOf({ line, costPerKg, reason }: LineCost, kilograms: Big) {
  const price = line.catalogue && priceOf(line.catalogue);
  return {
    ...lineOf(line),
    unitPrice: price?.amount ?? null,
    priceUnit: price?.unit ?? line.catalogue?.unit ?? null,
    priceFrom: price?.from ?? null,
    costPerKg: costPerKg && shownCost(costPerKg),
    cost: costPerKg && shownCost(costPerKg.times(kilograms)),
    reason: reason ?? null,
  };
}

/** The `unitPrice` of the ingredient or, if it has none, the price of its preferred supplier. */
function priceOf({ unitPrice, unit, card }: CatalogueEntry) {
  if (unitPrice !== null) return { amount: unitPrice, unit, from: 'ingredient' as const };
  const { price = null, currency, unit: per } = card?.supplier ?? {};
  if (price === null) return undefined;
  return { amount: price, unit: currency ? `${currency}/${per}` : per!, from: 'supplier' as const };
}

/** The currency of costs; empty if prices name none. */
interface Conversion {
  readonly currency: string;
  /** How much one unit of a currency is in it. */
  readonly rates: ReadonlyMap<string, number>;
}

/** Without exchange rates, the currency of most priced lines counts, or of the first ones. */
function conversionOf(lines: readonly CompositionLine[], { currency, rates }: ExchangeRates): Conversion {
  if (currency === null) {
    const most = currencyOfMost(lines) ?? '';
    return { currency: most, rates: new Map([[most, 1]]) };
  }
  const others = rates.map((one) => [one.currency, one.rate] as const);
  return { currency, rates: new Map([[currency, 1], ['', 1], ...others]) };
}

/** The currency of costs, and the rates of the other currencies that lines and the target have. */
function currencyUsed(costs: readonly LineCost[], { currency, rates }: Conversion, ofTarget = currency) {
  const used = new Set(costs.flatMap((cost) => (cost.costPerKg && cost.currency) || []));
  if (rates.has(ofTarget)) used.add(ofTarget);
  used.delete(currency);
  return {
    currency: currency || null,
    exchangeRates: [...used].sort().map((other) => ({ currency: other, rate: rates.get(other)! })),
  };
}

/**
 * Returns the cost of one percent of each line; null without a usable price.
 * @param others lines that decide the currency, if there are no rates
 */
export function costsOfOnePercent(
  lines: readonly CompositionLine[],
  others: readonly CompositionLine[],
  rates: ExchangeRates,
): (Big | null)[] {
  const conversion = conversionOf(others, rates);
  return lines.map((line) => costOfLine({ ...line, percentage: 1 }, conversion).costPerKg);
}

/** Prices in another currency are not added. Undefined if no line has a usable price. */
function currencyOfMost(lines: readonly CompositionLine[]): string | undefined {
  const counts = new Map<string, number>();
  for (const price of lines.map(usablePriceOf)) {
    if (!('reason' in price)) counts.set(price.currency, (counts.get(price.currency) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function costOfLine(line: CompositionLine, { rates }: Conversion): LineCost {
  const price = usablePriceOf(line);
  if ('reason' in price) return { line, costPerKg: null, reason: price.reason };
  const { kilograms, currency } = price;
  const rate = rates.get(currency);
  if (rate === undefined) return { line, costPerKg: null, reason: 'other-currency' };
  const amount = price.amount.times(rate);
  if (isTooHigh(amount, kilograms)) return { line, costPerKg: null, reason: 'price-too-high' };
  return { line, costPerKg: amount.times(line.percentage).div(kilograms.times(100)), currency };
}

/** The price of a line in its own currency, or why it has none. */
function usablePriceOf({ catalogue }: CompositionLine) {
  if (!catalogue) return { reason: 'hidden' as const };
  const price = priceOf(catalogue);
  if (!price) return { reason: 'no-price' as const };
  const kilograms = kilogramsOf(price.unit, catalogue.card?.density);
  if ('reason' in kilograms) return kilograms;
  const amount = new Big(price.amount);
  if (isTooHigh(amount, kilograms)) return { reason: 'price-too-high' as const };
  return { amount, kilograms, currency: currencyOf(price.unit) };
}

const isTooHigh = (amount: Big, kilograms: Big): boolean => amount.gt(kilograms.times(MAX_PRICE_PER_KG));
