import { offsetOf } from '../common/pagination';
import { DEEP_OFFSET, idsOfPage, keptCount, type Order, orderBy, pageOf } from '../database/counted-pages';
import type { Statement } from '../database/database';
import { countedPage, jsonPage, jsonRows } from '../database/json-columns';
import { readable } from '../database/readable';
import { type CommonTextWay, LOOKS_PER_EXPECTED } from './common-texts';
import { type FormulaListing, type FormulaSort, LISTED_COLUMNS } from './formula.dto';
import { projectOf } from './formula.sql';
import { FORMULA_SEARCHES, type FormulaSearch, USE_KEY_INDEX } from './formula-search.sql';
import { FORMULAS } from './formula-tables';

const MAY_READ = readable.formula('formulas');

/**
 * All formulas, their number kept where all of them may be read. Ids first, so that a deep page reads only
 * its own rows; the rest is joined afterwards.
 */
export function listStatement(listing: FormulaListing, isCounted: boolean): Statement {
  const order = orderOf(listing);
  const page = { where: `WHERE ${MAY_READ}`, limit: '$1::bigint', offset: '$2::bigint' };
  const isDeep = offsetOf(listing) > DEEP_OFFSET;
  const ids = idsOfPage({ ...page, from: 'formulas', order });
  const total = isCounted ? `SELECT count(*) FROM formulas ${page.where}` : keptCount('formulas');
  const kind = isCounted ? 'counted.' : '';
  return {
    name: `formulas.list.${kind}${listing.sortBy}.${listing.sortOrder}`,
    mayPipeline: !isCounted && !isDeep,
    text: countedPage(listed(ids, order), total),
  };
}

/** What stands beside the words of a formula, so that those found by them are sorted where they are found. */
const BESIDE_WORDS: readonly FormulaSort[] = ['updatedAt', 'createdAt'];

/** Fewest formulas that contain a common text. */
const COMMON_FROM = 500;

/**
 * The formulas that are found, once for their count and their page; with `records`, how many formulas there
 * are, where one text found many.
 * @param areAllRead whether all formulas may be read
 */
export function searchStatement(
  search: FormulaSearch,
  listing: FormulaListing,
  areAllRead: boolean,
): Statement {
  const { form, condition, ofWords, values } = search;
  const order = orderOf(listing);
  const key = FORMULAS.column(listing.sortBy);
  const isByWords = ofWords !== undefined && areAllRead && BESIDE_WORDS.includes(listing.sortBy);
  const found = isByWords
    ? `SELECT formula_id AS id, ${key} FROM formula_words WHERE ${ofWords}`
    : `SELECT id, ${key} FROM formulas WHERE ${condition} AND ${MAY_READ}`;
  const ids = pageOf('id', order, values.length + 1);
  const isOneText = search.text !== undefined && areAllRead;
  const kind = isByWords ? 'words.' : isOneText ? 'text.' : '';
  return {
    name: form && `formulas.search.${kind}${listing.sortBy}.${listing.sortOrder}.${form}`,
    group: FORMULA_SEARCHES,
    text: isOneText
      ? `WITH found AS MATERIALIZED (${found}),
              counted AS MATERIALIZED (SELECT count(*) AS total FROM found)
         SELECT ${jsonRows(listed(ids, order))} AS data, total,
                CASE WHEN total >= ${COMMON_FROM} THEN (${keptCount('formulas')}) END AS records
         FROM counted`
      : `WITH found AS MATERIALIZED (${found})
         ${jsonPage(listed(ids, order), 'SELECT count(*) FROM found')}`,
  };
}

const CONTAINS = 'search_key LIKE (SELECT search_key($1))';

const COUNTED_BY: Record<CommonTextWay, string> = {
  index: `${CONTAINS} AND ${USE_KEY_INDEX}`,
  // The index has the column's own collation.
  texts: `search_key COLLATE "C" LIKE (SELECT search_key($1))`,
};

/**
 * The first formulas that contain a text which many contain, without keeping and sorting all of those: they
 * are counted, and the page is looked for among the first formulas of all: so many that it is there, unless
 * the text stands in the last ones. `isWhole` is false where it is not.
 * $1: a pattern; $2: limit; $3: offset
 */
export function commonTextStatement(way: CommonTextWay, listing: FormulaListing): Statement {
  const order = orderOf(listing);
  const key = FORMULAS.column(listing.sortBy);
  const wanted = '(SELECT $2::bigint + $3::bigint)';
  return {
    name: `formulas.search.common.${way}.${listing.sortBy}.${listing.sortOrder}`,
    group: FORMULA_SEARCHES,
    text: `
      WITH counted AS MATERIALIZED (
        SELECT (SELECT count(*) FROM formulas WHERE ${COUNTED_BY[way]} AND ${MAY_READ}) AS total,
               (${keptCount('formulas')}) AS records),
      found AS MATERIALIZED (
        SELECT id, ${key} FROM (
          SELECT id, ${key}, search_key FROM formulas WHERE ${MAY_READ} ${orderBy(order)}
          LIMIT (SELECT ${LOOKS_PER_EXPECTED} * ${wanted} * records / greatest(total, 1) FROM counted)) first
        WHERE ${CONTAINS} LIMIT ${wanted})
      SELECT ${jsonRows(listed(pageOf('id', order, 2), order))} AS data, total, records,
             (SELECT count(*) FROM found) >= least(${wanted}, total) AS "isWhole"
      FROM counted`,
  };
}

/**
 * A join the planner may turn round would choose the ids again for each formula, where it takes the table
 * for empty: statistics of one that was emptied, before an import.
 */
const listed = (ids: string, order: Order): string => `
  SELECT ${FORMULAS.shown(LISTED_COLUMNS, 'f')}, ${projectOf('f')}
  FROM (${ids}) chosen CROSS JOIN LATERAL (SELECT * FROM formulas WHERE id = chosen.id LIMIT 1) f
  ${orderBy(order.map(([column, direction]) => [`f.${column}`, direction]))}`;

const directionOf = ({ sortOrder }: FormulaListing) => (sortOrder === 'asc' ? 'ASC' : 'DESC');

function orderOf(listing: FormulaListing): Order {
  const direction = directionOf(listing);
  return [
    [FORMULAS.column(listing.sortBy), direction],
    ['id', direction],
  ];
}
