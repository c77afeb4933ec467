/** A cell as plain decimal notation, or why it cannot be said what number it is. */
export type NumberCell = { text: string } | { fault: string };

interface NumberColumnOptions {
  /** Cells may have a sign of their currency. */
  isPrice: boolean;
  /** The column's name, which may have one too. */
  name: string;
  /** Of a CSV file. With a semicolon, decimal commas are likely. */
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

const CURRENCIES: readonly (readonly [string, string])[] = [
  ['CNY', '¥|rmb|cny|人民币|元|圆'],
  ['USD', 'us\\$|usd|美元|\\$'],
  ['EUR', '€|eur|欧元'],
  ['GBP', '£|gbp|英镑'],
  ['CHF', 'chf|瑞士法郎'],
  ['HKD', 'hk\\$|hkd|港币|港元'],
  ['TWD', 'nt\\$|twd|台币|新台币'],
  ['JPY', 'jpy|円|日元'],
  ['KRW', '₩|krw|韩元'],
];

/**
 * Reads the cells of a column of numbers. Whether commas or points are decimal marks, all cells together
 * decide: without a comma they are points.
 * @param cells texts of all rows; those that are numbers of a spreadsheet take no part
 */
export function numberColumn(
  cells: readonly string[],
  { isPrice, name, separator }: NumberColumnOptions,
): (cell: string) => NumberCell {
  const parse = (cell: string) => (isPrice ? withoutCurrency(tidy(cell)) : { number: tidy(cell) });
  const texts = cells.map((cell) => parse(cell).number).filter((text) => /[.,]/.test(text));
  const points = texts.some((text) => pointValue(text) !== undefined && commaValue(text) === undefined);
  const commas = texts.some((text) => commaValue(text) !== undefined && pointValue(text) === undefined);
  const isOpen = texts.some((text) => text.includes(',')) || (isPrice && separator === ';');

  const currencies = new Set([
    ...(isPrice ? [currencyIn(name)] : []),
    ...cells.map((cell) => parse(cell).currency),
  ]);
  currencies.delete(undefined);

  return (cell) => {
    const { number, currency } = parse(cell);
    const [point, comma] = [pointValue(number), commaValue(number)];
    // It is no number: whoever reads the row says so, of the cell as it is.
    if (point === undefined && comma === undefined) return { text: cell };
    if (currency !== undefined && currencies.size > 1) {
      return { fault: `"${cell}" is in ${currency}, and the column has ${[...currencies].join(' and ')}` };
    }
    if (!/[.,]/.test(number) || !isOpen) return { text: point ?? cell };
    if (points && commas) {
      return point !== undefined && comma === undefined
        ? { text: point }
        : { fault: `"${cell}" could have a decimal comma: the column has numbers with comma and with point` };
    }
    // Colours have no thousands: where the column has a decimal comma, "1.250" is another row's slip.
    if (!isPrice && (points || commas) && number.includes(points ? ',' : '.')) {
      return { fault: `"${cell}" has another decimal mark than the other cells of its column` };
    }
    if (points) return { text: point! };
    if (commas) return { text: comma! };
    return {
      fault: `"${cell}" could be ${point} or ${comma}, and no other cell of the column tells which`,
    };
  };
}

/** Full-width characters, minus signs, blanks of all kinds and what nobody sees, as plain ones. */
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

function withoutCurrency(text: string): { number: string; currency?: string } {
  for (const [currency, signs] of CURRENCIES) {
    const found =
      new RegExp(`^(?:${signs})\\s*(?<number>.*)$`, 'i').exec(text) ??
      new RegExp(`^(?<number>.*?)\\s*(?:${signs})$`, 'i').exec(text);
    if (found) return { number: tidy(found.groups!.number!), currency };
  }
  return { number: text };
}

const currencyIn = (name: string): string | undefined =>
  CURRENCIES.find(([, signs]) => new RegExp(`(?<![a-z])(?:${signs})(?![a-z])`, 'i').test(tidy(name)))?.[0];

/** Plain decimal notation, where the text is a number with a decimal point. */
function pointValue(text: string): string | undefined {
  return /\d/.test(text) && WITH_POINT.test(text) ? text.replace(/,/g, '') : undefined;
}

/** The same with a decimal comma. */
function commaValue(text: string): string | undefined {
  return /\d/.test(text) && WITH_COMMA.test(text) ? text.replace(/\./g, '').replace(',', '.') : undefined;
}
