import { QueryIntegerField } from '../validation/query-fields';

/** `page` and `limit` of a list. */
export class PageQuery {
  // Keeps `(page - 1) × limit` within the range of PostgreSQL's OFFSET.
  @QueryIntegerField({ default: 1, min: 1, max: 2 ** 31 - 1, description: 'Page, counted from 1' })
  page: number = 1;

  @QueryIntegerField({ default: 20, min: 1, max: 100, description: 'Records per page' })
  limit: number = 20;
}

export const offsetOf = ({ page, limit }: PageQuery): number => (page - 1) * limit;
