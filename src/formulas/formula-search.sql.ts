import { containing, hasTrigram } from '../common/search-pattern';
import { type Statement } from '../database/database';

/** What searches formulas shares connections with its like. */
export const FORMULA_SEARCHES = 'formulas/searched';

/** Which formulas a search finds. */
export interface FormulaSearch {
  /** The same for conditions of the same text, which is then worth preparing; absent where it is rare. */
  readonly form?: string;
  /** SQL that gives rows of `formulas`. */
  readonly from: string;
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

/**
 * Conditions that are always true. Long search keys and lists of words lie out of line, which PostgreSQL does
 * not count: it would read them all rather than use the index (0.9 s against 6 ms among 20 000).
 */
const USE_KEY_INDEX = '(current_version > 0 OR reads_out_of_line())';
const USE_WORD_INDEX = `(formula_id > '00000000-0000-0000-0000-000000000000' OR reads_out_of_line())`;

/**
 * The formulas of words found before, one by one: PostgreSQL, which cannot know how many they are when it
 * plans for all values, would read all formulas (27 ms for 175 among 100 000, instead of 2). OFFSET keeps it
 * from that.
 */
const BY_WORDS = `formula_words
  CROSS JOIN LATERAL (SELECT * FROM formulas one WHERE one.id = formula_id OFFSET 0) formulas`;

/** Searches of more words are planned each time they are asked: there are too many forms of them. */
const MOST_PREPARED = 2;

/**
 * Formulas that have one of the words of each of `known`, and contain each of `texts`. Values stand in
 * subqueries: patterns are made once and not for each row, and one plan serves all values.
 * @param texts at least one where `known` is empty
 */
export function searchFor(known: readonly (readonly string[])[], texts: readonly string[]): FormulaSearch {
  const indexed = texts.filter(hasTrigram);
  const scanned = texts.filter((text) => !hasTrigram(text));
  const byWords = known.length > 0 && indexed.length === 0;
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions: string[] = [];
  if (known.length > 0) {
    const having = known.map((words) => `words && (SELECT ${bind(words)}::text[])`).join(' AND ');
    const hasWords = `${having} AND ${USE_WORD_INDEX}`;
    // The texts may be rarer than the words, where an index finds them.
    conditions.push(byWords ? hasWords : `id IN (SELECT formula_id FROM formula_words WHERE ${hasWords})`);
  }
  for (const text of indexed)
    conditions.push(`search_key LIKE (SELECT search_key(${bind(containing(text))}))`);
  if (indexed.length > 0) conditions.push(USE_KEY_INDEX);
  if (scanned.length > 0) {
    const patterns = `SELECT search_key(p) FROM unnest(${bind(scanned.map(containing))}::text[]) p`;
    // An expression is computed once for all patterns: the key is fetched and unpacked once.
    conditions.push(`search_key || '' LIKE ALL (ARRAY(${patterns}))`);
  }
  const form = `${known.length}-${indexed.length}-${scanned.length > 0}`;
  return {
    form: known.length + indexed.length > MOST_PREPARED ? undefined : form,
    from: byWords ? BY_WORDS : 'formulas',
    condition: conditions.join(' AND '),
    values,
  };
}
