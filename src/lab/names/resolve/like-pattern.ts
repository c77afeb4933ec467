const visible = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** A text in a pattern of LIKE, where `%`, `_` and `\` stand for themselves. */
export const likePattern = (text: string): string => visible(text).replace(/[\\%_]/g, '\\$&');

/** Whether the index of search keys serves a text: it needs three letters, or one that is not ASCII. */
export const hasIndexedLetters = (text: string): boolean =>
  /[\p{L}\p{N}]{3}|(?!\p{ASCII})[\p{L}\p{N}]/u.test(visible(text));
