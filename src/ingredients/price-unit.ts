import Big, { type BigSource } from 'big.js';

/* Units of the catalogue's prices: `kg`, `25 kg`, `€/kg`. */

/** Why a unit gives no mass. A volume needs a density. */
export interface NoMass {
  readonly reason: 'volume' | 'unknown-unit';
}

/** Names of units of mass in lower case, by kilograms. */
const MASSES = {
  '1': 'kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes 公斤 千克 仟克 кг',
  '0.5': '斤 市斤',
  '0.001': 'g gram grams gramme grammes 克 г',
  '0.000001': 'mg milligram milligrams 毫克 мг',
  '1000': 't tonne tonnes 吨 公吨',
  '0.45359237': 'lb lbs pound pounds 磅',
  '0.028349523125': 'oz ounce ounces 盎司',
};
const VOLUMES = { '1': 'l 升 公升', '0.001': 'ml 毫升' };

export const KILOGRAM_NAMES = MASSES['1'].split(' ');
export const GRAM_NAMES = MASSES['0.001'].split(' ');

const sizesOf = (units: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(units).flatMap(([size, names]) => names.split(' ').map((name) => [name, size] as const)),
  );
const [KILOGRAMS, LITRES] = [sizesOf(MASSES), sizesOf(VOLUMES)];

const CURRENCY = String.raw`\p{Sc}|[A-Z]{2,3}\$?|元|人民币|欧元|美元|日元|英镑`;

/** A unit, of which a count may say how many: `kg`, `25 kg`, `0.5kg`, `€/kg`, `元/公斤`. */
const COUNTED_UNIT = new RegExp(
  String.raw`^(?:(?<currency>${CURRENCY})\s*/\s*)?(?<count>\d{1,12}(?:\.\d{1,12})?)?\s*(?<name>\p{L}+)\.?$`,
  'u',
);
const ONLY_CURRENCY = new RegExp(`^(?:${CURRENCY})$`, 'u');

const unitParts = (unit: string) => COUNTED_UNIT.exec(unit.normalize('NFKC').trim())?.groups ?? {};

/**
 * How many kilograms a unit of the catalogue is: 25 for `25 kg`. Width and case do not matter, except that `Mg`
 * and `MG` are unknown: they may be megagrams or milligrams. So are `ton`, of which there are three, and `gr`, which
 * may be grains. `斤` is that of mainland China, 500 g.
 * @param density kilograms per litre: then `5 L` has a mass, too
 */
export function kilogramsOf(unit: string, density?: BigSource | null): Big | NoMass {
  const { count = '1', name = '' } = unitParts(unit);
  const symbol = name.toLowerCase();
  const litres = LITRES.get(symbol);
  if (litres && !density) return { reason: 'volume' };
  const kilograms = name.startsWith('M') ? undefined : KILOGRAMS.get(symbol);
  const mass = new Big(count).times(litres ? new Big(litres).times(density!) : (kilograms ?? 0));
  return mass.eq(0) ? { reason: 'unknown-unit' } : mass;
}

/** Names of one currency, its code first. */
const CURRENCIES: readonly (readonly string[])[] = [
  ['EUR', '€', '欧元'],
  ['CNY', '元', 'RMB', '人民币'],
  ['USD', '$', 'US$', '美元'],
  ['GBP', '£', '英镑'],
  ['JPY', '日元'],
];

/** One name for each currency: EUR for `€` and `EUR`. `¥` stays, because there are two. Undefined for other texts. */
export function currencyNamed(name: string): string | undefined {
  const plain = name.normalize('NFKC').trim();
  if (!ONLY_CURRENCY.test(plain)) return undefined;
  return CURRENCIES.find((names) => names.includes(plain))?.[0] ?? plain;
}

/** The currency that a unit names, such as EUR for `€/kg` and `EUR/kg`; empty if it names none. */
export const currencyOf = (unit: string): string => currencyNamed(unitParts(unit).currency ?? '') ?? '';
