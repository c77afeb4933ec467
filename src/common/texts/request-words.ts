import { requestContext } from '../request-context';
import { CATALOGUE } from './catalogue';
import { ENGLISH } from './english';
import { inWords, type Text } from './text';

/** Whether words are to be English: those of commands, and of a request with `X-Language: en`. */
export function isEnglish(): boolean {
  const context = requestContext.getStore();
  const asked = context?.response.req.headers[ENGLISH.header.toLowerCase()];
  return context === undefined || String(asked).trim().toLowerCase() === ENGLISH.value;
}

/** A text of the catalogue, in the language of the request that is handled. */
export const wordsOfRequest = (message: Text): string =>
  inWords(message, isEnglish() ? { ...CATALOGUE, ...ENGLISH.texts } : CATALOGUE);
