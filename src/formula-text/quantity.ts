import units from './units.json';

/** A number in a text. If its mark is ambiguous, it separates thousands in `value` and decimals in `alternative`. */
export interface ReadNumber {
  readonly value: number;
  readonly alternative?: number;
  /** The ambiguous mark. */
  readonly mark?: '.' | ',';
}

export type Unit = '%' | 'g' | 'part';

/** The amount of an ingredient, in percent, grams or parts. Without a unit, the other lines of the text decide. */
export type Quantity =
  | {
      readonly kind: 'number';
      readonly low: ReadNumber;
      readonly high: ReadNumber;
      readonly unit?: Unit;
      /** The number is a bound, `<` or `max.`, or has a tolerance, `± 0.1`. */
      readonly bound?: string;
      readonly tolerance?: string;
    }
  /** The remainder to the total (余量, 加至100). */
  | { readonly kind: 'balance'; readonly target?: number; readonly unit?: Unit }
  /** As much as needed (q.s., 适量), without a number. */
  | { readonly kind: 'as-needed' };

/** Returns the middle of a range, or 0 if there is no number. */
export const middleOf = (quantity: Quantity): number =>
  quantity.kind === 'number' ? (quantity.low.value + quantity.high.value) / 2 : 0;

/** Writes a number without an exponent, because amounts in texts have none. */
export const decimal = (value: number): string => value.toFixed(10).replace(/\.?0+$/u, '');

export const mapNumbers = (quantity: Quantity, of: (number: ReadNumber) => ReadNumber): Quantity =>
  quantity.kind === 'number' ? { ...quantity, low: of(quantity.low), high: of(quantity.high) } : quantity;

const FRACTION = String.raw`[½⅓⅔¼¾⅕⅖⅗⅘⅙⅚⅛⅜⅝⅞]|\d{1,2}[/⁄∕]\d{1,2}(?![/⁄∕.,\d])`;
const GROUPED = String.raw`\d{1,3}(?:(?:\.\d{3})+(?:,\d{1,6})?|(?:,\d{3})+(?:\.\d{1,6})?|(?:['’]\d{3})+(?:[.,]\d{1,6})?|(?: \d{3})+(?:,\d{1,6}|\.\d{1,6})?)`;
/** Locants of a chemical name: "90,1,2-Hexanediol" is 90 and a name. */
const LOCANT = String.raw`\d{1,2}(?:,\d{1,2}){0,3}-[\p{L}(]`;
const PLAIN = String.raw`\d{1,9}(?:\.\d{1,9}|,(?!${LOCANT})\d{1,9})?|(?<=^|[\s:=(<>≤≥~])[.,]\d{1,9}`;
/** Pattern of a number. Does not match if the following characters continue it ("1.2.3", "80。5", "1 2507"). */
export const NUMBER = String.raw`(?:(?:\d{1,4} ?)?(?:${FRACTION})|${GROUPED}|${PLAIN})(?!\d|[.'’·。⁄∕]\d|,(?!${LOCANT})\d|\. \d)`;

