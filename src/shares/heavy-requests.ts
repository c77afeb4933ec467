import type { Request } from 'express';
import type { PageQuery } from '../common/pagination';
import type { HeavyKind } from './heavy-turn';

/** A list's first pages are short work. */
const FIRST_PAGES = 10;

/** Records of a page as it is where nobody asks for another size. */
const USUAL_PAGE = 20;

/**
 * What kind of heavy work a list is: a search where it is searched or read beyond its first pages; where its
 * page is long the catalogue's is one, too, and another's is reading; none else.
 */
export function heavyKindOfList(
  { search, page, limit }: PageQuery & { search?: string },
  searching: 'search' | 'catalogue',
): HeavyKind | undefined {
  if (search || page > FIRST_PAGES) return searching;
  if (limit <= USUAL_PAGE) return undefined;
  // It goes on while a lock on `formulas` keeps all turns of reading.
  return searching === 'catalogue' ? 'catalogue' : 'reading';
}

/** A composition of about a hundred lines, in bytes. */
const SMALL_BODY = 8 * 1024;

/** More than a small body, or one whose size is not told. */
export const hasLargeBody = ({ headers }: Pick<Request, 'headers'>): boolean =>
  !(Number(headers['content-length']) <= SMALL_BODY);
