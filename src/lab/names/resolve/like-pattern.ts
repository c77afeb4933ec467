const visible = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** A text in a pattern of LIKE, where `%`, `_` and `\` stand for themselves. */
export const likePattern = (text: string): string => visible(text).replace(/[\\%_]/g, '\\$&');

/** Longer texts are in no other name; the index would be asked for each of their letters. */
const MAX_SEARCHED = 60;

/**
 * Whether the index of search keys serves a text: it needs three letters, or one that is not ASCII, and not too many.
 */
export const hasIndexedLetters = (text: string): boolean =>
  text.length <= MAX_SEARCHED && /[\p{L}\p{N}]{3}|(?!\p{ASCII})[\p{L}\p{N}]/u.test(visible(text));
