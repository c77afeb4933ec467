import { containing } from '../common/search-pattern';
import { type Statement } from '../database/database';

/** What searches formulas shares connections with its like. */
export const FORMULA_SEARCHES = 'formulas/searched';

/** Which formulas `f` a search finds. */
export interface FormulaSearch {
  /** SQL, with parameters from `$1` on. */
  readonly condition: string;
  readonly values: readonly unknown[];
}

/**
 * $1: words. `%` is similarity at pg_trgm's own threshold, 0.3. In no language are a thousand words so
 * similar: it bounds what stored gibberish can do to a search.
 */
export const KNOWN_WORDS: Statement = {
  name: 'formulas.known-words',
  group: FORMULA_SEARCHES,
  text: `SELECT ARRAY(SELECT DISTINCT word FROM (
                  SELECT word FROM search_words WHERE word % sought
                  ORDER BY similarity(word, sought) DESC, word LIMIT 1000) near) AS known
         FROM unnest($1::text[]) WITH ORDINALITY AS asked (sought, number) ORDER BY number`,
};

/** Texts that have a trigram in a search key, where what is not ASCII stands three times. */
const INDEXED = /[\p{L}\p{N}]{3}|(?!\p{ASCII})[\p{L}\p{N}]/u;

/**
 * Conditions that are always true. Long search keys and lists of words lie out of line, which PostgreSQL does
 * not count: it would read them all rather than use the index (0.9 s against 6 ms among 20 000).
 */
const USE_KEY_INDEX = '(f.current_version > 0 OR reads_out_of_line())';
const USE_WORD_INDEX = `(formula_id > '00000000-0000-0000-0000-000000000000' OR reads_out_of_line())`;

/**
 * Formulas that have one of the words of each of `known`, and contain each of `texts`.
 * @param texts at least one where `known` is empty
 */
export function searchFor(known: readonly (readonly string[])[], texts: readonly string[]): FormulaSearch {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (known.length > 0) {
    const having = known.map((words) => `words && ${bind(words)}::text[]`).join(' AND ');
    conditions.push(`f.id IN (SELECT formula_id FROM formula_words WHERE ${having} AND ${USE_WORD_INDEX})`);
  }
  const indexed = texts.filter((text) => INDEXED.test(text));
  for (const text of indexed) conditions.push(`f.search_key LIKE search_key(${bind(containing(text))})`);
  if (indexed.length > 0) conditions.push(USE_KEY_INDEX);
  const scanned = texts.filter((text) => !INDEXED.test(text)).map(containing);
  if (scanned.length > 0) {
    // An expression is computed once for all patterns: the key is fetched and unpacked once.
    conditions.push(
      `f.search_key || '' LIKE ALL (ARRAY(SELECT search_key(p) FROM unnest(${bind(scanned)}::text[]) p))`,
    );
  }
  return { condition: conditions.join(' AND '), values };
}
