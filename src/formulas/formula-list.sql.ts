import type { BoundStatement, ListCondition, Readable, RowFilter } from '../platform/access/row-filter';
import type { FormulaListing } from './formula.dto';
import { projectOfFormula } from './formula.sql';
import { offsetOf } from '../platform/common/pagination';
import { hasTrigram, literal, sought } from '../platform/common/search-pattern';

const SORT_COLUMNS = { updatedAt: 'updated_at', createdAt: 'created_at', name: 'name' } as const;

/** Returns the column of the order, and the directions along its index and against it. */
function orderOf({ sortBy, sortOrder }: FormulaListing) {
  const [direction, reverse] = sortOrder === 'asc' ? (['ASC', 'DESC'] as const) : (['DESC', 'ASC'] as const);
  return { column: SORT_COLUMNS[sortBy], direction, reverse };
}

/**
 * Returns the columns of a list for the formulas in `page`, a FROM item with their ids. With a plain join, the
 * planner may select the ids again for each formula if statistics show an empty table, as after an import.
 */
const shownOf = (page: string, listing: FormulaListing, readable: Readable): string => {
  const { column, direction } = orderOf(listing);
  return `array_to_json(ARRAY(SELECT row_to_json(shown) FROM (
      SELECT f.id, f.name, f.description, f.current_version AS "currentVersion", f.created_by AS "createdBy",
        iso_time(f.created_at) AS "createdAt",
        iso_time(f.updated_at) AS "updatedAt",
        ${projectOfFormula(readable)} AS project
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
export function listFormulas(listing: FormulaListing, isFiltered: boolean, readable: Readable): string {
  const { column, direction, reverse } = orderOf(listing);
  const isReadable = readable('formula', 'f');
  const page = `
    SELECT id FROM (
      (SELECT f.id FROM formulas f WHERE ${isReadable} ORDER BY f.${column} ${direction}, f.id ${direction}
       LIMIT (SELECT CASE WHEN 2 * $2::bigint <= total THEN $1::bigint ELSE 0 END FROM counted)
       OFFSET (SELECT $2::bigint))
      UNION ALL
      (SELECT f.id FROM formulas f WHERE ${isReadable} ORDER BY f.${column} ${reverse}, f.id ${reverse}
       LIMIT (SELECT CASE WHEN 2 * $2::bigint <= total THEN 0
                          ELSE greatest(least($1::bigint, total - $2::bigint), 0) END FROM counted)
       OFFSET (SELECT greatest(total - $2::bigint - $1::bigint, 0) FROM counted))
    ) nearer LIMIT 100`;
  return `
    WITH counted AS MATERIALIZED (
      SELECT (${isFiltered ? `SELECT count(*) FROM formulas f WHERE ${isReadable}` : MATERIALIZED_COUNT}) AS total)
    SELECT ${shownOf(page, listing, readable)} AS data, total FROM counted`;
}

/**
 * A page of the formulas that a search finds: `data` and `total`. The search runs once for both. Limit
 * and offset are subqueries, because PostgreSQL would otherwise plan each search again for their values.
 *
 * $1: limit; $2: offset
 * @param found SELECT of `id` and the column of the order
 */
function pageOfFound(found: string, listing: FormulaListing, readable: Readable): string {
  const { column, direction } = orderOf(listing);
  const page = `
    SELECT id FROM (
      SELECT id FROM found ORDER BY ${column} ${direction}, id ${direction}
      LIMIT (SELECT $1::bigint) OFFSET (SELECT $2::bigint)) sorted LIMIT 100`;
  return `
    WITH found AS MATERIALIZED (${found})
    SELECT ${shownOf(page, listing, readable)} AS data, (SELECT count(*) FROM found) AS total`;
}

/**
 * Formulas that contain an ingredient, by name. $1: the ingredient; $2: limit; $3: offset; $4: true for the latest
 * version only; from $5 on parameters of the condition.
 */
export const listUsage = (readable: Readable): string => `
  WITH used AS MATERIALIZED (
    SELECT v.formula_id, v.version_number, sum(line.percentage) AS share
    FROM formula_ingredients line JOIN formula_versions v ON v.id = line.formula_version_id
    WHERE line.ingredient_id = $1 GROUP BY v.formula_id, v.version_number
  ),
  found AS MATERIALIZED (
    SELECT f.id, f.name, f.current_version AS "currentVersion",
      max(used.share) FILTER (WHERE used.version_number = f.current_version) AS share,
      count(*) AS "versionCount", min(used.version_number) AS "firstVersion",
      max(used.version_number) AS "lastVersion", min(used.share) AS "minShare", max(used.share) AS "maxShare"
    FROM used JOIN formulas f ON f.id = used.formula_id AND ${readable('formula', 'f')}
    WHERE NOT $4::boolean OR used.version_number = f.current_version
    GROUP BY f.id
  )
  SELECT array_to_json(ARRAY(
    SELECT row_to_json(page) FROM (SELECT * FROM found ORDER BY name, id LIMIT $2 OFFSET $3) page)) AS rows,
    (SELECT count(*) FROM found) AS total`;

/** $1: the formula's id; $2: limit; $3: offset. Returns no row if there is no such formula. */
export const listVersions = (readable: Readable): string => `
  SELECT (SELECT count(*) FROM formula_versions v WHERE v.formula_id = f.id) AS total, array_to_json(ARRAY(
    SELECT row_to_json(shown) FROM (
      SELECT v.version_number AS "versionNumber", v.description,
        iso_time(v.created_at) AS "createdAt",
        (SELECT row_to_json(author) FROM (
           SELECT u.id, u.username FROM users u WHERE u.id = v.created_by) author) AS "createdBy",
        (SELECT count(*) FROM formula_phases phase WHERE phase.formula_version_id = v.id) AS "phaseCount",
        lines."lineCount", lines.total
      FROM (
        SELECT * FROM formula_versions WHERE formula_id = f.id ORDER BY version_number DESC LIMIT $2 OFFSET $3
      ) v CROSS JOIN LATERAL (
        SELECT count(*) AS "lineCount", coalesce(sum(line.percentage), 0) AS total
        FROM formula_ingredients line WHERE line.formula_version_id = v.id
      ) lines
      ORDER BY v.version_number DESC
    ) shown)) AS rows
  FROM formulas f WHERE f.id = $1 AND ${readable('formula', 'f')}`;

export interface FormulaSearch {
  /** A formula must contain one of the words of each list. */
  readonly words: readonly (readonly string[])[];
  /** A formula must contain each text. There is at least one text if there are no words and no other condition. */
  readonly texts: readonly string[];
  /** A further condition on a formula. The statement is planned each time, because the planner needs its values. */
  readonly condition?: ListCondition;
}

/**
 * Returns, for each word, the known words that are similar to it, by pg_trgm's own threshold of 0.3.
 * No language has a thousand words that are so similar: the limit bounds the cost of stored gibberish.
 *
 * If some formulas are hidden, only words of readable formulas count: other words would find nothing,
 * but would displace words that do.
 */
export const knownWordsStatement = (filter: RowFilter, words: readonly string[]): BoundStatement =>
  filter.statement('formulas.known-words', [words], (readable) => {
    const isReadable = () => `EXISTS (SELECT FROM formula_words w JOIN formulas f ON f.id = w.formula_id
                                      WHERE w.words @> ARRAY[word] AND ${readable('formula', 'f')})`;
    return `
      SELECT ARRAY(SELECT DISTINCT word FROM (
               SELECT word FROM search_words
               WHERE word % sought ${filter.restricts('formula') ? `AND ${isReadable()}` : ''}
               ORDER BY similarity(word, sought) DESC, word LIMIT 1000) similar_words) AS known
      FROM unnest($1::text[]) WITH ORDINALITY AS searched (sought, number) ORDER BY number`;
  });

/**
 * Conditions that are always true. Long search keys and lists of words are stored out of line, which the
 * planner ignores: it would read all of them instead of using the index (0.9 s instead of 6 ms for 20 000).
 */
const USE_KEY_INDEX = '(f.current_version > 0 OR reads_out_of_line())';
const USE_WORD_INDEX = `(w.formula_id > '00000000-0000-0000-0000-000000000000' OR reads_out_of_line())`;

/** Searches with more conditions are planned each time, because they have too many forms to prepare each of them. */
const MOST_PREPARED = 2;

/**
 * A page of the formulas that a search finds. If one plan is good for all values, the values are in
 * subqueries, so that a pattern is computed once and not for each row. Only the values show whether
 * words or an indexed text are rarer.
 */
export function searchStatement(
  filter: RowFilter,
  { words, texts, condition }: FormulaSearch,
  listing: FormulaListing,
): BoundStatement {
  const indexed = texts.filter(hasTrigram);
  const scanned = texts.filter((text) => !hasTrigram(text));
  const isPrepared =
    !condition &&
    (words.length === 0 || indexed.length === 0) &&
    words.length + indexed.length <= MOST_PREPARED;
  const values: unknown[] = [listing.limit, offsetOf(listing)];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const once = (value: string): string => (isPrepared ? `(SELECT ${value})` : value);
  const { column } = orderOf(listing);

  const hasWords = [
    ...words.map((some) => `w.words && ${once(`${bind(some)}::text[]`)}`),
    USE_WORD_INDEX,
  ].join(' AND ');
  const conditions = indexed.map(
    (text) => `f.search_key LIKE ${once(`'%' || search_key(${bind(literal(text))}) || '%'`)}`,
  );
  if (indexed.length > 0) conditions.push(USE_KEY_INDEX);
  if (scanned.length > 0) {
    const patterns = `SELECT '%' || search_key(text) || '%' FROM unnest(${bind(scanned.map(literal))}::text[]) text`;
    // The concatenation excludes the index. Its result is computed once for all patterns.
    conditions.push(`f.search_key || '' LIKE ALL (ARRAY(${patterns}))`);
  }
  if (words.length > 0) {
    const having = `SELECT w.formula_id FROM formula_words w WHERE ${hasWords}`;
    // An array is looked up by ids. With a join, a plan for all values would read all formulas.
    conditions.push(isPrepared ? `f.id = ANY (ARRAY(${having}))` : `f.id IN (${having})`);
  }
  const wanted = condition?.('f', values.length + 1);
  if (wanted) {
    conditions.push(wanted.sql);
    values.push(...wanted.values);
  }
  // `formula_words` also has both dates, so a search by words alone is sorted without reading the formulas.
  const isByWords = texts.length === 0 && column !== 'name' && !condition && !filter.restricts('formula');
  const form = `${isByWords ? 'words.' : ''}${words.length}-${indexed.length}-${scanned.length > 0}`;
  const name = `formulas.search.${listing.sortBy}.${listing.sortOrder}.${form}`;
  return filter.statement(isPrepared ? name : undefined, values, (readable) => {
    const found = isByWords
      ? `SELECT w.formula_id AS id, w.${column} FROM formula_words w WHERE ${hasWords}`
      : `SELECT f.id, f.${column} FROM formulas f WHERE ${[...conditions, readable('formula', 'f')].join(' AND ')}`;
    return pageOfFound(found, listing, readable);
  });
}

/** The words of a search that tolerates typing errors. */
export interface SearchWords {
  /**
   * Words that must match literally: words with digits (a code, a percentage), with `%`, `_` or `\`
   * (which similarity ignores), and short words, in which another letter makes another word.
   */
  literal: string[];
  /** Words that are matched by similarity. */
  fuzzy: string[];
}

/** Maximum number of different words in a search that tolerates typing errors. */
const MOST_SEARCH_WORDS = 16;

/** Minimum number of letters in a word that may have a typing error. */
const SHORTEST_FUZZY = 4;

/** Returns the different words of a text, or no words if there are too many to tolerate typing errors. */
export function searchWords(text: string): SearchWords {
  const words = [...new Set(sought(text).split(/\s+/).filter(Boolean))];
  if (words.length > MOST_SEARCH_WORDS) return { literal: [], fuzzy: [] };
  const isFuzzy = (word: string) =>
    (word.match(/\p{L}/gu)?.length ?? 0) >= SHORTEST_FUZZY && !/[\p{N}%_\\]/u.test(word);
  return { literal: words.filter((word) => !isFuzzy(word)), fuzzy: words.filter(isFuzzy) };
}