/** Returns the value of a text that matches `NUMBER`. Masses may have thousands separators, shares may not. */
export function readNumber(text: string, isMass: boolean): ReadNumber {
  const fraction = new RegExp(`^(\\d{1,4}(?= ?[¼-¾⅐-⅞]| \\d))? ?(${FRACTION})$`, 'u').exec(text);
  if (fraction) {
    const [over, under] = fraction[2]!.normalize('NFKC').split(/[/⁄∕]/u).map(Number) as [number, number];
    return { value: Number(fraction[1] ?? 0) + over / under };
  }
  const decimal = Number(text.replace(',', '.'));
  const marks = text.match(/[.,'’ ]/gu) ?? [];
  if (/^[.,]/u.test(text) || (marks.length < 2 && !/['’ ]|[.,]\d{3}$/u.test(text))) return { value: decimal };
  const isDecimalLast = marks.length > 1 && marks.at(-1) !== marks[0];
  const digits = isDecimalLast ? text.slice(0, text.lastIndexOf(marks.at(-1)!)) : text;
  const rest = isDecimalLast ? text.slice(digits.length + 1) : '0';
  const value = Number(`${digits.replace(/\D/gu, '')}.${rest}`);
  if (marks.length > 1 || /['’]/u.test(text)) return { value };
  // The mark in "1.250 g" and "1,250 g" is ambiguous. In shares, and after a leading zero, it is a decimal mark.
  if (marks[0] === ' ') return { value };
  if (!isMass || text.startsWith('0')) return { value: decimal };
  return { value, alternative: decimal, mark: marks[0] as '.' | ',' };
}

/** The names of units, each with the grams, percent or parts in one of it. */
const UNITS = new Map(
  units.flatMap(({ unit, perUnit, names }) => names.map((name) => [name, [unit as Unit, perUnit] as const])),
);
/** Text after a percent sign that makes it a strength by volume, a tax or a rebate, and not a share of the formula. */
export const NO_SHARE = String.raw`(?:[vw]\/v|vol\.?|mwst\.?|ust\.?|vat|tva|iva|rabatt|discount|off|pure|pur|rein)(?!\p{L})`;
const SIGN = String.raw`(?:(?:wt\.?|w\/w|m\/m|gew\.?-?|mass) ?)?(?:%o|%(?! ?${NO_SHARE})|‰|‱)(?:\.?wt(?!\p{L})| ?\(?(?:w\/w|m\/m|wt|by weight)\)?(?!\p{L}))?`;
const UNIT_NAMES = [...UNITS.keys()]
  .filter((name) => /^\p{L}/u.test(name))
  .sort((a, b) => b.length - a.length);
const LATIN_UNITS = UNIT_NAMES.filter((name) => !/\p{Script=Han}/u.test(name)).join('|');
const CHINESE_UNITS = UNIT_NAMES.filter((name) => /\p{Script=Han}/u.test(name)).join('|');
/** Pattern of a unit: a share, a mass or parts. Does not match "g/ml" or the "g" of a longer word. */
export const UNIT = String.raw`(?:${SIGN}|(?:${LATIN_UNITS})(?!(?!\p{Script=Han})\p{L}|\d| ?[/·](?! )\p{L})|(?:[万千](?=克|公?斤|千克))?(?:${CHINESE_UNITS})(?!重|(?<=克)[莱氏鲁罗雷里林]))`;

const ONE = (factor: number, value: number): number =>
  factor < 1 ? value / Math.round(1 / factor) : value * factor;

/** Converts a number with its unit to percent, grams or parts. */
export function inUnit(number: ReadNumber, written: string): { number: ReadNumber; unit: Unit } {
  const times = { 万: 10_000, 千: written === '千克' ? 1 : 1000 }[written[0]!] ?? 1;
  const [unit, factor] = unitOf(written)!;
  const of = (value: number) => ONE(factor, value * times);
  return {
    number: {
      ...number,
      value: of(number.value),
      ...(number.alternative !== undefined && { alternative: of(number.alternative) }),
    },
    unit,
  };
}

/** Returns the unit that the text names, and the grams, percent or parts in one of it. */
export function unitOf(written: string): readonly [unit: Unit, perUnit: number] | undefined {
  const plain = written.normalize('NFKC').trim().toLowerCase();
  const sign = /%o|[%‰‱]/u.exec(plain)?.[0];
  return UNITS.get(sign ?? plain) ?? UNITS.get(plain.replace(/^[万千]|\.$/gu, ''));
}

const DIGITS = '零一二三四五六七八九';
/** Pattern of a share in words: "百分之五", "千分之零点五". */
export const SHARE_IN_WORDS = String.raw`[百千万]分之[〇零一二两三四五六七八九十百点\d.]{1,12}`;
export function shareInWords(text: string): number {
  const [, of, words] = /^([百千万])分之(.+)$/u.exec(text) as unknown as [string, '百' | '千' | '万', string];
  const divisor = { 百: 1, 千: 10, 万: 100 }[of];
  if (/^[\d.]+$/u.test(words)) return Number(words) / divisor;
  const [integer = '', rest = ''] = words.replaceAll('两', '二').replaceAll('〇', '零').split('点');
  const digit = (char: string) => Math.max(0, DIGITS.indexOf(char));
  const tens = /^(.?)十(.?)$/u.exec(integer);
  const units = tens
    ? (tens[1] ? digit(tens[1]) : 1) * 10 + digit(tens[2]!)
    : [...integer].length === 1
      ? digit(integer)
      : NaN;
  return (units + Number(`0.${[...rest].map(digit).join('') || 0}`)) / divisor;
}
