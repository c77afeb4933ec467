import { RowFilter } from '../platform/access/row-filter';
import type { DatabaseService } from '../platform/database/database.service';
import { IngredientsRepository } from './ingredients.repository';

describe('IngredientsRepository', () => {
  // Prepared statements are known by their names: one name is one text.
  it('prepares each text of a list or search under a name of its own', async () => {
    const query = jest.fn((_statement: { name?: string; text: string }, _values: unknown[]) =>
      Promise.resolve([{ data: '[]', total: 0 }]),
    );
    const repository = new IngredientsRepository({ query } as unknown as DatabaseService);
    const texts = new Map<string, string>();
    for (const filter of [RowFilter.EVERYTHING, RowFilter.NOTHING]) {
      for (const category of [undefined, 'other' as const, 'thickener' as const]) {
        for (const search of [undefined, '', '5%.', 'x', '油', 'xyz']) {
          await repository.list(filter, { category, search, page: 3, limit: 20 });
          const [{ name, text }, values] = query.mock.lastCall!;
          expect(texts.get(name!) ?? text).toBe(text);
          texts.set(name!, text);
          expect(values.slice(0, 2)).toEqual([20, 40]);
        }
      }
    }
    // Of everything and of nothing: with a category and without, listed, searched by the index and without.
    expect(texts.size).toBe(12);
  });
});
