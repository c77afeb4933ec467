import { type DatabaseService } from '../../../database/database.service';
import { FormulaSearchRepository } from './formula-search.repository';

describe('FormulaSearchRepository', () => {
  const similarities = async (vector: boolean, rows: object[]) => {
    const query = jest
      .fn<Promise<object[]>, unknown[]>()
      .mockResolvedValueOnce([{ there: vector }])
      .mockResolvedValueOnce(rows);
    const repository = new FormulaSearchRepository({ query } as unknown as DatabaseService);
    const found = await repository.similarities(['a'], 'maker', new Float32Array([0.5, 0, -0.25]));
    return { found, values: query.mock.lastCall?.[1] };
  };

  it('without pgvector sends what of the query is not zero, with its places counted from 1', async () => {
    const { found, values } = await similarities(false, [{ id: 'a', similarity: 0.5 }]);
    expect(values).toEqual([['a'], 'maker', [1, 3], [0.5, -0.25]]);
    expect(found).toEqual(new Map([['a', 0.5]]));
  });

  it('with pgvector sends the whole query, and leaves out what is like nothing', async () => {
    const { found, values } = await similarities(true, [{ id: 'a', similarity: NaN }]);
    expect(values).toEqual([['a'], 'maker', '{0.5,0,-0.25}']);
    expect(found).toEqual(new Map());
  });
});
