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
