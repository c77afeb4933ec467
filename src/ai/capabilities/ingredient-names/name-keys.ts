import { plainText } from '../../../platform/common/name-forms';

/** Latin letters. Unlike Chinese, these words are separated by blanks. */
const LATIN = '\\p{Script=Latin}';
/** Maximum length of a word that must stand alone: "AHA" does not match "Bahama". */
const LONGEST_SHORT_WORD = 3;

/**
 * Returns the form in which ingredient names are compared. It ignores width, case, invisible
 * characters, dashes, the number of blanks, and all blanks next to a Chinese character.
 */
export function nameKey(name: string): string {
  return plainText(name)
    .replace(/[\s\-‐‒–—―−_]+/gu, ' ')
    .trim()
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '');
}

/** Returns true if a word has so few Latin letters that it must stand alone in a text. */
export function isShortWord(word: string): boolean {
  return new RegExp(`^${LATIN}{1,${LONGEST_SHORT_WORD}}$`, 'u').test(word);
}

/**
 * Returns true if a name contains a word, both in the form of `nameKey`. A short word must stand alone, a
 * Latin word must begin or end a word ("paraben" in "methylparaben"), and any other word may be anywhere.
 */
export function holdsWord(key: string, word: string): boolean {
  for (let at = key.indexOf(word); at >= 0; at = key.indexOf(word, at + 1)) {
    const startsWord = !isLetter(key, at - 1) || !isLetter(word, 0);
    const endsWord = !isLetter(key, at + word.length) || !isLetter(word, word.length - 1);
    if (isShortWord(word) ? startsWord && endsWord : startsWord || endsWord) return true;
  }
  return false;
}

const LETTER = new RegExp(`^${LATIN}$`, 'u');
const isLetter = (text: string, at: number): boolean => at >= 0 && at < text.length && LETTER.test(text[at]!);

/** Characters that may separate letters and digits of a name. Search keys have one kind of dash and apostrophe. */
const MARKS = " -'.,()/_:;·&+*#[]%";
const MARK = new RegExp(`[\\s‐‒–—―−‘’ʼ′${MARKS.replace(/[-\]]/g, '\\$&')}]+`, 'gu');

/** Returns the form in which complete names are looked up: normalized as in searches, without blanks and marks. */
export const plainKey = (name: string): string => plainText(name).replace(MARK, '');

/** Converts a plain key to its form in search keys, which repeat non-ASCII characters three times. */
export const inSearchKey = (key: string): string => key.replace(/\P{ASCII}/gu, '$&$&$&');

/** SQL: the plain keys of both names of a record, derived from its search key. */
export const PLAIN_KEYS = [...MARKS].reduce(
  (text, mark) => `replace(${text}, '${mark.replace("'", "''")}', '')`,
  'i.search_key',
);
