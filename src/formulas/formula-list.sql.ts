import type { RowCondition } from '../platform/access/row-filter';
import type { FormulaListing } from './formula.dto';
import { projectOfFormula } from './formula.sql';

const COLUMNS = { updatedAt: 'updated_at', createdAt: 'created_at', name: 'name' } as const;

/** Returns the column of the order, and the directions along its index and against it. */
export function orderOf({ sortBy, sortOrder }: FormulaListing) {
  const [direction, reverse] = sortOrder === 'asc' ? (['ASC', 'DESC'] as const) : (['DESC', 'ASC'] as const);
  return { column: COLUMNS[sortBy], direction, reverse };
}

/**
 * Returns the columns of a list for the formulas in `page`, a FROM item with their ids. With a plain join, the
 * planner may select the ids again for each formula if statistics show an empty table, as after an import.
 */
const shownOf = (page: string, listing: FormulaListing, readableProject: RowCondition): string => {
  const { column, direction } = orderOf(listing);
  return `array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
      SELECT f.id, f.name, f.description, f.current_version AS "currentVersion", f.created_by AS "createdBy",
        iso_time(f.created_at) AS "createdAt",
        iso_time(f.updated_at) AS "updatedAt",
        ${projectOfFormula(readableProject)} AS project
      FROM (${page}) page CROSS JOIN LATERAL (SELECT * FROM formulas WHERE id = page.id LIMIT 1) f
      ORDER BY f.${column} ${direction}, f.id ${direction}) shown))::text`;
};

/** The number of all formulas, from the totals that triggers maintain. */
const MATERIALIZED_COUNT = `SELECT coalesce(sum(delta), 0)::bigint FROM record_counts WHERE list = 'formulas'`;

/**
 * A page of all formulas: `data` and `total`. The index is read from the end of the list that is nearer to the
 * page, so the first and the last page cost the same. The limit of 100 tells the planner that there are few ids.
 *
 * $1: limit; $2: offset
 * @param isFiltered true if some formulas may be hidden, so that the readable ones are counted
 */
export function listFormulas(
  listing: FormulaListing,
  isFiltered: boolean,
  readable: RowCondition,
  readableProject: RowCondition,
): string {
  const { column, direction, reverse } = orderOf(listing);
  const page = `
    SELECT id FROM (
      (SELECT f.id FROM formulas f WHERE ${readable.sql} ORDER BY f.${column} ${direction}, f.id ${direction}
       LIMIT (SELECT CASE WHEN 2 * $2::bigint <= total THEN $1::bigint ELSE 0 END FROM counted)
       OFFSET (SELECT $2::bigint))
      UNION ALL
      (SELECT f.id FROM formulas f WHERE ${readable.sql} ORDER BY f.${column} ${reverse}, f.id ${reverse}
       LIMIT (SELECT CASE WHEN 2 * $2::bigint <= total THEN 0
                          ELSE greatest(least($1::bigint, total - $2::bigint), 0) END FROM counted)
       OFFSET (SELECT greatest(total - $2::bigint - $1::bigint, 0) FROM counted))
    ) nearer LIMIT 100`;
  return `
    WITH counted AS MATERIALIZED (
      SELECT (${isFiltered ? `SELECT count(*) FROM formulas f WHERE ${readable.sql}` : MATERIALIZED_COUNT}) AS total)
    SELECT ${shownOf(page, listing, readableProject)} AS data, total FROM counted`;
}

/**
 * A page of the formulas that a search finds: `data` and `total`. The search runs once for both. Limit
 * and offset are subqueries, because PostgreSQL would otherwise plan each search again for their values.
 *
 * $1: limit; $2: offset
 * @param found SELECT of `id` and the column of the order
 */
export function pageOfFound(found: string, listing: FormulaListing, readableProject: RowCondition): string {
  const { column, direction } = orderOf(listing);
  const page = `
    SELECT id FROM (
      SELECT id FROM found ORDER BY ${column} ${direction}, id ${direction}
      LIMIT (SELECT $1::bigint) OFFSET (SELECT $2::bigint)) sorted LIMIT 100`;
  return `
    WITH found AS MATERIALIZED (${found})
    SELECT ${shownOf(page, listing, readableProject)} AS data, (SELECT count(*) FROM found) AS total`;
}
