/** `CI 77891`, `CI 15850:1`, `C.I. 77491`, `CI No. 77499`. */
const CI_NUMBER = /\bC\.?\s?I\.?\s?(?:No\.?\s?)?(\d{5}(?::\d)?)(?!\d)/i;

/** Five digits, which behind a CI number are another one, unless they begin a CAS number. */
const FIVE_DIGITS = /(?<!\d)\d{5}(?!\d|-\d\d-\d)/g;

/** The Colour Index number that a name holds, as labels write it: `CI 77891`, `CI 15850:1`. */
export function ciNumberOf(inciName: string): string | undefined {
  const [, number] = CI_NUMBER.exec(inciName) ?? [];
  return number === undefined ? undefined : `CI ${number}`;
}

/** The number where a name is no more than that, in one form: `ci 77491` for `C.I. 77491`. */
export function bareCiNumber(plainName: string): string | undefined {
  const [whole] = CI_NUMBER.exec(plainName) ?? [];
  return whole === plainName ? ciNumberOf(plainName)?.toLowerCase() : undefined;
}

/** Whether a name is that of several colorants: `CI 77491/77492/77499`, `CI 77491-CI 77499`. */
export function hasSeveralCiNumbers(inciName: string): boolean {
  return ciNumberOf(inciName) !== undefined && new Set(inciName.match(FIVE_DIGITS)).size > 1;
}
