import { Injectable } from '@nestjs/common';
import { type Reader, type RowFilter, RowFilterService } from '../../../platform/access/row-filter';
import { Clock } from '../../../platform/common/clock';
import { nameKey, plainText } from '../../../platform/common/name-forms';
import { AiFailure } from '../../../platform/common/errors/ai-failure';
import { Embedder } from '../embed-texts/embedder';
import { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import { isShortWord } from '../ingredient-names';
import {
  type MatchedFormula,
  FormulaSearchRepository,
  type FoundFormula,
  type IngredientLookup,
  type OwnText,
  type SearchQuestion,
} from './formula-search.repository';
import { catalogueKeys, unitsOf } from './phrase/phrase-parts';
import { filterTerms, type IngredientTerm, type PhraseReading, readPhrase } from './phrase/read-phrase';
import { isPhraseItself, type SearchFilters, searchTerms, type SearchUnderstanding } from './search-keywords';
import { containing, hasTrigram, literalRegex } from '../../../platform/common/search-pattern';

/** Result of a search, and the words that were searched for. */
export interface SearchResult {
  readonly data: FoundFormula[];
  readonly keywords: string[];
  /** Number of names to exclude that match no ingredient. */
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
    const texts = keywords.map((text) => (keywords.length > 1 ? amongOthers(text) : anywhere(text)));
    const lookups = [
      ...texts.map(({ pattern, word = null }) => [{ term: 0, pattern, regex: word }]),
      ...(contains ?? []).map((text) => [{ term: 0, pattern: containing(text) }]),
      ...(category ? [[{ term: 0, category }]] : []),
      ...(avoids ?? []).map((text) => [{ term: 0, pattern: containing(text) }]),
    ];
    const found = await this.repository.ingredients(filter, lookups);
    const wanted = found.splice(0, keywords.length);
    const holds = found.splice(0, (contains?.length ?? 0) + (category ? 1 : 0));
    return {
      keywords: texts.map((text, at) => ({ ...wanted[at]!, texts: [text] })),
      holds,
      avoids: found.filter(({ count }) => count > 0),
      project: project ? containing(project) : null,
      name: name ? containing(name) : null,
    };
  }

  /**
   * Returns the question for a phrase that was read by rules.
   * @param ids ids of the ingredients as a PostgreSQL array, by the keys in the reading
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

/**
 * Finds formulas for a phrase by the keywords and filters of a model, or by rules, and orders them by
 * similarity to the phrase. Exclusions in the phrase apply in both cases.
 */
@Injectable()
export class FormulaSearch {
  constructor(
    private readonly repository: FormulaSearchRepository,
    private readonly questions: SearchQuestions,
    private readonly resolver: IngredientResolver,
    private readonly embedder: Embedder,
    private readonly rowFilters: RowFilterService,
    private readonly clock: Clock,
  ) {}

  async find(reader: Reader, phrase: string, understood: SearchUnderstanding): Promise<SearchResult> {
    const filter = await this.rowFilters.of(reader);
    const { keywords, filters } = searchTerms(phrase, understood);
    const { reading, ids } = await this.read(filter, phrase, filters.avoids ?? []);
    if (!isPhraseItself(phrase, keywords, filters)) {
      const question = await this.questions.ofKeywords(filter, keywords, filters);
      const ruled = await this.questions.ofPhrase(filter, filterTerms(reading, filters.avoids ?? []), ids);
      const candidates = await this.repository.candidates(filter, withRules(question, ruled.question));
      const data = await this.ranked(phrase, candidates);
      return { data, keywords, excludedUnknown: ruled.excludedUnknown };
    }
    if (!reading?.isUnderstood) {
      const question = await this.questions.ofKeywords(filter, keywords, filters);
      const candidates = await this.repository.candidates(filter, question);
      return { data: await this.ranked(phrase, candidates), keywords, excludedUnknown: 0 };
    }
    const { question, words, excludedUnknown } = await this.questions.ofPhrase(filter, reading, ids);
    const candidates = await this.repository.candidates(filter, question);
    // If some formulas match every word, formulas that match only some of the words are dropped.
    const matchingAll = candidates.filter(({ matched }) => matched === question.keywords.length);
    const meant = matchingAll.length > 0 ? matchingAll : candidates;
    return { data: await this.ranked(phrase, meant), keywords: words, excludedUnknown };
  }

  /**
   * Reads the phrase by rules, unless it is too long, and looks up the ingredients that it names.
   * @param avoided ingredients that a model excludes
   */
  private async read(filter: RowFilter, phrase: string, avoided: readonly string[]) {
    const plain = plainText(phrase);
    const units = unitsOf(plain);
    const keys = catalogueKeys([...units.flatMap((unit) => unit.keys), ...avoided.map(nameKey)]);
    const found = await this.resolver.findByKeys(filter, keys);
    const ids = new Map(
      [...found].map(([key, ingredients]) => [key, `{${ingredients.map(({ id }) => id).join(',')}}`]),
    );
    const reading: PhraseReading | undefined =
      units.length > 0
        ? readPhrase(plain, units, new Set(ids.keys()), new Date(this.clock.now()))
        : undefined;
    return { reading, ids };
  }

  private async ranked(phrase: string, candidates: readonly MatchedFormula[]): Promise<FoundFormula[]> {
    if (candidates.length < 2) return candidates.map(withoutRank);
    const similarities = await this.similarities(phrase, candidates);
    return rankCandidates(candidates, similarities).slice(0, 50).map(withoutRank);
  }

  /** Returns no similarities if the phrase cannot be embedded at the moment: they only order the results. */
  private async similarities(
    phrase: string,
    candidates: readonly FoundFormula[],
  ): Promise<Map<string, number>> {
    const maker = await this.embedder.current();
    try {
      const [vector] = await maker.embed([phrase]);
      if (!vector) return new Map();
      return await this.repository.similarities(
        candidates.map(({ id }) => id),
        maker.name,
        vector,
      );
    } catch (error) {
      if (error instanceof AiFailure) return new Map();
      throw error;
    }
  }
}

/** Adds the exclusions, bounds and dates that rules find in the phrase to the question of a model. */
const withRules = (question: SearchQuestion, ruled: SearchQuestion): SearchQuestion => ({
  ...question,
  holds: [...question.holds, ...ruled.holds],
  avoids: [...question.avoids, ...ruled.avoids],
  updated: ruled.updated,
  created: ruled.created,
});

function withoutRank({ id, name, description, currentVersion, project }: FoundFormula): FoundFormula {
  return { id, name, description, currentVersion, project };
}

/** Orders by the number of matched keywords, then by similarity. Candidates without an embedding come last. */
export function rankCandidates<C extends { readonly id: string; readonly matched: number }>(
  candidates: readonly C[],
  similarities: ReadonlyMap<string, number>,
): C[] {
  const likeness = ({ id }: C): number => similarities.get(id) ?? -Infinity;
  // Sorting is stable, so equal candidates keep their order.
  return [...candidates].sort((a, b) => b.matched - a.matched || compare(likeness(b), likeness(a)));
}

/** Not a difference: subtracting two infinities gives NaN. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/** The question for the database, and the words that are searched for. */
interface UnderstoodPhrase {
  readonly question: SearchQuestion;
  readonly words: string[];
  /** Number of names to exclude that match no ingredient that the user can read. */
  readonly excludedUnknown: number;
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

const anywhere = (text: string): OwnText => ({ pattern: containing(text), isIndexed: hasTrigram(text) });

const ownText = (text: string): OwnText => ({
  ...anywhere(text),
  ...(isShortWord(text) && { word: aloneRegex(text) }),
});

/** A keyword among several. One or two Latin letters must stand alone: the "a" of "a rich cream" is in every name. */
const amongOthers = (text: string): OwnText => ({
  ...anywhere(text),
  ...(/^[a-z]{1,2}$/i.test(text) && { word: aloneRegex(text.toLowerCase()) }),
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
