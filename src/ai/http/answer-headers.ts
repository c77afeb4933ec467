import type { Response } from 'express';
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { type AiSource } from '../call/ai-call';
import type { ExplorationNotes } from '../capabilities/explore-formula/formula-exploration';
import type { ExtractedFormula } from '../capabilities/extract-formula/formula-extraction';

/** Response header that says where an AI answer came from. */
const AI_SOURCE_HEADER = 'X-AI-Source';

/** Says where an answer came from, while there still is a header to say it in. */
export function namingSource<Event extends { readonly source: AiSource }>(
  response: Response,
): MonoTypeOperatorFunction<Event> {
  return tap<Event>(({ source }) => {
    if (!response.headersSent) response.setHeader(AI_SOURCE_HEADER, source);
  });
}

/** Response header that says what of a text was not read: how many lines, and which. */
const UNREAD_LINES_HEADER = 'X-Unread-Lines';

/** Response header with the sum of the percentages that were read. */
const PERCENT_TOTAL_HEADER = 'X-Percent-Total';

/** So many line numbers are named: a header has to stay short. The count is always that of all. */
const MOST_NUMBERS = 200;

/**
 * Says what was not read, if anything (`2; 3,7`), and the sum of what was, while there still is a header to
 * say it in.
 */
export function setExtractionHeaders(
  response: Response,
  { unread: { count, textLines }, percentTotal }: Omit<ExtractedFormula, 'lines'>,
): void {
  if (response.headersSent) return;
  if (percentTotal !== undefined) response.setHeader(PERCENT_TOTAL_HEADER, percentTotal);
  if (count === 0) return;
  const numbers = textLines.slice(0, MOST_NUMBERS).join(',');
  response.setHeader(UNREAD_LINES_HEADER, numbers === '' ? String(count) : `${count}; ${numbers}`);
}

/** Response header that says what an answer cannot, as a dictionary (RFC 9651). */
export const NOTES_HEADER = 'X-AI-Notes';

/** Says it while there still is a header to say it in. */
export function noteExploration(
  response: Response,
  { excludedNotInBase, noOptions }: ExplorationNotes,
): void {
  const notes = [
    ...(excludedNotInBase > 0 ? [`excluded-not-in-base=${excludedNotInBase}`] : []),
    ...(noOptions ? [`no-options=${noOptions}`] : []),
  ];
  note(response, notes);
}

/** Says that a search rules out names that stand for nothing, such as a misspelt one. */
export function noteSearch(response: Response, excludedUnknown: number): void {
  note(response, excludedUnknown > 0 ? [`excluded-unknown=${excludedUnknown}`] : []);
}

function note(response: Response, notes: readonly string[]): void {
  if (notes.length > 0 && !response.headersSent) response.setHeader(NOTES_HEADER, notes.join(', '));
}

/** Does something when nothing has come before the end. */
export function whenEmpty<T>(report: () => void): MonoTypeOperatorFunction<T> {
  let isEmpty = true;
  return tap<T>({
    next: () => (isEmpty = false),
    complete: () => {
      if (isEmpty) report();
    },
  });
}
