import { Injectable } from '@nestjs/common';
import { type SearchUnderstanding } from './search-keywords';
import type { Reader } from '../../../database/read-access';
import { Readers } from '../../../database/readers';
import { AiFailure } from '../../provider/ai-failure';
import { Embedder } from '../embed-texts/embedder';
import { FormulaSearchRepository, type FoundFormula } from './formula-search.repository';
import { rankCandidates } from './rank-candidates';

const MOST_RESULTS = 50;

/**
 * Finds formulas for a phrase that has been understood: by keywords and filters, then by likeness to the
 * phrase.
 */
@Injectable()
export class FormulaSearch {
  constructor(
    private readonly repository: FormulaSearchRepository,
    private readonly embedder: Embedder,
    private readonly readers: Readers,
  ) {}

  async find(
    reader: Reader,
    phrase: string,
    { keywords, filters }: SearchUnderstanding,
  ): Promise<FoundFormula[]> {
    const access = await this.readers.of(reader);
    const candidates = await this.repository.candidates(access, keywords, filters ?? {});
    if (candidates.length < 2) return candidates.map(withoutRank);
    const similarities = await this.similarities(phrase, candidates);
    return rankCandidates(candidates, similarities).slice(0, MOST_RESULTS).map(withoutRank);
  }

  /** None where the phrase cannot be embedded at the moment: likeness only orders what has been found. */
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

function withoutRank({ id, name, description, currentVersion, project }: FoundFormula): FoundFormula {
  return { id, name, description, currentVersion, project };
}
