import type { Response } from 'express';

/** Response header that says how many lines of a formula were left out because they are too many. */
const UNREAD_LINES_HEADER = 'X-Unread-Lines';

/** Says how many lines were left out, if any, while there still is a header to say it in. */
export function tellUnreadLines(response: Response, unread: number): void {
  if (unread > 0 && !response.headersSent) response.setHeader(UNREAD_LINES_HEADER, unread);
}
