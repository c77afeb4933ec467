import type { Response } from 'express';
import type { UnreadLines } from '../capabilities/extract-formula/formula-extraction';

/** Response header that says what of a text was not read: how many lines, and which. */
const UNREAD_LINES_HEADER = 'X-Unread-Lines';

/** So many line numbers are named: a header has to stay short. The count is always that of all. */
const MOST_NUMBERS = 200;

/** Says what was not read, if anything, while there still is a header to say it in: `2; 3,7`. */
export function tellUnreadLines(response: Response, { count, textLines }: UnreadLines): void {
  if (count === 0 || response.headersSent) return;
  const numbers = textLines.slice(0, MOST_NUMBERS).join(',');
  response.setHeader(UNREAD_LINES_HEADER, numbers === '' ? String(count) : `${count}; ${numbers}`);
}
