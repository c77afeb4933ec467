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

/** Fewest letters of a word in which a typing error is forgiven. */
const SHORTEST_FUZZY = 4;

export function searchWords(text: string): SearchWords {
  const words = text.split(/\s+/).filter(Boolean);
  const isFuzzy = (word: string) =>
    (word.match(/\p{L}/gu)?.length ?? 0) >= SHORTEST_FUZZY && !/[\p{N}%_\\]/u.test(word);
  return { literal: words.filter((word) => !isFuzzy(word)), fuzzy: words.filter(isFuzzy) };
}
