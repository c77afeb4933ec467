import { visibleText } from '../platform/common/name-forms';
import Big from 'big.js';
import { GRAM_NAMES, KILOGRAM_NAMES } from './price-unit';
import { plainName } from '../files/mapping/names';

/*
 * Reads the headings of price columns: `含税单价(元/kg)`, `Preis/kg €`, `Unit price (USD per kg)`.
 * Headings have the plain form of an import, without punctuation and in lower case.
 */

const longestFirst = (one: string, other: string): number => other.length - one.length;

/** Units of prices, with the names of each. */
const UNITS: readonly (readonly [string, string])[] = [
  ['kg', [...KILOGRAM_NAMES, 'kilogramm', 'kilogramms'].toSorted(longestFirst).join('|')],
  ['g', [...GRAM_NAMES, 'gr', 'gramm', 'gramms'].toSorted(longestFirst).join('|')],
  ['L', 'l|lit(?:er|re)s?|升|公升'],
  ['mL', 'ml|毫升'],
];
const UNIT = UNITS.map(([, names]) => names).join('|');
const SMALL_UNIT = UNITS.flatMap(([unit, names]) => (unit === 'g' || unit === 'mL' ? [names] : [])).join('|');
const CURRENCY =
  '(?:rmb|cny|人民币|元|圆|[¥￥$€£₩]|us\\$|usd|美元|eur|euro|欧元|gbp|chf|hkd|hk\\$|港币|twd|台币|jpy|日元|円|krw)';
const KIND =
  '(?:含税|不含税|未税|含增值税|含稅|不含稅|未稅|採購|采购|参考|标准|最新|unit|list|net|gross|purchase|purchasing|current|netto|brutto|einkaufs|einzel|stück|税込|税抜)';
const PRICE =
  '(?:[单單単][价價価]|[价價価]格|[报報][价價]|[进進][价價]|[价價]|price|preis|prixunitaire|prix|precio|prezzounitario|prezzo|cost|成本)';
const TAX = '(?:不?含[税稅]|未[税稅]|exclvat|inclvat|ohnemwst|zzglmwst|exkl|inkl|netto|brutto|ht|税込|税抜)';
const EACH = '(?:per|pro|每|je)';
// Matches `€/100 g`, but not `Price 100 kg`, which is the price for buyers of that quantity.
const PER = `(?:${EACH}?(?<unit>${UNIT})|(?:${EACH}|(?<=${CURRENCY}))(?<amount>1000?)(?<small>${SMALL_UNIT}))`;

/** Matches the heading of a price column, which may name a unit and a currency. */
export const PRICE_COLUMN = new RegExp(
  `^(?:${KIND}{0,3}${PRICE}|${CURRENCY}(?=.*(?:${UNIT})))${TAX}?${CURRENCY}{0,2}(?:${PER})?${CURRENCY}{0,2}${TAX}?$`,
);

/** Headings that refer to prices. Ignoring such a column could lose or change prices. */
export const LIKE_PRICE =
  /(?<!评)价|價|単価|価格|price|preis|prix|precio|prezzo|cost|kosten|成本|金额|费用|元(?!素)|[¥￥$€£₩]|currency|币种|货币|[币幣][种種别別]|währung|usd|cny|rmb|人民币|[₹₽₺₫฿]|gbp|jpy|hkd|krw|(?<!zoll)tarif(?!f|n|code)|quotation(?!no|nr|ref|date)|rabatt|discount|折扣|円|цен[аы]|стоимость|^(?:ab|from|dès|da|[≥>])?\d+\+?(?:kg|g|l|lbs?|公斤|克)(?:\+|以上|起)?$/;

/** Headings that refer to the unit of prices. */
export const LIKE_UNIT = /[单單単]位|einheit|units?$|^unit|uom|计价|計價|^(?:me|pe|vpe|per|je|pro)$/;

export const LIKE_SUPPLIER =
  /supplier|vendor|lieferant|hersteller|manufactur|producer|fournisseur|proveedor|fornitore|distribut|供[应應]|供[货貨]|[厂廠][家商]|生[产產][商企]|制造|製造|品牌|经销|代理|поставщик|производител|^(?:company|firma|公司)(?:name|名[称稱])?$/;

/** The quantity to which a price refers: 100 g, 1 kg. */
export interface PriceBase {
  amount: number;
  unit: string;
}

