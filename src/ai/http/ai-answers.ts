import type { Response } from 'express';
import { catchError, concat, map, type MonoTypeOperatorFunction, type Observable, of, tap } from 'rxjs';
import { streamOpened, type StreamOpened } from '../../platform/sse/event-stream.interceptor';
import type { Message } from '../../platform/texts/define-texts';
import { render, text } from '../../platform/texts/text';
import type { AiSource } from '../pipeline/ai-call';
import type { AiPart, AiResult } from '../pipeline/ai.service';
import type { ExploreOption } from '../capabilities/explore-formula/explore-formula';
import type { ExplorationNotes } from '../capabilities/explore-formula/formula-exploration';
import type { ExtractedFormula } from '../capabilities/extract-formula/formula-extraction';

/** The messages of the AI streams, as the API contract defines them. */
export type AiMessage =
  | { readonly type: 'result'; readonly content: string }
  | { readonly type: 'option'; readonly option: ExploreOption }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly content: string };

export type AiStream = Observable<AiMessage | StreamOpened>;

const STREAM_FAILED = text('ai.stream-failed');
const FALLBACK = text('ai.fallback');

/** Emits one `result` message with the answer as JSON text, or an `error` message if the call fails. */
export function resultMessages(
  results: Observable<AiResult<unknown>>,
  language: string,
  failure = STREAM_FAILED,
): AiStream {
  return results.pipe(
    map(({ answer, source }): AiMessage => {
      return { type: 'result', content: JSON.stringify(namingFallback(answer, source, language)) };
    }),
    endWithError(failure, language),
    streamOpened(),
  );
}

/** Emits an `option` message per part and `done` at the end, or `error` instead of `done` if the answer breaks off. */
export function optionMessages(options: Observable<AiPart<ExploreOption>>, language: string): AiStream {
  return concat(
    options.pipe(
      map(({ part, source }): AiMessage => ({
        type: 'option',
        option: namingFallback(part, source, language),
      })),
    ),
    of<AiMessage>({ type: 'done' }),
  ).pipe(endWithError(STREAM_FAILED, language), streamOpened());
}

/** Adds a notice to the reasoning of a fallback answer: the response headers are sent before the provider fails. */
function namingFallback<T>(answer: T, source: AiSource, language: string): T {
  const { reasoning } = (answer ?? {}) as { readonly reasoning?: unknown };
  if (source !== 'fallback' || typeof reasoning !== 'string') return answer;
  return { ...answer, reasoning: reasoning + render(FALLBACK, language) };
}

/** Ends a failed stream with one `error` message. The message is a fixed text; the log holds the cause. */
function endWithError(failure: Message, language: string) {
  const content = render(failure, language);
  return (messages: Observable<AiMessage>): Observable<AiMessage> =>
    messages.pipe(catchError(() => of<AiMessage>({ type: 'error', content })));
}

/** Sets the header with the source of the answer when the answer arrives, unless the headers have been sent. */
export function namingSource<Event extends { readonly source: AiSource }>(
  response: Response,
): MonoTypeOperatorFunction<Event> {
  return tap<Event>(({ source }) => {
    if (!response.headersSent) response.setHeader('X-AI-Source', source);
  });
}

/**
 * Sets the headers of an extraction: the lines that were not read, if any (`2; 3,7`), and the sum of
 * the percentages. Does nothing if the headers have been sent.
 */
export function setExtractionHeaders(
  response: Response,
  { unread: { count, textLines }, percentTotal }: Pick<ExtractedFormula, 'unread' | 'percentTotal'>,
): void {
  if (response.headersSent) return;
  if (percentTotal !== undefined) response.setHeader('X-Percent-Total', percentTotal);
  if (count === 0) return;
  // The count includes all lines; their numbers end at 200, to keep the header short.
  const numbers = textLines.slice(0, 200).join(',');
  response.setHeader('X-Unread-Lines', numbers === '' ? String(count) : `${count}; ${numbers}`);
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
