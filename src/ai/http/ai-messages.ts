import { catchError, concat, map, type Observable, of } from 'rxjs';
import { streamOpened, type StreamOpened } from '../../common/sse/stream-opened';
import { type CatalogueText, inWords, text, type Words } from '../../common/texts/text';
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

/** One `result` whose content is the answer as JSON text; `error` when there is none. */
export function resultMessages(
  results: Observable<AiResult<unknown>>,
  words: Words,
  failure = STREAM_FAILED,
): AiStream {
  return results.pipe(
    map(({ answer }): AiMessage => ({ type: 'result', content: JSON.stringify(answer) })),
    endWithError(failure, words),
    streamOpened(),
  );
}

/** An `option` for each part and a `done` at the end; `error` instead of `done` when the answer broke off. */
export function optionMessages(options: Observable<AiPart<ExploreOption>>, words: Words): AiStream {
  return concat(
    options.pipe(map(({ part }): AiMessage => ({ type: 'option', option: part }))),
    of<AiMessage>({ type: 'done' }),
  ).pipe(endWithError(STREAM_FAILED, words), streamOpened());
}

/** What went wrong is in the log; in the stream it is one text of ours, and always the last message. */
function endWithError(failure: CatalogueText, words: Words) {
  const content = inWords(failure, words);
  return (messages: Observable<AiMessage>): Observable<AiMessage> =>
    messages.pipe(catchError(() => of<AiMessage>({ type: 'error', content })));
}
