import { normalizedName } from '../../common/normalized-name';

/** White space, the line end of old mainframes and the empty Braille pattern, one by one. */
const BLANK = /(?!\ufeff)[\s\u0085\u2800]/u;

/**
 * The form in which two names of rows are the same: normalized, but with as many blanks inside as the name
 * has, because CosIng has entries that differ in these only. `nameKeySql` does the same in the database.
 */
export const nameKey = (name: string): string => name.split(BLANK).map(normalizedName).join(' ').trim();

/** A column's name without case, width, spaces, punctuation and what nobody sees. */
export const plainName = (name: string): string =>
  normalizedName(name).replace(/[\s_\-‐‑–./()[\]{}【】〔〕*:,'"]/g, '');
