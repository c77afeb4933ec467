import type { Response } from 'express';
import type { ExtractedFormula } from '../capabilities/extract-formula/formula-extraction';

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
