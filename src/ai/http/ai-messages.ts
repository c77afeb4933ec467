import { catchError, concat, map, type Observable, of } from 'rxjs';
import { streamOpened, type StreamOpened } from '../../common/sse/stream-opened';
import { type CatalogueText, inWords, text, type Words } from '../../common/texts/text';
import { type AiSource } from '../call/ai-call';
import { type AiPart, type AiResult } from '../call/ai.service';
import { type ExploreOption } from '../capabilities/explore-formula/explore-formula';

/** The messages of the AI streams, as the interface has them. */
export type AiMessage =
  | { readonly type: 'result'; readonly content: string }
  | { readonly type: 'option'; readonly option: ExploreOption }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly content: string };

/** What a handler returns that answers with them. */
export type AiStream = Observable<AiMessage | StreamOpened>;

const STREAM_FAILED = text('ai.stream-failed');
const FALLBACK = text('ai.fallback');

/** One `result` whose content is the answer as JSON text; `error` when there is none. */
export function resultMessages(
  results: Observable<AiResult<unknown>>,
  words: Words,
  failure = STREAM_FAILED,
): AiStream {
  return results.pipe(
    map(({ answer, source }): AiMessage => {
      return { type: 'result', content: JSON.stringify(namingFallback(answer, source, words)) };
    }),
    endWithError(failure, words),
    streamOpened(),
  );
}

/** An `option` for each part and a `done` at the end; `error` instead of `done` when the answer broke off. */
export function optionMessages(options: Observable<AiPart<ExploreOption>>, words: Words): AiStream {
  return concat(
    options.pipe(
      map(({ part, source }): AiMessage => ({ type: 'option', option: namingFallback(part, source, words) })),
    ),
    of<AiMessage>({ type: 'done' }),
  ).pipe(endWithError(STREAM_FAILED, words), streamOpened());
}

/** A stream has opened by the time that a provider has failed: no header can say so any more. */
function namingFallback<T>(answer: T, source: AiSource, words: Words): T {
  const { reasoning } = (answer ?? {}) as { readonly reasoning?: unknown };
  if (source !== 'fallback' || typeof reasoning !== 'string') return answer;
  return { ...answer, reasoning: reasoning + inWords(FALLBACK, words) };
}

/** What went wrong is in the log; in the stream it is one text of ours, and always the last message. */
function endWithError(failure: CatalogueText, words: Words) {
  const content = inWords(failure, words);
  return (messages: Observable<AiMessage>): Observable<AiMessage> =>
    messages.pipe(catchError(() => of<AiMessage>({ type: 'error', content })));
}
