import fc from 'fast-check';
import { nameKey, plainText } from './name-forms';

describe('plainText', () => {
  it.each([
    ['Café', 'Cafe\u0301'],
    ['EDTA', 'ＥＤＴＡ'],
    ['グリセリン', 'ｸﾞﾘｾﾘﾝ'],
    ['office', 'oﬃce'],
    ['Sodium PCA', 'Sodium\u00a0PCA'],
    ['Sodium PCA', '\u3000Sodium \t\u2009\u2028PCA\u2800'],
    ['Glycerin', 'Gly\u00adcerin'],
    ['One', 'One\u200b'],
    ['One', '\u202eO\u2060n\ufe0fe\u3164\u034f\u115f\uffa0\u{e0101}'],
    ['Café', 'Cafe\u200d\u0301'],
    ['AQUA', 'aqua'],
    ['İx', 'ix'],
    ['İx', 'I\u0307x'],
    ['ΟΔΟΣ', 'οδος'],
    ['C10-30', 'C10–30'],
    ["4,4'-Diol", '4,4’-Diol'],
  ])('%j and %j are the same name', (one, other) => {
    expect(plainText(other)).toBe(plainText(one));
  });

  it.each([
    ['黃', '黄'],
    ['Aqua', 'Аqua'],
    ['Cafe', 'Café'],
    ['SodiumPCA', 'Sodium PCA'],
    ['Steareth-21', 'Steareth-2¹'],
    ['Steareth-21', 'Steareth-2\u200b¹'],
    ['Laureth-23', 'Laureth-2③'],
    ['CI 77491', 'CI 7749₁'],
    ['Shade 12', 'Shade １²'],
    ['11,3-Diol', '¹1,3-Diol'],
  ])('%j and %j are not', (one, other) => {
    expect(plainText(other)).not.toBe(plainText(one));
  });

  it.each([
    ['TiO2', 'TiO₂'],
    ['CI 77491', 'CI ７７４９１'],
    ['5 mm2', '5㎟'],
  ])('%j and %j are the same characters', (one, other) => {
    expect(plainText(other)).toBe(plainText(one));
  });

  it.each(['', ' ', '\u200b\u00a0', '\u2800', '\u3164', '\u202e'])('%j holds nothing', (text) => {
    expect(plainText(text)).toBe('');
  });

  it('has one form of every character, and of every text', () => {
    const isSettled = (text: string) => plainText(plainText(text)) === plainText(text);
    for (let code = 1; code <= 0x10ffff; code++) {
      if (code < 0xd800 || code > 0xdfff) {
        const text = `a${String.fromCodePoint(code)}b`;
        if (!isSettled(text)) throw new Error(`not settled: ${code.toString(16)}`);
      }
    }
    const special = fc.constantFrom(
      ...'aeIİiςΣ \u0301\u0307\u0323\u0345\u200b\u00ad\u00a0\u3164Ωﬁｸﾞ\u1100\u1161',
    );
    const character = fc.oneof(special, fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }));
    fc.assert(fc.property(fc.string({ unit: character, maxLength: 12 }), isSettled));
  });
});

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
    ['PEG 8', 'peg8'],
    ['PEG-8', 'peg8'],
    ['黃', '黄'],
    ["N,N'-Diol", "nn'diol"],
    ['(+)-Catechin', '+catechin'],
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
