import type { Message } from '../../platform/texts/define-texts';
import { inTurns } from '../../platform/common/in-turns';
import { both, importText } from '../import.texts';

/** A cell in plain decimal notation, or the reason why its number is ambiguous. */
export type NumberCell = { text: string } | { fault: Message };

interface NumberColumnOptions {
  /** Cells may have the sign of a currency. */
  isPrice: boolean;
  /** Numbers may have marks between thousands, as prices have. */
  hasThousands?: boolean;
  /** The column's name, which may contain a currency too. */
  name: string;
  /** Signs that a spreadsheet shows with the numbers. */
  signs?: readonly string[];
  /** Separator of a CSV file. With a semicolon, decimal commas are likely. */
  separator?: string;
}

const SIGNED_NUMBER = String.raw`^[+-]?`;
/** `1,234.5`: commas between thousands. */
const WITH_POINT = new RegExp(
  `${SIGNED_NUMBER}(?:\\d+|[1-9]\\d{0,2}(?:,\\d{3})+)?(?:\\.\\d*)?(?:e[+-]?\\d+)?$`,
  'i',
);
/** `1.234,5`: points between thousands. */
const WITH_COMMA = new RegExp(`${SIGNED_NUMBER}(?:\\d+|[1-9]\\d{0,2}(?:\\.\\d{3})+)?(?:,\\d*)?$`);
/** `1 234,5` and `1'234.50`. */
const GROUPED = /^([+-]?[1-9]\d{0,2})((?:[ '’]\d{3})+)(?![\d '’])/;

/** Currencies whose countries do not use decimal commas. */
const WITHOUT_DECIMAL_COMMA = ['CNY', 'JPY', 'KRW', 'TWD', 'HKD'];
/** The unit of a price: `180元/kg`. */
const PER = /\s*\/\s*(\d*\s*[\p{L}]+)$/u;
/** `12.-` and `12,--`. */
const NO_CENTS = /(?<=\d)[.,][-–—]{1,2}(?!\d)/;
/** The unit of a number: `5,5 %`. */
const UNIT = /\s*(%|g|克|m?l|毫升|公?升)$/i;

/** The code of a currency, and its signs before, behind and within a text. `$` and `元` are parts of other signs. */
const CURRENCIES = [
  // The sign of both the yuan and the yen.
  ['¥', '¥'],
  ['EUR', '€|eur|欧元'],
  ['GBP', '£|gbp|英镑'],
  ['CHF', 'chf|瑞士法郎'],
  ['HKD', 'hk\\$|hkd|港币|港元'],
  ['TWD', 'nt\\$|twd|台币|新台币'],
  ['JPY', 'jpy|円|日元'],
  ['KRW', '₩|krw|韩元'],
  ['USD', 'us\\$|usd|美元|\\$'],
  ['CNY', 'rmb|cny|人民币|元|圆'],
].map(([currency, signs]) => ({
  currency: currency!,
  before: new RegExp(`^(?:${signs})\\s*(?<number>.*)$`, 'i'),
  behind: new RegExp(`^(?<number>.*?)\\s*(?:${signs})$`, 'i'),
  within: new RegExp(`(?<![a-z])(?:${signs})(?![a-z])`, 'i'),
}));

/**
 * Returns a reader for the cells of a column of numbers. All cells together decide if commas or points are decimal
 * marks; without a comma, points are.
 * @param cells texts of all rows, without numbers of a spreadsheet
 * @returns reads a text, or a number of a spreadsheet with the sign that it is shown with
 */
export async function numberColumn(
  cells: readonly string[],
  { isPrice, hasThousands = isPrice, name, signs = [], separator }: NumberColumnOptions,
): Promise<(cell: string, sign?: string) => NumberCell> {
  const parse = (cell: string) =>
    isPrice ? parsePrice(tidy(cell).replace(NO_CENTS, '')) : parseNumber(tidy(cell));
  let [points, commas, hasComma] = [false, false, false];
  await inTurns(cells, (cell) => {
    const { number } = parse(cell);
    if (!/[.,]/.test(number)) return;
    const [isPoint, isComma] = [pointValue(number) !== undefined, commaValue(number) !== undefined];
    points ||= isPoint && !isComma;
    commas ||= isComma && !isPoint;
    hasComma ||= number.includes(',');
  });
  // "1.250" does not decide it either, unless commas separate the cells and so hardly occur within them.
  const isOpen = hasComma || (isPrice && separator !== ',');

  const currencies = isPrice ? await currenciesOf(cells, { name, signs }) : new Set<string>();
  const known = (currency: string | undefined) =>
    currency === '¥' ? (currencies.has('JPY') ? 'JPY' : 'CNY') : currency;
  const hasPoint =
    points || (!commas && currencies.size === 1 && WITHOUT_DECIMAL_COMMA.includes([...currencies][0]!));

  const otherCurrency = (cell: string, currency: string) => ({
    fault: importText('import.other-currency', { value: cell, currency, currencies: both([...currencies]) }),
  });
  const read = (cell: string): NumberCell => {
    const { number, ...found } = parse(cell);
    const currency = known(found.currency);
    const [point, comma] = [pointValue(number), commaValue(number)];
    // Not a number. The reader of the row reports the cell as it is.
    if (point === undefined && comma === undefined) return { text: cell };
    if (currency !== undefined && currencies.size > 1) return otherCurrency(cell, currency);
    if (!/[.,]/.test(number) || !isOpen) return { text: point ?? cell };
    if (hasPoint && commas) {
      return point !== undefined && comma === undefined
        ? { text: point }
        : { fault: importText('import.decimal-comma', { value: cell }) };
    }
    // Colour values have no thousands: if the column uses decimal commas, "1.250" is a mistake in this row.
    if (!hasThousands && (points || commas) && number.includes(points ? ',' : '.')) {
      return { fault: importText('import.other-decimal-mark', { value: cell }) };
    }
    if (hasPoint) return { text: point! };
    if (commas) return { text: comma! };
    return {
      fault: importText('import.two-numbers', { value: cell, point: point!, comma: comma! }),
    };
  };
  return (cell, sign) => {
    const currency = isPrice && sign !== undefined ? known(currencyIn(sign)) : undefined;
    if (sign !== undefined) {
      return currency !== undefined && currencies.size > 1 ? otherCurrency(cell, currency) : { text: cell };
    }
    const found = read(cell);
    const { unit } = parse(cell);
    // A cell that is not a number is returned unchanged, with its unit.
    return 'text' in found && found.text !== cell && unit ? { text: found.text + unit } : found;
  };
}

/** Returns the codes of the currencies in a column of prices: of its name, its cells, and the signs shown with them. */
export async function currenciesOf(
  cells: readonly string[],
  { name, signs = [] }: Pick<NumberColumnOptions, 'name' | 'signs'>,
): Promise<ReadonlySet<string>> {
  const named = new Set([name, ...signs].map(currencyIn));
  await inTurns(cells, (cell) => {
    named.add(parsePrice(tidy(cell).replace(NO_CENTS, '')).currency);
  });
  named.delete(undefined);
  const yenOrYuan = named.has('JPY') ? 'JPY' : 'CNY';
  return new Set(([...named] as string[]).map((currency) => (currency === '¥' ? yenOrYuan : currency)));
}

/** Replaces full-width characters, minus signs and blanks of all kinds, and removes invisible characters. */
const tidy = (cell: string): string => (/^[\d.,]*$/.test(cell) ? cell : tidied(cell));

const tidied = (cell: string): string =>
  cell
    .replace(/[！-～]/g, (character) => String.fromCharCode(character.charCodeAt(0) - 0xfee0))
    .replace(/￥/g, '¥')
    .replace(/￡/g, '£')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\s/g, ' ')
    .trim()
    .replace(/^[−‒–﹣‐‑]/, '-')
    .replace(GROUPED, (_, start: string, groups: string) => start + groups.replace(/[ '’]/g, ''));

interface Parsed {
  number: string;
  currency?: string;
  /** The text after the number. */
  unit?: string;
}

function parseNumber(text: string): Parsed {
  const [end, unit] = UNIT.exec(text) ?? [];
  return end === undefined ? { number: text } : { number: text.slice(0, -end.length), unit };
}

function parsePrice(text: string): Parsed {
  const [end, unit] = PER.exec(text) ?? [];
  return end === undefined
    ? withoutCurrency(text)
    : { ...withoutCurrency(text.slice(0, -end.length)), unit: `/${unit}` };
}

function withoutCurrency(text: string): Parsed {
  for (const { currency, before, behind } of CURRENCIES) {
    const found = before.exec(text) ?? behind.exec(text);
    if (found) return { number: tidy(found.groups!.number!), currency };
  }
  return { number: text };
}

/** The code of the currency that a text has a sign of: `$30`, `单价(元)`. */
export const currencyIn = (name: string): string | undefined =>
  CURRENCIES.find(({ within }) => within.test(tidy(name)))?.currency;

/** Returns plain decimal notation, if the text is a number with a decimal point. */
function pointValue(text: string): string | undefined {
  return /\d/.test(text) && WITH_POINT.test(text) ? text.replace(/,/g, '') : undefined;
}

/** Returns plain decimal notation, if the text is a number with a decimal comma. */
function commaValue(text: string): string | undefined {
  return /\d/.test(text) && WITH_COMMA.test(text) ? text.replace(/\./g, '').replace(',', '.') : undefined;
}
