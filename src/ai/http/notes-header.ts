import type { Response } from 'express';
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import type { ExplorationNotes } from '../capabilities/explore-formula/formula-exploration';

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
