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
  readonly reason?: 'no-price' | 'hidden' | 'other-currency' | NoMass['reason'];
}

const shownCost = (cost: Big): number => cost.round(COST_DECIMALS, Big.roundHalfUp).toNumber();

const KILOGRAMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '1': [
      'kg',
      'kgs',
      'kilo',
      'kilos',
      'kilogram',
      'kilograms',
      'kilogramme',
      'kilogrammes',
      '公斤',
      '千克',
      'кг',
    ],
    '0.5': ['斤', '市斤'],
    '0.001': ['g', 'gram', 'grams', 'gramme', 'grammes', '克', 'г'],
    '0.000001': ['mg', 'milligram', 'milligrams', '毫克', 'мг'],
    '1000': ['t', 'tonne', 'tonnes', '吨', '公吨'],
    '0.45359237': ['lb', 'lbs', 'pound', 'pounds', '磅'],
    '0.028349523125': ['oz', 'ounce', 'ounces', '盎司'],
  }).flatMap(([kilograms, names]) => names.map((name) => [name, kilograms] as const)),
);

const VOLUMES: ReadonlySet<string> = new Set(['l', 'ml', '升', '毫升']);

/** A unit, of which a count may say how many: `kg`, `25 kg`, `0.5kg`, `€/kg`, `元/公斤`. */
const COUNTED_UNIT =
  /^(?:(?<currency>\p{Sc}|[A-Z]{2,3}\$?|元|人民币|欧元|美元|日元|英镑)\s*\/\s*)?(?<count>\d{1,12}(?:\.\d{1,12})?)?\s*(?<name>\p{L}+)\.?$/u;

const unitParts = (unit: string) => COUNTED_UNIT.exec(unit.normalize('NFKC').trim())?.groups ?? {};

/**
 * How many kilograms a unit of the catalogue is: 25 for `25 kg`. Width and case do not matter, except that `Mg`
 * and `MG` are unknown: they may be megagrams or milligrams. So are `ton`, of which there are three, and `gr`, which
 * may be grains. `斤` is that of mainland China, 500 g.
 */
export function kilogramsOf(unit: string): Big | NoMass {
  const { count = '1', name = '' } = unitParts(unit);
  const symbol = name.toLowerCase();
  if (VOLUMES.has(symbol)) return { reason: 'volume' };
  const kilograms = name.startsWith('M') ? undefined : KILOGRAMS.get(symbol);
  const mass = new Big(count).times(kilograms ?? 0);
  return mass.eq(0) ? { reason: 'unknown-unit' } : mass;
}

/** Names of one currency. */
const CURRENCIES: readonly (readonly string[])[] = [
  ['€', 'EUR', '欧元'],
  ['元', 'CNY', 'RMB', '人民币'],
  ['$', 'USD', 'US$', '美元'],
  ['£', 'GBP', '英镑'],
  ['JPY', '日元'],
];

/** The currency that a unit names, such as € for `€/kg` and `EUR/kg`; empty if it names none. */
function currencyOf(unit: string): string {
  const { currency = '' } = unitParts(unit);
  return CURRENCIES.find((names) => names.includes(currency))?.[0] ?? currency;
}

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
