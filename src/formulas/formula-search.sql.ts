import { containing, hasTrigram } from '../common/search-pattern';
import { type Statement } from '../database/database';
import { readable } from '../database/readable';

/** What searches formulas shares connections with its like. */
export const FORMULA_SEARCHES = 'formulas/searched';

/** Which formulas a search finds. */
export interface FormulaSearch {
  /** The same for conditions of the same text, which is then worth preparing; absent where it is rare. */
  readonly form?: string;
  /** SQL on `formulas`, with parameters from `$1` on. */
  readonly condition: string;
  /** The same on `formula_words` alone, where words are all that is asked for. */
  readonly ofWords?: string;
  /** The text that is looked up in the index, where it is all that is asked for. */
  readonly text?: string;
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
 * The same where some formulas may not be read: words that stand in one that may. Others would find nothing,
 * but crowd out those that do.
 */
export const READABLE_KNOWN_WORDS: Statement = {
  name: 'formulas.readable-known-words',
  group: FORMULA_SEARCHES,
  text: `SELECT ARRAY(SELECT DISTINCT word FROM (
                  SELECT word FROM search_words WHERE word % sought AND EXISTS (
                    SELECT FROM formula_words w JOIN formulas f ON f.id = w.formula_id
                    WHERE w.words @> ARRAY[word] AND ${readable.formula('f')})
                  ORDER BY similarity(word, sought) DESC, word LIMIT 1000) near) AS known
         FROM unnest($1::text[]) WITH ORDINALITY AS asked (sought, number) ORDER BY number`,
};

/**
 * Conditions that are always true. Long search keys and lists of words lie out of line, which PostgreSQL does
 * not count: it would read them all rather than use the index (0.9 s against 6 ms among 20 000).
 */
export const USE_KEY_INDEX = '(current_version > 0 OR reads_out_of_line())';
const USE_WORD_INDEX = `(formula_id > '00000000-0000-0000-0000-000000000000' OR reads_out_of_line())`;

/** Searches of more words are planned each time they are asked: there are too many forms of them. */
const MOST_PREPARED = 2;

/**
 * Formulas that have one of the words of each of `known`, and contain each of `texts`. Where one plan serves
 * all values they stand in subqueries: patterns are made once and not for each row. Which of words and an
 * indexed text are rarer only the values tell.
 * @param texts at least one where `known` is empty
 */
export function searchFor(known: readonly (readonly string[])[], texts: readonly string[]): FormulaSearch {
  const indexed = texts.filter(hasTrigram);
  const scanned = texts.filter((text) => !hasTrigram(text));
  const isPrepared =
    (known.length === 0 || indexed.length === 0) && known.length + indexed.length <= MOST_PREPARED;
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const once = (value: string): string => (isPrepared ? `(SELECT ${value})` : value);
  const conditions: string[] = [];
  let ofWords: string | undefined;
  if (known.length > 0) {
    const having = known.map((words) => `words && ${once(`${bind(words)}::text[]`)}`).join(' AND ');
    ofWords = `${having} AND ${USE_WORD_INDEX}`;
    const found = `SELECT formula_id FROM formula_words WHERE ${ofWords}`;
    // As an array they are looked up by their ids: a plan for all values would read all formulas for a join.
    conditions.push(isPrepared ? `id = ANY (ARRAY(${found}))` : `id IN (${found})`);
  }
  for (const text of indexed)
    conditions.push(`search_key LIKE ${once(`search_key(${bind(containing(text))})`)}`);
  if (indexed.length > 0) conditions.push(USE_KEY_INDEX);
  if (scanned.length > 0) {
    const patterns = `SELECT search_key(p) FROM unnest(${bind(scanned.map(containing))}::text[]) p`;
    // An expression is computed once for all patterns: the key is fetched and unpacked once.
    conditions.push(`search_key || '' LIKE ALL (ARRAY(${patterns}))`);
  }
  const form = `${known.length}-${indexed.length}-${scanned.length > 0}`;
  return {
    form: isPrepared ? form : undefined,
    condition: conditions.join(' AND '),
    ofWords: texts.length === 0 ? ofWords : undefined,
    text: known.length === 0 && texts.length === 1 ? indexed[0] : undefined,
    values,
  };
}
