import type { Response } from 'express';
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { type AiSource } from '../pipeline/ai-call';
import type { ExplorationNotes } from '../capabilities/explore-formula/formula-exploration';
import type { ExtractedFormula } from '../capabilities/extract-formula/formula-extraction';

/** Response header with the source of an AI answer. */
const AI_SOURCE_HEADER = 'X-AI-Source';

/** Sets the source header when the answer arrives, unless the headers have been sent. */
export function namingSource<Event extends { readonly source: AiSource }>(
  response: Response,
): MonoTypeOperatorFunction<Event> {
  return tap<Event>(({ source }) => {
    if (!response.headersSent) response.setHeader(AI_SOURCE_HEADER, source);
  });
}

/** Response header with the number of lines of the text that were not read, and their line numbers. */
const UNREAD_LINES_HEADER = 'X-Unread-Lines';

/** Response header with the sum of the percentages that were read. */
const PERCENT_TOTAL_HEADER = 'X-Percent-Total';

/** Maximum number of line numbers in the header, to keep it short. The count includes all lines. */
const MOST_NUMBERS = 200;

/**
 * Sets the headers of an extraction: the lines that were not read, if any (`2; 3,7`), and the sum of
 * the percentages. Does nothing if the headers have been sent.
 */
export function setExtractionHeaders(
  response: Response,
  { unread: { count, textLines }, percentTotal }: Pick<ExtractedFormula, 'unread' | 'percentTotal'>,
): void {
  if (response.headersSent) return;
  if (percentTotal !== undefined) response.setHeader(PERCENT_TOTAL_HEADER, percentTotal);
  if (count === 0) return;
  const numbers = textLines.slice(0, MOST_NUMBERS).join(',');
  response.setHeader(UNREAD_LINES_HEADER, numbers === '' ? String(count) : `${count}; ${numbers}`);
}

/** Response header with notes that do not fit into the answer, as a dictionary (RFC 9651). */
export const NOTES_HEADER = 'X-AI-Notes';

/** Sets the notes header of an exploration, unless the headers have been sent. */
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

/** Adds a note if a search excludes names that match no ingredient, for example misspelt ones. */
export function noteSearch(response: Response, excludedUnknown: number): void {
  note(response, excludedUnknown > 0 ? [`excluded-unknown=${excludedUnknown}`] : []);
}

function note(response: Response, notes: readonly string[]): void {
  if (notes.length > 0 && !response.headersSent) response.setHeader(NOTES_HEADER, notes.join(', '));
}

/** Calls `report` if the observable completes without a value. */
export function whenEmpty<T>(report: () => void): MonoTypeOperatorFunction<T> {
  let isEmpty = true;
  return tap<T>({
    next: () => (isEmpty = false),
    complete: () => {
      if (isEmpty) report();
    },
  });
}
