import { ExtensionError } from '../common/extension-tokens';
import { CATALOGUE, type TextCode } from './catalogue';
import type { Language } from './language';
import { isOwnCode, PLACEHOLDER } from './text';

/** A valid HTTP header name. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]{1,64}$/;

/** Headers that have a meaning already: for HTTP, browsers, proxies or the service. */
const TAKEN =
  /^(accept.*|access-control-.*|authorization|cache-control|connection|content-.*|cookie2?|date|dnt|expect|forwarded|from|host|if-.*|keep-alive|max-forwards|origin|pragma|prefer|priority|proxy-.*|range|referer|sec-.*|te|trailer|transfer-encoding|upgrade.*|user-agent|vary|via|warning|x-ai-source|x-error-code|x-forwarded-.*|x-ratelimit-.*|x-real-ip|x-request-id|x-unread-lines)$/i;

/**
 * Validates the languages that modules provide.
 * @throws ExtensionError if one is invalid, or two are selected by the same header and value
 */
export function checkedLanguages(placed: readonly { place: string; value: unknown }[]): Language[] {
  const places = new Map<string, string>();
  return placed.flatMap(({ place, value }) =>
    [value].flat().map((given) => {
      const language = checked(given, place);
      const asked = `${language.header}: ${language.value}`;
      const other = places.get(asked.toLowerCase());
      if (other !== undefined) {
        throw new ExtensionError(
          `LANGUAGE ${asked} is provided in ${other} and ${place}: there can be only one.`,
        );
      }
      places.set(asked.toLowerCase(), place);
      return language;
    }),
  );
}

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
    if (!Object.hasOwn(CATALOGUE, code))
      throw refused(`has a text for "${code}", which is no code of the catalogue`);
    const known = placeholdersIn(CATALOGUE[code as TextCode]);
    const unknown = placeholdersIn(translated).find((name) => !known.includes(name));
    if (unknown !== undefined) {
      const names = known.length > 0 ? `it has {${known.join('}, {')}}` : 'it has none';
      throw refused(`names {${unknown}} in the text of ${code}: ${names}`);
    }
  }
  return { header, value, texts };
}

const placeholdersIn = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name]) => name!);

function isLanguageTag(value: string): boolean {
  try {
    return Intl.getCanonicalLocales(value).length === 1;
  } catch {
    return false;
  }
}
