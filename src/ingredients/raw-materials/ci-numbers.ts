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
