/** A LIKE pattern that finds `text` anywhere: `%`, `_` and `\` are literal characters. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
