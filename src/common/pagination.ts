import { QueryIntegerField } from './validation/query-fields';

/** Largest `page`: keeps `(page - 1) × limit` within what PostgreSQL's OFFSET takes. */
const MAX_PAGE = 2 ** 31 - 1;

/** Records of the longest page. */
const MAX_LIMIT = 100;

/** `page` and `limit` of a list. */
export class PageQuery {
  @QueryIntegerField({ default: 1, min: 1, max: MAX_PAGE, description: 'Page, counted from 1' })
  page: number = 1;

  @QueryIntegerField({ default: 20, min: 1, max: MAX_LIMIT, description: 'Records per page' })
  limit: number = 20;
}

export const offsetOf = ({ page, limit }: PageQuery): number => (page - 1) * limit;
