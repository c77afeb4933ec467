import { Injectable } from '@nestjs/common';
import { type SearchUnderstanding } from '../capabilities/search-keywords';
import { featureHash, LOCAL_MAKER } from './feature-hash';
import { FormulaSearchRepository, type FoundFormula } from './formula-search.repository';
import { rankCandidates } from './rank-candidates';

const MOST_RESULTS = 50;

/** Finds formulas for a phrase that has been understood: by keywords and filters, then by likeness to the phrase. */
@Injectable()
export class FormulaSearch {
  constructor(private readonly repository: FormulaSearchRepository) {}

  async find(phrase: string, { keywords, filters }: SearchUnderstanding): Promise<FoundFormula[]> {
    const candidates = await this.repository.candidates(keywords, filters ?? {});
    if (candidates.length < 2) return candidates.map(withoutRank);
    const similarities = await this.repository.similarities(
      candidates.map(({ id }) => id),
      LOCAL_MAKER,
      featureHash(phrase),
    );
    return rankCandidates(candidates, similarities).slice(0, MOST_RESULTS).map(withoutRank);
  }
}

function withoutRank({ id, name, description, currentVersion, project }: FoundFormula): FoundFormula {
  return { id, name, description, currentVersion, project };
}
