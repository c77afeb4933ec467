import { sought } from '../common/search-pattern';

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
