import { RowFilter } from '../access/row-filter';
import { searchStatement } from './formula-search.sql';

const LISTING = { sortBy: 'name', sortOrder: 'asc', page: 1, limit: 20 } as const;

const searchFor = (words: readonly (readonly string[])[], texts: readonly string[], sortBy?: 'updatedAt') => {
  const [statement, values] = searchStatement(
    RowFilter.EVERYTHING,
    { words, texts },
    { ...LISTING, ...(sortBy && { sortBy }) },
  );
  return { ...statement, values };
};

describe('A search', () => {
  const usesIndex = (text: string) => searchFor([], [text]).text.includes('reads_out_of_line()');

  it.each(['abc', 'a b12', '保', 'é'])('looks %j up by the index: it has a trigram', (text) => {
    expect(usesIndex(text)).toBe(true);
  });

  it.each(['ab', '1', 'a b c', '%_', ''])(
    'reads every key for %j, by which the index finds nothing',
    (text) => {
      expect(usesIndex(text)).toBe(false);
    },
  );

  it('has one name for one text', () => {
    const texts = new Map<string, string>();
    const searches = [[], ['abc'], ['abc', 'def'], ['x'], ['abc', 'x'], ['x', 'y', 'def']];
    for (const sortBy of [undefined, 'updatedAt'] as const) {
      for (const words of [[], [['one']], [['one', 'two'], ['three']]]) {
        for (const search of searches.filter((some) => words.length + some.length > 0)) {
          const { name, text } = searchFor(words, search, sortBy);
          if (name === undefined) continue;
          expect(texts.get(name) ?? text).toBe(text);
          texts.set(name, text);
        }
      }
    }
    expect(texts.size).toBeGreaterThan(12);
  });

  it('is planned anew for three words and more, and for words beside a text of the index', () => {
    const words = [['one', 'two'], ['three']];
    expect(searchFor(words, ['x', 'y']).name).toBeDefined();
    expect(searchFor([], ['abc', 'bcd']).name).toBeDefined();
    for (const [some, texts] of [
      [[['one'], ['two'], ['three']], []],
      [[['one']], ['abc']],
      [[], ['abc', 'bcd', 'cde']],
    ] as const) {
      const { name, text } = searchFor(some, texts);
      expect(name).toBeUndefined();
      // The planner sees the values.
      expect(text).not.toMatch(/\(SELECT \$\d+::text|\(SELECT search_key/);
    }
  });

  it('reads the words alone where nothing else is searched for', () => {
    const found =
      /WITH found AS MATERIALIZED \(SELECT w\.formula_id AS id, w\.updated_at FROM formula_words w/;
    expect(searchFor([['one'], ['two']], [], 'updatedAt').text).toMatch(found);
    expect(searchFor([['one']], ['x'], 'updatedAt').text).not.toMatch(found);
    expect(searchFor([], ['xyz'], 'updatedAt').text).not.toMatch(found);
    expect(searchFor([['one']], []).text).not.toMatch(found);
  });
});
