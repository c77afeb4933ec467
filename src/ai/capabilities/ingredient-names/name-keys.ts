import { normalizedName } from '../../../common/normalized-name';

/** Letters that are written with blanks between words, unlike Chinese. */
const LATIN = '\\p{Script=Latin}';
/** A word as short as this must stand alone: "AHA" is not in "Bahama". */
const LONGEST_SHORT_WORD = 3;

/**
 * The form in which ingredient names are compared: width, case, invisible characters, dashes and the number
 * of blanks do not matter, and beside a Chinese character no blank does.
 */
export function nameKey(name: string): string {
  return normalizedName(name)
    .replace(/[\s\-‐‒–—―−_]+/gu, ' ')
    .trim()
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '');
}

/** Whether a word consists of so few Latin letters that it has to stand alone in a text. */
export function isShortWord(word: string): boolean {
  return new RegExp(`^${LATIN}{1,${LONGEST_SHORT_WORD}}$`, 'u').test(word);
}

/**
 * Whether a word stands in a name, both as `nameKey` makes them: a short one as a word of its own, one of
 * Latin letters at the beginning or end of a word ("paraben" in "methylparaben"), any other anywhere.
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

/** What may stand between the letters and digits of a name. Dashes and apostrophes are one in search keys. */
const MARKS = " -'.,()/_:;·&+*#[]%";
const MARK = new RegExp(`[\\s‐‒–—―−‘’ʼ′${MARKS.replace(/[-\]]/g, '\\$&')}]+`, 'gu');

/** The form in which complete names are looked up: as searches compare them, without blanks and marks. */
export const plainKey = (name: string): string => normalizedName(name).replace(MARK, '');

/** A plain key as a search key has it: what is not ASCII stands three times. */
export const inSearchKey = (key: string): string => key.replace(/\P{ASCII}/gu, '$&$&$&');

/** SQL: the plain keys of both names of a record, as they stand in its search key. */
export const PLAIN_KEYS = [...MARKS].reduce(
  (text, mark) => `replace(${text}, '${mark.replace("'", "''")}', '')`,
  'i.search_key',
);
