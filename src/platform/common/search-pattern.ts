import { visibleText, withJoinedPercent } from './name-forms';

/** Normalises a search before it is escaped: `1 ％` becomes `1%`. The database does the rest (`search_text`). */
export const sought = (text: string): string => withJoinedPercent(visibleText(text));

/** Escapes `text` for a LIKE pattern: `%`, `_` and `\` become literal characters. */
export const literal = (text: string): string => sought(text).replace(/[\\%_]/g, '\\$&');

/** Returns a LIKE pattern that finds `text` anywhere. */
export const containing = (text: string): string => `%${literal(text)}%`;

/**
 * Returns true if a trigram index can serve a pattern that contains `text`. In search keys a non-ASCII character
 * stands three times and so makes a trigram by itself. Without a trigram PostgreSQL would read the entire index,
 * and then rows.
 */
export const hasTrigram = (text: string): boolean =>
  /[\p{L}\p{N}]{3}|(?!\p{ASCII})[\p{L}\p{N}]/u.test(sought(text));

/** Escapes `text` for a PostgreSQL regular expression: every character is literal. */
export const literalRegex = (text: string): string => sought(text).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
