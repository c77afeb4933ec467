/** Error values of spreadsheets, in any of their languages. */
const ERROR_VALUE = /^(?:#(?:[\p{Lu}\d_/]+[!?]|N\/[A-Z]|NV|GETTING_DATA|#+)|Err:\d{3})$/u;

const MONTH =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz?|mrz|apr(?:il)?|may|mai|june?|juni|july?|juli|' +
  'aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\\.?';
/** Excludes CAS numbers such as 5989-27-5, whose parts are not a month and a day. */
const NUMBER_OF_MONTH = '(?:0?[1-9]|1[0-2])';
const NUMBER_OF_DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const MONTH_AND_DAY = `(?:${NUMBER_OF_MONTH}[-/.]${NUMBER_OF_DAY}|${NUMBER_OF_DAY}[-/.]${NUMBER_OF_MONTH})`;
const TIME = '(?:[T ]\\d{1,2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?Z?)?';
/** A text that is nothing but a date, as spreadsheets write it after converting a name. */
const DATE = new RegExp(
  `^(?:\\d{4}[-/.]${NUMBER_OF_MONTH}[-/.]${NUMBER_OF_DAY}${TIME}|${MONTH_AND_DAY}[-/.](?:\\d{2}|\\d{4})${TIME}` +
    `|\\d{1,2}[-. ]{1,2}${MONTH}(?:[- ](?:\\d{2}|\\d{4}))?|${MONTH}[- ](?:\\d{2}|\\d{4})` +
    '|(?:\\d{4}年)?\\d{1,2}月(?:\\d{1,2}日)?)$',
  'i',
);

/** An error, or a date in the place of a name, as the cell shows it. */
export type SpreadsheetSlip = { readonly error: string } | { readonly date: string };

/** Returns why a cell does not contain the intended value; undefined for any other cell. */
export function spreadsheetSlip(
  text: string,
  kind: string | undefined,
  isName: boolean,
): SpreadsheetSlip | undefined {
  const trimmed = text.trim();
  if (kind === undefined && ERROR_VALUE.test(trimmed)) return { error: trimmed };
  if (isName && (kind === 'date' || (kind === undefined && DATE.test(trimmed)))) {
    return { date: trimmed.replace(/T00:00:00\.000Z$/, '') };
  }
  return undefined;
}

/** Returns true if the text is an error or a date. */
export const isSpreadsheetSlip = (text: string): boolean =>
  spreadsheetSlip(text, undefined, true) !== undefined;
