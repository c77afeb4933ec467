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

/** Returns why a cell does not contain the intended value; undefined for any other cell. */
export function cellFault(text: string, kind: string | undefined, isName: boolean): string | undefined {
  const trimmed = text.trim();
  if (kind === undefined && ERROR_VALUE.test(trimmed)) return `holds the error ${trimmed}`;
  if (isName && (kind === 'date' || (kind === undefined && DATE.test(trimmed)))) {
    return `holds a date (${trimmed.replace(/T00:00:00\.000Z$/, '')}) in place of a name`;
  }
  return undefined;
}

/** Returns true if `cellFault` reports a fault for the text. */
export const isSpreadsheetSlip = (text: string): boolean => cellFault(text, undefined, true) !== undefined;
