import type { Response } from 'express';
import { type MonoTypeOperatorFunction, tap } from 'rxjs';
import { type AiSource } from '../call/ai-call';

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
