import { RowFilter, RowFilterService } from '../../../platform/access/row-filter';
import { Clock } from '../../../platform/common/clock';
import { UnavailableError } from '../../../platform/common/errors/service-error';
import { AiFailure } from '../../../platform/common/errors/ai-failure';
import type { Embedder } from '../embed-texts/embedder';
import type { IngredientResolver } from '../../../ingredients/names/ingredient-resolver';
import { FormulaSearch, rankCandidates, type SearchQuestions } from './formula-search';
import type { MatchedFormula, FormulaSearchRepository } from './formula-search.repository';

const candidates = (count: number): MatchedFormula[] =>
  Array.from({ length: count }, (_, at) => ({
    id: `f${at}`,
    name: `Formula ${at}`,
    description: null,
    currentVersion: 1,
    project: null,
    matched: 1,
  }));

describe('FormulaSearch', () => {
  const embed = jest.fn(() => Promise.resolve([new Float32Array([1])]));
  const similarities = jest.fn(() => Promise.resolve(new Map<string, number>()));
  const searchAmong = async (found: MatchedFormula[]) => {
    const search = new FormulaSearch(
      { candidates: () => Promise.resolve(found), similarities } as unknown as FormulaSearchRepository,
      { ofKeywords: () => Promise.resolve({}) } as unknown as SearchQuestions,
      { findByKeys: () => Promise.resolve(new Map()) } as unknown as IngredientResolver,
      { current: () => Promise.resolve({ name: 'maker', embed }) } as unknown as Embedder,
      new RowFilterService(),
      new Clock(),
    );
    const { data } = await search.find(RowFilter.EVERYTHING, 'phrase', { keywords: ['phrase'] });
    return data.map(({ id }) => id);
  };
  beforeEach(() => jest.clearAllMocks());

  it('gives fifty at most, the likest to the phrase first', async () => {
    similarities.mockResolvedValueOnce(new Map([['f59', 0.9]]));
    const found = await searchAmong(candidates(60));
    expect(found).toHaveLength(50);
    expect(found.slice(0, 2)).toEqual(['f59', 'f0']);
    expect(await searchAmong(candidates(50))).toHaveLength(50);
  });

  it('asks for no embedding where there is nothing to put in order', async () => {
    expect(await searchAmong(candidates(1))).toEqual(['f0']);
    expect(embed).not.toHaveBeenCalled();
    expect(await searchAmong(candidates(2))).toEqual(['f0', 'f1']);
    expect(embed).toHaveBeenCalledTimes(1);
  });

  it('does without likeness where no provider gives it, and not where the database is away', async () => {
    embed.mockRejectedValueOnce(new AiFailure('server', 'alpha', { retryable: true }));
    expect(await searchAmong(candidates(2))).toEqual(['f0', 'f1']);
    similarities.mockRejectedValueOnce(new UnavailableError('away'));
    await expect(searchAmong(candidates(2))).rejects.toThrow('away');
  });
});

const candidate = (id: string, matched: number) => ({ id, matched });

describe('rankCandidates', () => {
  it('more matches first, then likeness, then their own order; without an embedding last', () => {
    const candidates = [
      candidate('x', 1),
      candidate('y', 1),
      candidate('a', 2),
      candidate('b', 1),
      candidate('c', 1),
    ];
    const similarities = new Map([
      ['b', 0.1],
      ['c', 0.9],
      ['a', -1],
    ]);
    expect(rankCandidates(candidates.slice(3), new Map([['c', -0.5]])).map(({ id }) => id)).toEqual([
      'c',
      'b',
    ]);
    expect(rankCandidates(candidates, similarities).map(({ id }) => id)).toEqual(['a', 'c', 'b', 'x', 'y']);
  });
});
