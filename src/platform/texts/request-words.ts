import { requestContext } from '../common/request-context';
import { CATALOGUE } from './catalogue';
import { ENGLISH } from './english';
import { isRequested } from './language';
import { inWords, type Text } from './text';

/** Returns true for commands and for requests with `X-Language: en`. */
export function isEnglish(): boolean {
  const context = requestContext.getStore();
  if (context === undefined) return true;
  return isRequested(context.response.req.headers[ENGLISH.header.toLowerCase()], ENGLISH.value);
}

/** Renders a text of the catalogue in the language of the current request. */
export const wordsOfRequest = (message: Text): string =>
  inWords(message, isEnglish() ? { ...CATALOGUE, ...ENGLISH.texts } : CATALOGUE);
