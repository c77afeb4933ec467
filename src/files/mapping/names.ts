import { normalizedName } from '../../platform/common/normalized-name';

/** One blank: white space, the line end of old mainframes (NEL) or the empty Braille pattern. */
const BLANK = /(?!\ufeff)[\s\u0085\u2800]/u;

/**
 * Returns the form in which names of rows are compared: normalised, but with the number of blanks between words
 * unchanged, because some entries of CosIng differ only in these. `nameKeySql` does the same in the database.
 */
export const nameKey = (name: string): string => name.split(BLANK).map(normalizedName).join(' ').trim();

/** Returns a column's name without case, width, spaces, punctuation and invisible characters. */
export const plainName = (name: string): string =>
  normalizedName(name).replace(/[\s_\-‐‑–./()[\]{}【】〔〕*:,'"]/g, '');
