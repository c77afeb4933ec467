import { Injectable } from '@nestjs/common';
import type { RowFilter } from '../../../platform/access/row-filter';
import { containing, hasTrigram, literalRegex } from '../../../platform/common/search-pattern';
import { isShortWord } from '../ingredient-names/name-keys';
import { FormulaSearchRepository, type IngredientLookup } from './formula-search.repository';
import type { IngredientTerm, PhraseReading } from './phrase/read-phrase';
import type { SearchFilters } from './search-keywords';
import type { OwnText, SearchQuestion } from './search-question';

/** The question for the database, and the words that are searched for. */
interface UnderstoodPhrase {
  readonly question: SearchQuestion;
  readonly words: string[];
  /** Number of names to exclude that match no ingredient that the user can read. */
  readonly excludedUnknown: number;
}

/** Looks up the ingredients of a search. */
@Injectable()
export class SearchQuestions {
  constructor(private readonly repository: FormulaSearchRepository) {}

  /** Returns the question for a model's keywords and filters. */
  async ofKeywords(
    filter: RowFilter,
    keywords: readonly string[],
    { contains, avoids, category, project, name }: SearchFilters,
  ): Promise<SearchQuestion> {
    const lookups = [
      ...[...keywords, ...(contains ?? [])].map((text) => [{ term: 0, pattern: containing(text) }]),
      ...(category ? [[{ term: 0, category }]] : []),
      ...(avoids ?? []).map((text) => [{ term: 0, pattern: containing(text) }]),
    ];
    const found = await this.repository.ingredients(filter, lookups);
    const wanted = found.splice(0, keywords.length);
    const holds = found.splice(0, (contains?.length ?? 0) + (category ? 1 : 0));
    return {
      keywords: keywords.map((text, at) => ({
        ...wanted[at]!,
        texts: [{ pattern: containing(text), isIndexed: hasTrigram(text) }],
      })),
      holds,
      avoids: found.filter(({ count }) => count > 0),
      project: project ? containing(project) : null,
      name: name ? containing(name) : null,
    };
  }

  /**
   * Returns the question for a phrase that was read by rules.
   * @param ids ids of the records by the names in the reading (`CatalogueNamesRepository.idsOf`)
   */
  async ofPhrase(
    filter: RowFilter,
    reading: PhraseReading,
    ids: ReadonlyMap<string, string>,
  ): Promise<UnderstoodPhrase> {
    const { keywords, holds, avoids, perhapsAvoids, updated, created } = reading;
    const lists = [
      ...keywords.map(({ ingredient }) => [ingredient]),
      ...holds.map((term) => [term]),
      ...perhapsAvoids.flatMap(({ word, full }) => [[word], [full]]),
      ...(avoids.length > 0 ? [avoids] : []),
    ];
    const found = await this.repository.ingredients(
      filter,
      lists.map((terms) => lookupsOf(terms, ids)),
    );
    const wanted = found.splice(0, keywords.length);
    const held = found.splice(0, holds.length);
    const perhaps = found.splice(0, perhapsAvoids.length * 2);
    const isAvoided = (at: number): boolean => perhaps[2 * at]!.count > 0 && perhaps[2 * at + 1]!.count === 0;
    const avoidedWords = perhapsAvoids.flatMap((_, at) => (isAvoided(at) ? [perhaps[2 * at]!] : []));
    const wholeWords = perhapsAvoids.flatMap(({ full }, at) =>
      isAvoided(at) ? [] : [{ text: full.text, ingredients: perhaps[2 * at + 1]! }],
    );
    return {
      question: {
        keywords: [
          ...keywords.map(({ found: texts }, at) => ({ ...wanted[at]!, texts: texts.map(ownText) })),
          ...wholeWords.map(({ text, ingredients }) => ({ ...ingredients, texts: [ownText(text)] })),
        ],
        holds: held.map((ingredients, at) => ({ ...ingredients, bounds: holds[at]!.bounds })),
        avoids: [...found, ...avoidedWords].filter(({ count }) => count > 0),
        project: null,
        name: null,
        updated,
        created,
      },
      words: [...reading.words, ...wholeWords.map(({ text }) => text)],
      excludedUnknown: found[0] ? distinctTerms(avoids).length - found[0].termsFound : 0,
    };
  }
}

const lookupsOf = (terms: readonly IngredientTerm[], ids: ReadonlyMap<string, string>): IngredientLookup[] =>
  distinctTerms(terms).flatMap(({ keys, words, category }, term) => [
    ...keys.flatMap((key) => (ids.has(key) ? [{ term, ids: ids.get(key) }] : [])),
    ...words.map((word) => ({ term, pattern: containing(word), regex: wordRegex(word) })),
    ...(category ? [{ term, category }] : []),
  ]);

const distinctTerms = (terms: readonly IngredientTerm[]): IngredientTerm[] => [
  ...new Map(terms.map((term) => [term.text, term])).values(),
];

const ownText = (text: string): OwnText => ({
  pattern: containing(text),
  isIndexed: hasTrigram(text),
  ...(isShortWord(text) && { word: aloneRegex(text) }),
});

/** Matches a short word that stands alone: no Latin letter next to it, except a plural s. */
const aloneRegex = (word: string): string => `(?<![a-z])${literalRegex(word)}s?(?![a-z])`;

/** The same rule as `holdsWord`, or null if the LIKE pattern is sufficient. */
function wordRegex(word: string): string | null {
  if (isShortWord(word)) return aloneRegex(word);
  if (!/^[a-z]/.test(word) && !/[a-z]$/.test(word)) return null;
  const literal = literalRegex(word);
  return `(?<![a-z])${literal}|${literal}(?![a-z])|${literal}s(?![a-z])`;
}
