import type { Database } from '../database/database';
import { ReadAccess } from '../database/read-access';
import { IngredientsRepository } from './ingredients.repository';

/** A repository whose statements find `row`, or nothing. */
function repositoryWith(row?: object) {
  const query = jest.fn((_statement: { name?: string; text: string }, _values: unknown[]) =>
    Promise.resolve(row ? [row] : []),
  );
  return { query, repository: new IngredientsRepository({ query } as unknown as Database) };
}

const plain = (text: string) => text.replace(/\s+/g, '');

describe('IngredientsRepository', () => {
  // Prepared statements are known by their names: one name is one text.
  it.each([
    [{}, 'ingredients.list', [], 'WHERE (true)', `list = 'ingredients'`],
    [
      { category: 'other' as const },
      'ingredients.list.category',
      ['other'],
      'WHERE (true) AND function_category = $1',
      `list = 'ingredients' AND part = $1`,
    ],
    [{ search: '' }, 'ingredients.list', [], 'WHERE (true)', `list = 'ingredients'`],
  ])('lists %j by a statement named %p, without counting', async (filter, name, values, where, counted) => {
    const { query, repository } = repositoryWith({ data: '[]', total: 0 });
    await repository.list(ReadAccess.EVERYTHING, { ...filter, page: 3, limit: 20 });
    const [statement, given] = query.mock.calls[0]!;
    expect({ name: statement.name, given }).toEqual({ name, given: [...values, 20, 40] });
    expect(plain(statement.text)).toContain(
      plain(`FROM ingredients ${where} ORDER BY created_at DESC, id ASC LIMIT`),
    );
    expect(plain(statement.text)).toContain(plain(`FROM record_counts WHERE ${counted})`));
  });

  // One name is one text: what the index does not serve has a name of its own.
  it.each([
    [{ search: '5%.' }, '.scan', ['5\\%.', '5%\\.'], '', `search_key || ''`],
    [{ search: '50%' }, '.scan', ['50\\%', '50%'], '', `search_key || ''`],
    [{ search: '油' }, '', ['油', '油'], '', 'search_key'],
    [
      { category: 'other' as const, search: 'x' },
      '.category.scan',
      ['other', 'x', 'x'],
      'function_category = $1 AND ',
      `search_key || ''`,
    ],
    [
      { category: 'other' as const, search: 'xyz' },
      '.category',
      ['other', 'xyz', 'xyz'],
      'function_category = $1 AND ',
      'search_key',
    ],
  ])('searches %j by a statement named %p', async (filter, kind, values, where, key) => {
    const { query, repository } = repositoryWith({ data: '[]', total: 0 });
    await repository.list(ReadAccess.EVERYTHING, { ...filter, page: 3, limit: 20 });
    const [statement, given] = query.mock.calls[0]!;
    expect(statement).toMatchObject({ name: `ingredients.search${kind}`, group: 'searches' });
    expect(given).toEqual([...values, 20, 40]);
    const text = plain(statement.text);
    expect(text).toContain(
      plain(`AS key_0, created_at AS key_1, id AS key_2 FROM ingredients
        WHERE (true) AND ${where}${key} LIKE (SELECT anywhere FROM asked))`),
    );
    expect(text).toContain('ORDERBYkey_0ASC,key_1DESC,key_2ASCLIMIT');
    expect(text).toContain(`(SELECTsearch_key($${values.length - 1})ASkey)`);
    expect(text).toContain(`search_key($${values.length})||'(?![[:alnum:]])'`);
  });

  it('counts the lines that use an ingredient', async () => {
    const { query, repository } = repositoryWith({ count: 3 });
    expect(await repository.usageOf(ReadAccess.EVERYTHING, 'id')).toEqual({ count: 3, shown: 3 });
    expect(query.mock.calls[0]).toEqual([
      {
        name: 'ingredients.usage',
        text: 'SELECT count(*) AS count FROM formula_ingredients WHERE ingredient_id = $1',
      },
      ['id'],
    ]);
  });
});
