import { RowFilter } from '../platform/access/row-filter';
import { searchStatement, searchWords } from './formula-list.sql';

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

describe('search words', () => {
  it('forgives only in words of four letters and more, without digits and LIKE characters', () => {
    expect(searchWords('  cream spf50\tgel 24h\u3000sulfate-free 100% a_bcde f\\ghij ')).toEqual({
      fuzzy: ['cream', 'sulfate-free'],
      literal: ['spf50', 'gel', '24h', '100%', 'a_bcde', 'f\\ghij'],
    });
  });

  it('counts letters as a reader does, in any script', () => {
    expect(searchWords('保湿面霜 面霜 𠮷𠮷𠮷 (abc)')).toEqual({
      fuzzy: ['保湿面霜'],
      literal: ['面霜', '𠮷𠮷𠮷', '(abc)'],
    });
  });

  it('full-width and other numerals are digits too', () => {
    expect(searchWords('cream５０ cream½').literal).toEqual(['cream50', 'cream1⁄2']);
  });

  it('forgives nothing in more than 16 different words', () => {
    const words = Array.from({ length: 17 }, (_, at) => `cream${String.fromCharCode(97 + at)}`);
    expect(searchWords(`${words.slice(0, 16).join(' ')} ${words[0]}`)).toEqual({
      fuzzy: words.slice(0, 16),
      literal: [],
    });
    expect(searchWords(words.join(' '))).toEqual({ fuzzy: [], literal: [] });
  });

  it('finds no words in blanks', () => {
    expect(searchWords(' \n')).toEqual({ literal: [], fuzzy: [] });
  });
});