/** Matches the quantity in any heading or cell: `Betrag/25 kg`, `180/kg`. */
const BASE = new RegExp(
  `(?:/|(?<!\\p{L})(?:per|pro|je)(?!\\p{L})|每)\\s*(?<amount>\\d+)?\\s*(?<unit>(?:${UNIT})(?![a-z])|\\p{L}+)`,
  'iu',
);
const NO_UNIT = new RegExp(
  `^(?:units?|einheit|unit[éà]|net(?:to)?|gross|brutto|${CURRENCY})$|[单單単]位`,
  'i',
);

/** Returns the quantity of prices that a heading names, or undefined if it names none. */
export function baseOfPrices(column: string): PriceBase | undefined {
  const understood = PRICE_COLUMN.exec(plainName(column));
  if (!understood) return baseIn(column);
  const { unit, amount = '1', small = unit } = understood.groups ?? {};
  return small === undefined ? undefined : { amount: Number(amount), unit: unitCalled(small) };
}

/** Returns the quantity of prices that a text names. */
export function baseIn(text: string): PriceBase | undefined {
  const { amount = '1', unit } = BASE.exec(visibleText(text))?.groups ?? {};
  return unit === undefined || NO_UNIT.test(unit)
    ? undefined
    : { amount: Number(amount), unit: unitCalled(unit) };
}

export const baseText = ({ amount, unit }: PriceBase): string => (amount === 1 ? unit : `${amount} ${unit}`);

/** Returns the price per unit and the unit. Converts a price per 100 g to one per kg if the result is exact. */
export function perUnit(price: number, base: PriceBase): { price: number; unit: string } {
  const [unit, size] = LARGER.get(base.unit) ?? [base.unit, 1];
  if (base.amount === 1 || base.amount === 0) return { price, unit: base.unit };
  const exact = new Big(price).times(size).div(base.amount);
  const isExact = STANDARD.includes(unit) && exact.times(base.amount).eq(new Big(price).times(size));
  return isExact ? { price: exact.toNumber(), unit } : { price, unit: baseText(base) };
}

const LARGER = new Map<string, [string, number]>([
  ['g', ['kg', 1000]],
  ['mL', ['L', 1000]],
]);
const STANDARD = ['kg', 'L'];

/** Returns the usual symbol of a unit: kg for `公斤`. */
export const unitCalled = (name: string): string =>
  UNITS.find(([, names]) => new RegExp(`^(?:${names})$`, 'i').test(name.trim()))?.[0] ?? name.trim();

const ON_REQUEST =
  /^(?:询价|詢價|待询|面议|面議|议价|議價|电询|电议|另议|时价|(?:price )?(?:on|upon) ?request|ask|call|p\.?o\.?a\.?|tbd|t\.b\.d\.|(?:preis )?auf anfrage|a\.? ?a\.?|sur demande|nous consulter|[as]u? richiesta|bajo pedido|お?問い?合わ?せ|[要別]途?見積り?)$/i;
const NO_PRICE =
  /^(?:[-–—/]+|n\.? ?\/? ?a\.?|k\.? ?a\.?|tbc|暂?无(?:报价)?|停产|缺货|售罄|discontinued|(?:out of|no) stock|sold out|ausverkauft|nicht lieferbar|épuisé|esaurito|廃番|在庫切れ)$/i;

/** Returns 'on request' or 'none' if a cell contains words for that instead of a price. */
export function saysNoPrice(cell: string | undefined): 'on request' | 'none' | undefined {
  const text = visibleText(cell ?? '').trim();
  return ON_REQUEST.test(text) ? 'on request' : NO_PRICE.test(text) ? 'none' : undefined;
}

const PACK = /(\d[\d.,]*)\s*(?:kgs?|g|mg|ml|l|lbs?|oz|gal|公斤|千克|克|升|斤)(?![a-z])/i;

/** Returns true if a cell names a size of packs other than 1 kg or 1 L, so that a price could be that of a pack. */
export function isPackSize(cell: string | undefined, column = ''): boolean {
  const number = /^\d[\d.,]*$/.test(cell?.trim() ?? '');
  const size = number ? `${cell!.trim()} ${/\p{L}+\W*$/u.exec(column)?.[0] ?? ''}` : (cell ?? '');
  const [text] = PACK.exec(visibleText(size)) ?? [];
  return text !== undefined && !/^1\s*(?:kg|l)$/i.test(text);
}

/** Returns true if the prices of a column are not in a currency's own unit: `万元/吨`, `ct/kg`, `p/100 g`. */
export const isOtherMultiple = (column: string): boolean =>
  /[万千百萬]元|(?<!\p{L})(?:ct|cents?|pence|p|t€|k€|k\$|tsd|kusd|keur)(?!\p{L})|¢|[角分]\s*\//iu.test(
    column.normalize('NFKC'),
  );
