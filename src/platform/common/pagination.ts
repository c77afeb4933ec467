import { QueryIntegerField } from '../validation/query-fields';

/** Largest `page`. Keeps `(page - 1) × limit` within the range of PostgreSQL's OFFSET. */
const MAX_PAGE = 2 ** 31 - 1;

/** Most records on a page. */
const MAX_LIMIT = 100;

/** `page` and `limit` of a list. */
export class PageQuery {
  @QueryIntegerField({ default: 1, min: 1, max: MAX_PAGE, description: 'Page, counted from 1' })
  page: number = 1;

  @QueryIntegerField({ default: 20, min: 1, max: MAX_LIMIT, description: 'Records per page' })
  limit: number = 20;
}

export const offsetOf = ({ page, limit }: PageQuery): number => (page - 1) * limit;
