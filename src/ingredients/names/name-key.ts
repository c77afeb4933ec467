import variants from './data/simplified.json';

/** Longest key in characters: names have 200, and an index entry has a limit. */
const MAX_KEY = 200;

/** Marks of owners, which NFKC would turn into letters. */
const OWNERSHIP_MARKS = /[™®©℠]/gu;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu;
const MARKS = /[^\p{L}\p{N}\p{M}]+/u;
const ENDS_IN_DIGIT = /\p{N}$/u;
const BEGINS_WITH_DIGIT = /^\p{N}/u;

const simplifiedCharacters = Array.from(variants.simplified);
const simplified = new Map(
  Array.from(variants.traditional, (character, at) => [character, simplifiedCharacters[at]!]),
);

/**
 * The form in which two names are the same, of letters and digits only: width, case, normal form, blanks, hyphens,
 * brackets and traditional Chinese characters do not matter. Digits stay apart: `1,3-BG` is not `13-BG`.
 */
export const nameKey = (name: string): string =>
  Array.from(lettersKey(name), (character) => simplified.get(character) ?? character).join('');

/** The same with the Chinese characters as they are written. */
export function lettersKey(name: string): string {
  const visible = name
    .replace(OWNERSHIP_MARKS, '')
    .normalize('NFKC')
    .replace(INVISIBLE, '')
    .normalize('NFKC')
    .replaceAll('İ', 'i')
    .toLowerCase()
    .replaceAll('ς', 'σ');
  let key = '';
  for (const word of visible.split(MARKS)) {
    if (word === '') continue;
    key += ENDS_IN_DIGIT.test(key) && BEGINS_WITH_DIGIT.test(word) ? `.${word}` : word;
  }
  return Array.from(key.normalize('NFC')).slice(0, MAX_KEY).join('');
}
