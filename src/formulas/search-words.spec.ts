import { searchWords } from './search-words';

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
    expect(searchWords('cream５０ cream½').literal).toEqual(['cream５０', 'cream½']);
  });

  it('finds no words in blanks', () => {
    expect(searchWords(' \n')).toEqual({ literal: [], fuzzy: [] });
  });
});
