import Big from 'big.js';

/* Units of the catalogue's prices: `kg`, `25 kg`, `€/kg`. */

/** Why a unit gives no mass. A volume would need a density, which the catalogue does not have. */
export interface NoMass {
  readonly reason: 'volume' | 'unknown-unit';
}

/** Names of units of mass in lower case, by kilograms. */
const MASSES = {
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
    '仟克',
  ],
  '0.5': ['斤', '市斤'],
  '0.001': ['g', 'gram', 'grams', 'gramme', 'grammes', '克', 'г'],
  '0.000001': ['mg', 'milligram', 'milligrams', '毫克', 'мг'],
  '1000': ['t', 'tonne', 'tonnes', '吨', '公吨'],
  '0.45359237': ['lb', 'lbs', 'pound', 'pounds', '磅'],
  '0.028349523125': ['oz', 'ounce', 'ounces', '盎司'],
} as const;

export const KILOGRAM_NAMES = MASSES['1'];
export const GRAM_NAMES = MASSES['0.001'];

const KILOGRAMS: ReadonlyMap<string, string> = new Map(
  Object.entries(MASSES).flatMap(([kilograms, names]) => names.map((name) => [name, kilograms] as const)),
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
export function currencyOf(unit: string): string {
  const { currency = '' } = unitParts(unit);
  return CURRENCIES.find((names) => names.includes(currency))?.[0] ?? currency;
}
