import type { TextCode } from './catalogue';

/** Token under which any module provides a `Language` or a list of them: the texts in another language. */
export const LANGUAGE = Symbol('LANGUAGE');

/** A language that clients select with a header. */
export interface Language {
  /** For example `X-Language`. It must have no meaning in HTTP, browsers or the contract, so not `Accept-Language`. */
  readonly header: string;
  /** Value of the header that selects it, a BCP 47 tag such as `en`. Also the answer's `Content-Language`. */
  readonly value: string;
  /**
   * Texts by code, with the catalogue's `{placeholders}`; may include an extension's own texts. Texts that are
   * absent stay in the contract's language.
   */
  readonly texts: Readonly<Partial<Record<TextCode, string>> & Record<string, string>>;
}

/** Returns true if a header asks for a language: `en` and `en-US` ask for `en`. */
export function isRequested(header: unknown, language: string): boolean {
  if (typeof header !== 'string') return false;
  const requested = header.trim().toLowerCase();
  return requested === language.toLowerCase() || requested.startsWith(`${language.toLowerCase()}-`);
}
