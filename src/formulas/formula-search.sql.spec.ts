import { searchFor } from './formula-search.sql';

describe('searchFor', () => {
  const usesIndex = (text: string) => searchFor([], [text]).condition.includes('reads_out_of_line()');

  it.each(['abc', 'a b12', '保', 'é'])('looks %j up by the index: it has a trigram', (text) => {
    expect(usesIndex(text)).toBe(true);
  });

  it.each(['ab', '1', 'a b c', '%_', ''])(
    'reads every key for %j, by which the index finds nothing',
    (text) => {
      expect(usesIndex(text)).toBe(false);
    },
  );
});
