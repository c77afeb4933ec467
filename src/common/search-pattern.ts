/** `text` in a LIKE pattern, where `%`, `_` and `\` are literal characters. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** A LIKE pattern that finds `text` anywhere. */
export const containing = (text: string): string => `%${literal(text)}%`;

/** `text` in a regular expression of PostgreSQL's, every character literal. */
export const literalRegex = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
