import type { IncomingMessage } from 'node:http';
import type { Response } from 'express';
import { ExtensionError } from '../common/extension-tokens';
import { requestContext } from '../common/request-context';
import { definedTexts, isEnglishKey, placeholdersIn, setTranslations } from './define-texts';
import { isOwnCode, render, type Text, type TextCode } from './text';

/** Token under which any module provides a `Language` or a list of them: the texts in another language. */
export const LANGUAGE = Symbol('LANGUAGE');

/** A language that clients select with a header. */
export interface Language {
  /** For example `X-Language`. It must have no meaning in HTTP, browsers or the contract, so not `Accept-Language`. */
  readonly header: string;
  /** Value of the header that selects it, a BCP 47 tag such as `en`. Also the answer's `Content-Language`. */
  readonly value: string;
  /**
   * Texts by code, with the table's `{placeholders}`; may include an extension's own texts. Texts that are absent
   * stay in the contract's language.
   */
  readonly texts: Readonly<Partial<Record<TextCode, string>> & Record<string, string>>;
}

const ENGLISH = { header: 'X-Language', value: 'en' };
let selectable: readonly Pick<Language, 'header' | 'value'>[] = [ENGLISH];

/**
 * Sets the languages of extensions, when the application starts. Their English texts may reword the service's.
 * @throws ExtensionError if one is invalid, or two are selected by the same header and value
 */
export function setLanguages(placed: readonly { place: string; value: unknown }[]): void {
  const places = new Map<string, string>();
  const languages = placed.flatMap(({ place, value }) => {
    return [value].flat().map((given) => {
      const language = checked(given, place);
      const other = places.get(keyOf(language));
      if (other !== undefined) {
        throw new ExtensionError(
          `LANGUAGE ${language.header}: ${language.value} is provided in ${other} and ${place}: there can be only one.`,
        );
      }
      places.set(keyOf(language), place);
      return language;
    });
  });
  setTranslations(new Map(languages.map((language) => [keyOf(language), language.texts])));
  selectable = [ENGLISH, ...languages.filter((language) => keyOf(language) !== 'en')];
}

/** Names a language where texts are rendered: `en`, or for one of an extension `x-language: fr`. */
function keyOf({ header, value }: Pick<Language, 'header' | 'value'>): string {
  const key = `${header}: ${value}`.toLowerCase();
  return key === 'x-language: en' ? 'en' : key;
}

/** A valid HTTP header name. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]{1,64}$/;

/** Headers that have a meaning already: for HTTP, browsers, proxies or the service. */
const TAKEN =
  /^(accept.*|access-control-.*|authorization|cache-control|connection|content-.*|cookie2?|date|dnt|expect|forwarded|from|host|if-.*|keep-alive|max-forwards|origin|pragma|prefer|priority|proxy-.*|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade.*|user-agent|vary|via|warning|x-ai-source|x-error-code|x-forwarded-.*|x-ratelimit-.*|x-real-ip|x-request-id|x-unread-lines)$/i;

function checked(given: unknown, place: string): Language {
  const { header, value, texts } = (given ?? {}) as Partial<Language>;
  const refused = (why: string) => new ExtensionError(`LANGUAGE in ${place} ${why}.`);
  if (typeof header !== 'string' || !TOKEN.test(header))
    throw refused('must have a header, such as X-Language');
  if (TAKEN.test(header))
    throw refused(`is chosen by ${header}, which has a meaning already: name one of its own`);
  if (typeof value !== 'string' || !isLanguageTag(value)) {
    throw refused('must have a value that is a language tag, such as en');
  }
  if (typeof texts !== 'object' || texts === null) throw refused('must have texts');
  for (const [code, translated] of Object.entries(texts) as [string, unknown][]) {
    if (typeof translated !== 'string' || translated.trim() === '') throw refused(`has no text for ${code}`);
    if (isOwnCode(code)) continue;
    const template = definedTexts().get(code);
    if (!template) throw refused(`has a text for "${code}", which is no code of the catalogue`);
    const known = placeholdersIn(template[0]);
    const unknown = placeholdersIn(translated).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const names = known.length > 0 ? `it has {${known.join('}, {')}}` : 'it has none';
      throw refused(`names {${unknown}} in the text of ${code}: ${names}`);
    }
  }
  return { header, value, texts };
}

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}

/** The parameter `lang` of routes beyond the contract. */
const LANG = /\/ext\/[^?]*\?(?:[^#]*&)?lang=(en|zh)(?:&|$)/;

/** The language that the request selects with this parameter or a header, or undefined for the contract's Chinese. */
function selectedBy(request: IncomingMessage & { originalUrl?: string }) {
  const { headers, url, originalUrl = url } = request;
  const [, lang] = LANG.exec(originalUrl ?? '') ?? [];
  if (lang !== undefined) return lang === 'en' ? ENGLISH : undefined;
  const selected = selectable.filter(({ header, value }) => {
    const requested = headers[header.toLowerCase()]?.toString().trim().toLowerCase() ?? '';
    // `en` and `en-US` ask for `en`.
    return `${requested}-`.startsWith(`${value.toLowerCase()}-`);
  });
  // `de-CH` comes before `de`.
  return selected.toSorted((one, other) => other.value.length - one.value.length)[0];
}

/** Returns the language to render the answer to a request in. */
export function languageOf(request: IncomingMessage): string {
  const selected = selectedBy(request);
  return selected ? keyOf(selected) : 'zh';
}

/** Returns the language of the current request; English for commands. */
export function currentLanguage(): string {
  const context = requestContext.getStore();
  return context ? languageOf(context.response.req) : 'en';
}

/** Returns true for commands and for requests with `X-Language: en`. */
export const isEnglish = (): boolean => isEnglishKey(currentLanguage());

/** Renders a text in the language of the request and sets the answer's language headers. */
export function renderFor(response: Response, message: Text): string {
  for (const { header } of selectable) response.vary(header);
  const text = render(message);
  const selected = selectedBy(response.req);
  if (!selected) return text;
  const translated = render(message, keyOf(selected));
  // An extension's plain text, or a text without translation, is not in the selected language.
  if (translated !== text) response.setHeader('Content-Language', selected.value);
  return translated;
}
