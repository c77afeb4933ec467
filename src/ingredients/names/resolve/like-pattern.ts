const visible = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** Escapes a text for a LIKE pattern: `%`, `_` and `\` become literal characters. */
export const likePattern = (text: string): string => visible(text).replace(/[\\%_]/g, '\\$&');

/** No other name contains longer texts, and the index would be searched for each of their letters. */
const MAX_SEARCHED = 60;

/**
 * Returns true if the index of search keys can serve a text: it needs three letters, or a non-ASCII one, and must
 * not be too long.
 */
export const hasIndexedLetters = (text: string): boolean =>
  text.length <= MAX_SEARCHED && /[\p{L}\p{N}]{3}|(?!\p{ASCII})[\p{L}\p{N}]/u.test(visible(text));
