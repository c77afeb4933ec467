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

  // A form is part of a statement's name: one name is one text.
  it('has one form for one text', () => {
    const texts = new Map<string, string>();
    const searches = [[], ['abc'], ['abc', 'def'], ['x'], ['abc', 'x'], ['x', 'y', 'def']];
    for (const known of [[], [['one']], [['one', 'two'], ['three']]]) {
      for (const search of searches) {
        const { form, from, condition } = searchFor(known, search);
        if (form === undefined) continue;
        const text = `${from} WHERE ${condition}`;
        expect(texts.get(form) ?? text).toBe(text);
        texts.set(form, text);
      }
    }
    expect(texts.size).toBeGreaterThan(8);
  });

  it('is planned anew for three words and more', () => {
    const words = [['one', 'two'], ['three']];
    expect(searchFor(words, ['x', 'y']).form).toBeDefined();
    expect(searchFor(words, ['abc']).form).toBeUndefined();
    expect(searchFor([], ['abc', 'bcd', 'cde']).form).toBeUndefined();
  });

  it('looks up what has the words one by one, unless an index finds the texts', () => {
    expect(searchFor([['one']], ['x']).from).toContain('OFFSET 0');
    expect(searchFor([['one']], ['xyz']).from).toBe('formulas');
    expect(searchFor([], ['x']).from).toBe('formulas');
  });
});
