import { type DatabaseService } from '../../../platform/database/database.service';
import { FormulaSearchRepository } from './formula-search.repository';

it('the likeness sends what of the query is not zero, with its places counted from 1', async () => {
  const query = jest.fn(() => Promise.resolve([{ id: 'a', similarity: 0.5 }]));
  const repository = new FormulaSearchRepository({ query } as unknown as DatabaseService);
  const found = await repository.similarities(['a'], 'maker', new Float32Array([0.5, 0, -0.25]));
  expect(query).toHaveBeenCalledWith(expect.anything(), [['a'], 'maker', [1, 3], [0.5, -0.25]]);
  expect(found).toEqual(new Map([['a', 0.5]]));
});
