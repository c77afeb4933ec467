import type { IncomingMessage } from 'node:http';

/**
 * The token of a request's `Authorization` header, for the rate limit and the guard alike.
 *
 * passport-jwt's own extractor takes time that grows with the square of a header without a space: a tenth of
 * a second for 16 KB, for anybody.
 */
export function bearerToken({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  return /^bearer\s+(\S+)/i.exec(headers.authorization ?? '')?.[1] ?? null;
}
