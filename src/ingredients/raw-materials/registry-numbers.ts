import { visibleText } from '../../platform/common/name-forms';
import { text } from '../../platform/texts/text';

const CAS = /^(\d{2,7})-(\d{2})-(\d)$/;
const EC = /^(\d{3})-(\d{3})-(\d)$/;

const PART = String.raw`\s?[\s-]\s?`;
/** A CAS or EC number with blanks for hyphens, zeros before it or marks behind it. */
const NUMBER = new RegExp(
  String.raw`(?<![\d-])(?:0*([1-9]\d{1,6})${PART}(\d{2})|(\d{3})${PART}(\d{3}))${PART}(\d)(?![\d-])[:.*†‡§#^]*`,
  'gu',
);
const DASHES = /[\u2010-\u2015\u2212]/g;

/** The numbers in a text in their only form: 56-81-5 of `５６－８１－５`, `000056-81-5`, `56 81 5` and `56-81-5*`. */
export const plainNumber = (number: string): string =>
  visibleText(number)
    .replaceAll(DASHES, '-')
    .replace(NUMBER, (_, ...[cas, casMiddle, ec, ecMiddle, digit]: string[]) =>
      [cas ?? ec, casMiddle ?? ecMiddle, digit].join('-'),
    )
    .trim();

/** Why a text is no CAS number: the digits from the right, times 1, 2, 3 …, add up to the check digit modulo 10. */
export function casFault(number: string) {
  const [, first, second, digit] = CAS.exec(number) ?? [];
  if (!first || !second) return text('composition.not-a-cas-number');
  const expected = digitsOf(first + second)
    .reverse()
    .reduce((sum, value, index) => sum + value * (index + 1), 0);
  return checkFault(number, Number(digit), expected % 10);
}

/** Why a text is no EC number: the digits from the left, times 1, 2, 3 …, add up to the check digit modulo 11. */
export function ecFault(number: string) {
  const [, first, second, digit] = EC.exec(number) ?? [];
  if (!first || !second) return text('composition.not-an-ec-number');
  const expected = digitsOf(first + second).reduce((sum, value, index) => sum + value * (index + 1), 0);
  return checkFault(number, Number(digit), expected % 11);
}

const digitsOf = (digits: string): number[] => [...digits].map(Number);

/** No EC number has the check digit 10: the message then names a digit that no number ends with. */
const checkFault = (number: string, digit: number, expected: number) =>
  digit === expected ? undefined : text('composition.wrong-check-digit', { number, expected });

/** `CI 77891`, `CI 15850:1`, `C.I. 77491`, `CI No. 77499`. */
const CI_NUMBER = /\bC\.?\s?I\.?\s?(?:No\.?\s?)?(\d{5}(?::\d)?)(?!\d)/i;

/** Five digits. After a CI number they are another one, unless they begin a CAS number. */
const FIVE_DIGITS = /(?<!\d)\d{5}(?!\d|-\d\d-\d)/g;

/** Returns the Colour Index number in a name, in the form of labels: `CI 77891`, `CI 15850:1`. */
export function ciNumberOf(inciName: string): string | undefined {
  const [, number] = CI_NUMBER.exec(inciName) ?? [];
  return number === undefined ? undefined : `CI ${number}`;
}

/** Returns the number in one form if the name is nothing else: `ci 77491` for `C.I. 77491`. */
export function bareCiNumber(plainName: string): string | undefined {
  const [whole] = CI_NUMBER.exec(plainName) ?? [];
  return whole === plainName ? ciNumberOf(plainName)?.toLowerCase() : undefined;
}

/** Returns true if a name contains several colorants: `CI 77491/77492/77499`, `CI 77491-CI 77499`. */
export function hasSeveralCiNumbers(inciName: string): boolean {
  return ciNumberOf(inciName) !== undefined && new Set(inciName.match(FIVE_DIGITS)).size > 1;
}
