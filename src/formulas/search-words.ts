/** A search taken apart into words, for forgiving typing errors. */
export interface SearchWords {
  /** Looked for as they are: words with digits (a code, a percentage) and short ones, where one letter is another word. */
  literal: string[];
  /** Looked for by similarity. */
  fuzzy: string[];
}

const SHORTEST_FUZZY = 4;

export function searchWords(text: string): SearchWords {
  const words = text.split(/\s+/).filter(Boolean);
  const isFuzzy = (word: string) => Array.from(word).length >= SHORTEST_FUZZY && !/\p{N}/u.test(word);
  return { literal: words.filter((word) => !isFuzzy(word)), fuzzy: words.filter(isFuzzy) };
}
