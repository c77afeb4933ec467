import { phraseKeywords, type SearchFilters, type SearchUnderstanding } from './search-keywords';

/** Returns the model's keywords and filters, or those of the phrase if the model returned neither. */
export function searchTerms(
  phrase: string,
  { keywords, filters }: SearchUnderstanding,
): { keywords: string[]; filters: SearchFilters } {
  const distinct = [...new Map(keywords.map((keyword) => [keyword.toLowerCase(), keyword])).values()];
  if (distinct.length === 0 && !hasFilters(filters)) return { keywords: phraseKeywords(phrase), filters: {} };
  return { keywords: distinct, filters: filters ?? {} };
}

/** Returns true if the keywords are those of the phrase, so no model has interpreted it. */
export function isPhraseItself(phrase: string, keywords: readonly string[], filters: SearchFilters): boolean {
  const own = phraseKeywords(phrase);
  return (
    !hasFilters(filters) && own.length === keywords.length && own.every((word, at) => word === keywords[at])
  );
}

function hasFilters(filters: SearchFilters | null | undefined): boolean {
  return Object.values(filters ?? {}).some((value) =>
    Array.isArray(value) ? value.length > 0 : Boolean(value),
  );
}
