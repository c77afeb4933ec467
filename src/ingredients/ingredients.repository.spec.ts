import type { Database } from '../database/database';
import { IngredientsRepository } from './ingredients.repository';

/** A repository whose statements find `row`, or nothing. */
function repositoryWith(row?: object) {
  const query = jest.fn((_statement: { name?: string; text: string }, _values: unknown[]) =>
    Promise.resolve(row ? [row] : []),
  );
  return { query, repository: new IngredientsRepository({ query } as unknown as Database) };
}

describe('IngredientsRepository', () => {
  // Prepared statements are known by their names: one name is one text.
  it.each([
    [{}, 'ingredients.list', [], ''],
    [{ category: 'other' as const }, 'ingredients.list.category', ['other'], 'WHERE function_category = $1'],
    [{ search: '5%' }, undefined, ['%5\\%%'], 'WHERE search_key LIKE search_key($1)'],
    [
      { category: 'other' as const, search: 'x' },
      undefined,
      ['other', '%x%'],
      'WHERE function_category = $1 AND search_key LIKE search_key($2)',
    ],
    [{ search: '' }, 'ingredients.list', [], ''],
  ])('lists %j by a statement named %p', async (filter, name, values, where) => {
    const { query, repository } = repositoryWith({ data: '[]', total: 0 });
    await repository.list({ ...filter, page: 3, limit: 20 });
    const [statement, given] = query.mock.calls[0]!;
    expect({ name: statement.name, given }).toEqual({ name, given: [...values, 20, 40] });
    const plain = (text: string) => text.replace(/\s+/g, '');
    expect(plain(statement.text)).toContain(
      plain(`FROM ingredients ${where} ORDER BY created_at DESC, id LIMIT`),
    );
    expect(plain(statement.text)).toContain(plain(`SELECT count(*) FROM ingredients ${where})`));
  });

  it.each([
    [{ count: 3 }, 3],
    [undefined, 0],
  ])('counts the lines that use an ingredient: %j', async (row, count) => {
    const { query, repository } = repositoryWith(row);
    expect(await repository.countUsages('id')).toBe(count);
    expect(query.mock.calls[0]).toEqual([
      {
        name: 'ingredients.usage',
        text: 'SELECT count(*) AS count FROM formula_ingredients WHERE ingredient_id = $1',
      },
      ['id'],
    ]);
  });
});
