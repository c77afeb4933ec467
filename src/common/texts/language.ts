import type { TextCode } from './catalogue';

/** Token under which any module provides a `Language`, or a list of them: the texts in another language. */
export const LANGUAGE = Symbol('LANGUAGE');

/** A language that clients ask for with a header of its own. */
export interface Language {
  /** `X-Language`: none that HTTP, browsers or the contract give a meaning, `Accept-Language` above all. */
  readonly header: string;
  /** The header's value that asks for it, a tag of BCP 47 such as `en`; the answer's `Content-Language`. */
  readonly value: string;
  /**
   * By their codes, with the catalogue's `{placeholders}`, and those of an extension's own texts. A text that is
   * absent stays as it is.
   */
  readonly texts: Readonly<Partial<Record<TextCode, string>> & Record<string, string>>;
}
