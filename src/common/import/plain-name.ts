import { normalizedName } from '../normalized-name';

/** A column's name without case, width, spaces, punctuation and what nobody sees. */
export const plainName = (name: string): string =>
  normalizedName(name).replace(/[\s_\-‐‑–./()[\]{}【】〔〕*:,'"]/g, '');
