import { Injectable } from '@nestjs/common';
import { type Reader, type RowFilter, RowFilterService } from '../../../platform/access/row-filter';
import { Clock } from '../../../platform/common/clock';
import { plainText } from '../../../platform/common/name-forms';
import { AiFailure } from '../../../platform/common/errors/ai-failure';
import { Embedder } from '../embed-texts/embedder';
import { CatalogueNamesRepository } from '../ingredient-names/catalogue-names.repository';
import { plainKey } from '../ingredient-names/name-keys';
import { type Candidate, FormulaSearchRepository, type FoundFormula } from './formula-search.repository';
import { catalogueKeys } from './phrase/phrase-entries';
import { nameCandidates, unitsOf } from './phrase/phrase-units';
import { filterTerms, type PhraseReading, readPhrase } from './phrase/read-phrase';
import { rankCandidates } from './rank-candidates';
import { type SearchUnderstanding } from './search-keywords';
import type { SearchQuestion } from './search-question';
import { SearchQuestions } from './search-questions';
import { isPhraseItself, searchTerms } from './search-terms';

const MOST_RESULTS = 50;

/** Result of a search, and the words that were searched for. */
export interface SearchResult {
  readonly data: FoundFormula[];
  readonly keywords: string[];
  /** Number of names to exclude that match no ingredient. */
  readonly excludedUnknown: number;
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
    private readonly catalogue: CatalogueNamesRepository,
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
    const units = unitsOf(plain) ?? [];
    const keys = catalogueKeys([...nameCandidates(units), ...avoided.map(plainKey)]);
    const ids = await this.catalogue.idsOf(filter, keys);
    const reading: PhraseReading | undefined =
      units.length > 0
        ? readPhrase(plain, units, new Set(ids.keys()), new Date(this.clock.now()))
        : undefined;
    return { reading, ids };
  }

  private async ranked(phrase: string, candidates: readonly Candidate[]): Promise<FoundFormula[]> {
    if (candidates.length < 2) return candidates.map(withoutRank);
    const similarities = await this.similarities(phrase, candidates);
    return rankCandidates(candidates, similarities).slice(0, MOST_RESULTS).map(withoutRank);
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
