import { z } from 'zod';
import { FUNCTION_CATEGORIES } from '../../../ingredients/function-category';
import { type Capability, COMMON_RULES, dataBlock } from '../../pipeline/capability';

export interface SearchInput {
  readonly phrase: string;
}

const MAX_KEYWORDS = 12;
const MAX_KEYWORD = 100;
const MAX_NAMES = 10;

const term = z.string().trim().min(1).max(MAX_KEYWORD);

const filtersSchema = z.object({
  category: z
    .enum(FUNCTION_CATEGORIES)
    .nullish()
    .describe('the formula must hold an ingredient of this function'),
  project: term.nullish().describe('name of the project the formula belongs to'),
  name: term.nullish().describe('text that the name of the formula must hold'),
  contains: z.array(term).max(MAX_NAMES).nullish().describe('ingredients the formula must hold'),
  avoids: z.array(term).max(MAX_NAMES).nullish().describe('ingredients the formula must not hold'),
});

const searchSchema = z.object({
  keywords: z.array(term).max(MAX_KEYWORDS),
  filters: filtersSchema.nullish(),
});

export type SearchUnderstanding = z.infer<typeof searchSchema>;
export type SearchFilters = z.infer<typeof filtersSchema>;

const SYSTEM = `You turn a natural-language search phrase of a cosmetics laboratory into keywords and filters for its formula database.

The database matches each keyword as a case-insensitive substring of formula names, formula descriptions, and the INCI and Chinese
names of ingredients. Keywords are OR-ed; formulas that match more of them come first.

- keywords: 1 to 8 short terms that would really stand in such texts: product kinds (面霜, 精华, cleanser), effects (保湿, 美白, soothing),
  ingredients. Give a term in the phrase's language first, then its synonyms and its Chinese/English/INCI counterpart where one is in
  common use (玻尿酸 → 透明质酸, Sodium Hyaluronate). No filler words (find, formula, 配方, 一个, with), no sentences, no wildcards.
- filters: only what the phrase states as a condition; leave every other one null.
  - category: an ingredient function the formula must have: ${FUNCTION_CATEGORIES.join(', ')}.
  - project: a project named in the phrase. name: text that must be in the formula's name.
  - contains: ingredients the phrase demands ("with niacinamide", "含烟酰胺"). avoids: ingredients it rules out ("without alcohol",
    "不含酒精"). Never put an avoided ingredient among the keywords.
When unsure whether something is a condition, make it a keyword and no filter: a filter that is wrong hides what is looked for.

${COMMON_RULES}`;

/** Returns the phrase and its words, which are searched for if no model helps. */
export function phraseKeywords(phrase: string): string[] {
  const trimmed = phrase.trim();
  const words = trimmed.split(/[\s,\uff0c、;\uff1b。]+/u).filter((word) => word !== '');
  const unique = new Map(
    [trimmed, ...words].map((keyword) => [
      keyword.toLowerCase(),
      [...keyword].slice(0, MAX_KEYWORD).join(''),
    ]),
  );
  return [...unique.values()].slice(0, MAX_KEYWORDS);
}

export const searchKeywords: Capability<SearchInput, SearchUnderstanding> = {
  name: 'search-keywords',
  schema: searchSchema,
  listKey: 'keywords',
  whenFailed: 'preset',
  maxTokens: 2048,
  prompt: (input) => ({ system: SYSTEM, user: dataBlock({ phrase: input.phrase }) }),
  preset: (input) => ({ keywords: phraseKeywords(input.phrase), filters: null }),
};

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
