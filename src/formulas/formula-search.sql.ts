import type { ListCondition, RowFilter } from '../access/row-filter';
import { offsetOf } from '../common/pagination';
import { containing, hasTrigram, sought } from '../common/search-pattern';
import type { Statement } from '../database/database.service';
import { orderOf, pageOfFound } from './formula-list.sql';
import type { FormulaListing } from './formula.dto';

/** What a search looks for. */
export interface FormulaSearch {
  /** A formula has one of the words of each list. */
  readonly words: readonly (readonly string[])[];
  /** A formula contains each text. There is one at least where there are no words and no other condition. */
  readonly texts: readonly string[];
  /** A further condition on a formula. Its values tell the planner what is rare, so it is planned each time. */
  readonly condition?: ListCondition;
}

/** A statement with the values of its parameters. */
export type BoundStatement = readonly [statement: Statement, values: readonly unknown[]];

/**
 * For each of some words the known ones that are similar to it, by pg_trgm's own threshold of 0.3. In no
 * language are a thousand words so similar: that bounds what stored gibberish can do to a search.
 *
 * Where some formulas are hidden, only words of the others count: the rest would find nothing, but crowd out
 * those that do.
 */
export function knownWordsStatement(filter: RowFilter, words: readonly string[]): BoundStatement {
  const readable = filter.for('formula', 'f', 2);
  const isReadable = `EXISTS (SELECT FROM formula_words w JOIN formulas f ON f.id = w.formula_id
                              WHERE w.words @> ARRAY[word] AND ${readable.sql})`;
  const text = `
    SELECT ARRAY(SELECT DISTINCT word FROM (
             SELECT word FROM search_words
             WHERE word % sought ${filter.restricts('formula') ? `AND ${isReadable}` : ''}
             ORDER BY similarity(word, sought) DESC, word LIMIT 1000) similar_words) AS known
    FROM unnest($1::text[]) WITH ORDINALITY AS searched (sought, number) ORDER BY number`;
  return [
    { name: filter.named('formulas.known-words'), text },
    filter.restricts('formula') ? [words, ...readable.values] : [words],
  ];
}

/**
 * Conditions that are always true. Long search keys and lists of words lie out of line, which PostgreSQL does
 * not count: it would read them all rather than use the index (0.9 s against 6 ms among 20 000).
 */
const USE_KEY_INDEX = '(f.current_version > 0 OR reads_out_of_line())';
const USE_WORD_INDEX = `(w.formula_id > '00000000-0000-0000-0000-000000000000' OR reads_out_of_line())`;

/** Searches with more conditions are planned each time: they have too many forms to prepare each of them. */
const MOST_PREPARED = 2;

/**
 * One page of the formulas that a search finds. Where one plan serves all values they stand in subqueries: a
 * pattern is then made once and not for each row. Which of words and an indexed text are rarer only the
 * values tell.
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
    (text) => `f.search_key LIKE ${once(`search_key(${bind(containing(text))})`)}`,
  );
  if (indexed.length > 0) conditions.push(USE_KEY_INDEX);
  if (scanned.length > 0) {
    const patterns = `SELECT search_key(pattern) FROM unnest(${bind(scanned.map(containing))}::text[]) pattern`;
    // The concatenation keeps the index out of it; its result is computed once for all patterns.
    conditions.push(`f.search_key || '' LIKE ALL (ARRAY(${patterns}))`);
  }
  if (words.length > 0) {
    const having = `SELECT w.formula_id FROM formula_words w WHERE ${hasWords}`;
    // As an array they are looked up by their ids: a plan for all values would read all formulas for a join.
    conditions.push(isPrepared ? `f.id = ANY (ARRAY(${having}))` : `f.id IN (${having})`);
  }
  const readable = filter.for('formula', 'f', values.length + 1);
  const wanted = condition?.('f', values.length + 1 + readable.values.length);
  if (wanted) conditions.push(wanted.sql);
  // Both times stand beside the words: what is found by words alone is sorted without reading the formulas.
  const isByWords = texts.length === 0 && column !== 'name' && !condition && !filter.restricts('formula');
  const found = isByWords
    ? `SELECT w.formula_id AS id, w.${column} FROM formula_words w WHERE ${hasWords}`
    : `SELECT f.id, f.${column} FROM formulas f WHERE ${[...conditions, readable.sql].join(' AND ')}`;
  if (!isByWords) values.push(...readable.values, ...(wanted?.values ?? []));
  const readableProject = filter.for('project', 'p', values.length + 1);

  const form = `${isByWords ? 'words.' : ''}${words.length}-${indexed.length}-${scanned.length > 0}`;
  const name = `formulas.search.${listing.sortBy}.${listing.sortOrder}.${form}`;
  return [
    {
      name: isPrepared ? filter.named(name) : undefined,
      text: pageOfFound(found, listing, readableProject),
    },
    [...values, ...readableProject.values],
  ];
}

/** A search taken apart into words, for forgiving typing errors. */
export interface SearchWords {
  /**
   * Looked for as they are: words with digits (a code, a percentage), with `%`, `_` or `\` (similarity does
   * not see them), and short ones, where another letter is another word.
   */
  literal: string[];
  /** Looked for by similarity. */
  fuzzy: string[];
}

/** Typing errors are forgiven in searches of at most so many different words. */
const MOST_SEARCH_WORDS = 16;

/** Fewest letters of a word in which a typing error is forgiven. */
const SHORTEST_FUZZY = 4;

/** The different words of a text; none where they are too many to forgive typing errors in. */
export function searchWords(text: string): SearchWords {
  const words = [...new Set(sought(text).split(/\s+/).filter(Boolean))];
  if (words.length > MOST_SEARCH_WORDS) return { literal: [], fuzzy: [] };
  const isFuzzy = (word: string) =>
    (word.match(/\p{L}/gu)?.length ?? 0) >= SHORTEST_FUZZY && !/[\p{N}%_\\]/u.test(word);
  return { literal: words.filter((word) => !isFuzzy(word)), fuzzy: words.filter(isFuzzy) };
}
