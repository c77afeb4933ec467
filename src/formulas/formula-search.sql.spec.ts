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
        const { form, condition } = searchFor(known, search);
        if (form === undefined) continue;
        expect(texts.get(form) ?? condition).toBe(condition);
        texts.set(form, condition);
      }
    }
    expect(texts.size).toBeGreaterThan(6);
  });

  it('is planned anew for three words and more, and for words beside a text of the index', () => {
    const words = [['one', 'two'], ['three']];
    expect(searchFor(words, ['x', 'y']).form).toBeDefined();
    expect(searchFor([], ['abc', 'bcd']).form).toBeDefined();
    for (const [known, texts] of [
      [[['one'], ['two'], ['three']], []],
      [[['one']], ['abc']],
      [[], ['abc', 'bcd', 'cde']],
    ] as const) {
      const { form, condition } = searchFor(known, texts);
      expect(form).toBeUndefined();
      // The planner sees the values.
      expect(condition).not.toMatch(/\(SELECT \$|\(SELECT search_key/);
    }
  });

  it('looks up what has the words by id where one plan serves all', () => {
    expect(searchFor([['one']], ['x']).condition).toContain('id = ANY (ARRAY(SELECT formula_id');
    expect(searchFor([['one']], ['xyz']).condition).toContain('id IN (SELECT formula_id');
  });

  it('asks the words alone where nothing else is asked for', () => {
    expect(searchFor([['one'], ['two']], []).ofWords).toMatch(
      /^words && .* AND words && .*reads_out_of_line/,
    );
    expect(searchFor([['one']], ['x']).ofWords).toBeUndefined();
    expect(searchFor([], ['xyz']).ofWords).toBeUndefined();
  });

  it('names the text that is all that is asked for, where the index finds it', () => {
    expect(searchFor([], ['xyz']).text).toBe('xyz');
    for (const [known, texts] of [
      [[], ['x']],
      [[], ['xyz', 'abc']],
      [[], ['xyz', 'x']],
      [[['one']], ['xyz']],
      [[['one']], []],
    ] as const)
      expect(searchFor(known, texts).text).toBeUndefined();
  });
});
