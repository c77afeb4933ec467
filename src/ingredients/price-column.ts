import { plainName } from '../imports/mapping/names';

/*
 * What names of price columns say: `含税单价(元/kg)`, `Preis/kg €`, `Unit price (USD per kg)`. Names come in
 * the plain form of an import, without punctuation and in lower case.
 */

/** Units that prices are per, by what they are called. */
const UNITS: readonly (readonly [string, string])[] = [
  ['kg', 'kgs?|kilos?|kilogram(?:m|me|s|ms)?|公斤|千克|仟克'],
  ['g', 'g|gr|gram(?:m|me|s|ms)?|克'],
  ['L', 'l|lit(?:er|re)s?|升|公升'],
  ['mL', 'ml|毫升'],
];
const UNIT = UNITS.map(([, names]) => names).join('|');
const CURRENCY =
  '(?:rmb|cny|人民币|元|圆|[¥￥$€£₩]|us\\$|usd|美元|eur|euro|欧元|gbp|chf|hkd|hk\\$|港币|twd|台币|jpy|日元|krw)';
const KIND =
  '(?:含税|不含税|未税|含增值税|含稅|不含稅|未稅|採購|采购|参考|标准|最新|unit|list|net|gross|purchase|purchasing|current|netto|brutto|einkaufs|einzel|stück)';
const PRICE =
  '(?:[单單][价價]|[价價]格|[报報][价價]|[进進][价價]|[价價]|price|preis|prix|precio|prezzo|cost|成本)';
const TAX = '(?:不?含[税稅]|未[税稅]|exclvat|inclvat|ohnemwst|zzglmwst|exkl|inkl|netto|brutto)';
const PER = `(?:per|pro|每|je)?(?<unit>${UNIT})`;

/** A price, of which unit and in which currency it may say. */
export const PRICE_COLUMN = new RegExp(
  `^(?:${KIND}{0,3}${PRICE}|${CURRENCY}(?=.*(?:${UNIT})))${TAX}?${CURRENCY}{0,2}(?:${PER})?${CURRENCY}{0,2}${TAX}?$`,
);

/** What has to do with a price, so that leaving it out could lose or change prices. */
export const LIKE_PRICE =
  /(?<!评)价|價|price|preis|prix|precio|prezzo|cost|kosten|成本|金额|费用|元(?!素)|[¥￥$€£₩]|currency|币种|货币|[币幣][种種别別]|währung|usd|cny|rmb|人民币|[₹₽₺₫฿]|gbp|jpy|hkd|krw|(?<!zoll)tarif(?!f|n|code)|quotation(?!no|nr|ref|date)|цен[аы]|стоимость/;

/** What has to do with the unit that prices are per. */
export const LIKE_UNIT = /[单單]位|einheit|units?$|^unit|uom|计价|計價/;

export const LIKE_SUPPLIER =
  /supplier|vendor|lieferant|hersteller|manufactur|producer|fournisseur|proveedor|fornitore|distribut|供[应應]|供[货貨]|[厂廠][家商]|生[产產][商企]|制造|製造|品牌|经销|代理|поставщик|производител|^(?:company|firma|公司)(?:name|名[称稱])?$/;

/** The unit that the prices of a column are per, as its name says; undefined where it says none. */
export function unitOfPrices(column: string): string | undefined {
  const unit = PRICE_COLUMN.exec(plainName(column))?.groups?.unit;
  return unit && unitCalled(unit);
}

/** The unit as prices have it, whatever it is called: `公斤` is kg. */
export const unitCalled = (name: string): string =>
  UNITS.find(([, names]) => new RegExp(`^(?:${names})$`, 'i').test(name.trim()))?.[0] ?? name.trim();

const ON_REQUEST =
  /^(?:询价|詢價|待询|面议|面議|议价|議價|电询|电议|on ?request|upon ?request|p\.?o\.?a\.?|tbd|t\.b\.d\.|auf anfrage|a\.? ?a\.?)$/i;

/** Whether a cell says that the price is to be asked for. */
export const saysOnRequest = (cell: string | undefined): boolean =>
  cell !== undefined && ON_REQUEST.test(cell.normalize('NFKC').trim());
