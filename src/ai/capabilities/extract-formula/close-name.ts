import { plainText } from '../../../platform/common/name-forms';

/**
 * Number of letters at both ends that must agree in a word with a typing error. In chemical names the
 * ends carry the meaning.
 */
const FIXED_ENDS = 3;
/**
 * Returns true if two ingredient names differ only in spelling: case, width, spaces, hyphens, a plural
 * or final e, or one typing error inside a long word. Digits and the ends of words must agree:
 * "Polysorbate 20" is not "Polysorbate 60", "Methylparaben" not "Ethylparaben", "Sulfate" not "Sulfite".
 */
export function isSameName(a: string, b: string): boolean {
  const left = words(a);
  const right = words(b);
  if (left.length === 0) return false;
  if (left.join('') === right.join('')) return true;
  return left.length === right.length && left.every((word, at) => isSameWord(word, right[at] ?? ''));
}

function words(name: string): string[] {
  return plainText(name).match(/\p{Script=Han}+|\p{N}+|[^\P{L}\p{Script=Han}]+/gu) ?? [];
}

function isSameWord(a: string, b: string): boolean {
  if (a === b) return true;
  if (!/^[a-z]+$/.test(a) || !/^[a-z]+$/.test(b)) return false;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long === `${short}s` || long === `${short}e`) return true;
  if (short.length < 7) return false;
  if (short.slice(0, FIXED_ENDS) !== long.slice(0, FIXED_ENDS)) return false;
  if (short.slice(-FIXED_ENDS) !== long.slice(-FIXED_ENDS)) return false;
  return differsInOneLetter(short, long);
}

/** Returns true if one letter is replaced, or if `long` has one additional letter. */
function differsInOneLetter(short: string, long: string): boolean {
  let at = 0;
  while (at < short.length && short[at] === long[at]) at++;
  const rest = short.length === long.length ? short.slice(at + 1) : short.slice(at);
  return rest === long.slice(at + 1);
}
