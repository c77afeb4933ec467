/**
 * A search in normal form and without invisible characters, before anything in it is escaped: ％ is a %. The
 * database does the rest (`search_text`).
 */
export const sought = (text: string): string =>
  text.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}/gu, '');

/** `text` in a LIKE pattern, where `%`, `_` and `\` are literal characters. */
export const literal = (text: string): string => sought(text).replace(/[\\%_]/g, '\\$&');

/** A LIKE pattern that finds `text` anywhere. */
export const containing = (text: string): string => `%${literal(text)}%`;

/**
 * Whether a trigram index serves a pattern that contains `text`: it has a trigram in a search key, where what
 * is not ASCII stands three times. Without one the whole index would be read, and rows after it.
 */
export const hasTrigram = (text: string): boolean =>
  /[\p{L}\p{N}]{3}|(?!\p{ASCII})[\p{L}\p{N}]/u.test(sought(text));

/** `text` in a regular expression of PostgreSQL's, every character literal. */
export const literalRegex = (text: string): string => sought(text).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
