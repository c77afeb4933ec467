import fc from 'fast-check';
import { nameKey } from './name-key';

describe('nameKey', () => {
  it.each([
    ['Sodium Hyaluronate', 'sodiumhyaluronate'],
    ['ＳＯＤＩＵＭ－hyaluronate', 'sodiumhyaluronate'],
    ['Carbopol™ 940', 'carbopol940'],
    ['PEG-10/PPG-3', 'peg10ppg3'],
    ['1,3-BG', '1.3bg'],
    ['C12-15 Alkyl Benzoate', 'c12.15alkylbenzoate'],
    ['甘油（药用级）', '甘油药用级'],
    ['透明質酸鈉', '透明质酸钠'],
    ['Cafe\u0301', 'café'],
    ['İSTANBUL ΣΑΣ', 'istanbulσασ'],
    ['(+) ', ''],
  ])('%s is %s', (name, key) => expect(nameKey(name)).toBe(key));

  it('tells numbers apart', () => {
    expect(nameKey('1,2-Diol')).not.toBe(nameKey('12-Diol'));
    expect(nameKey('Polysorbate 20')).not.toBe(nameKey('Polysorbate 60'));
  });

  const names = fc.string({ unit: 'grapheme', maxLength: 60 });
  const marks = fc.constantFrom(' ', '  ', '\u3000', '-', '\u2011', '(', '）', '\u200b', '·', '/');
  const letters = fc.stringMatching(/^[A-Za-z甘油钠酸]{1,6}$/u);

  it('changes no key', () => {
    fc.assert(fc.property(names, (name) => expect(nameKey(nameKey(name))).toBe(nameKey(name))));
  });

  it('is the same whatever stands between words, in any case and width', () => {
    const wide = (text: string) =>
      text.replace(/[!-~]/gu, (character) => String.fromCodePoint(character.codePointAt(0)! + 0xfee0));
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 5 }), fc.array(marks), (words, between) => {
        const key = nameKey(words.join(' '));
        const written = words.map((word, at) => word + (between[at] ?? '')).join('');
        for (const variant of [written, written.toUpperCase(), written.toLowerCase(), wide(written)]) {
          expect(nameKey(variant)).toBe(key);
        }
      }),
    );
  });

  it('has 200 characters at most', () => {
    fc.assert(
      fc.property(names, (name) => expect(Array.from(nameKey(name.repeat(50))).length).toBeLessThan(201)),
    );
    expect(nameKey('\ufdfa'.repeat(200))).toHaveLength(200);
  });
});
