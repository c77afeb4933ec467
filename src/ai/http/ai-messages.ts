import { catchError, concat, map, type Observable, of } from 'rxjs';
import { streamOpened, type StreamOpened } from '../../platform/sse/stream-opened';
import type { Message } from '../../platform/texts/define-texts';
import { render, text } from '../../platform/texts/text';
import { type AiSource } from '../pipeline/ai-call';
import { type AiPart, type AiResult } from '../pipeline/ai.service';
import { type ExploreOption } from '../capabilities/explore-formula/explore-formula';

/** The messages of the AI streams, as the API contract defines them. */
export type AiMessage =
  | { readonly type: 'result'; readonly content: string }
  | { readonly type: 'option'; readonly option: ExploreOption }
  | { readonly type: 'done' }
  | { readonly type: 'error'; readonly content: string };

/** Return type of the handlers that send these messages. */
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
