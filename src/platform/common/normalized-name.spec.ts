import fc from 'fast-check';
import { normalizedName } from './normalized-name';

describe('normalizedName', () => {
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
  ])('%j and %j are the same name', (one, other) => {
    expect(normalizedName(other)).toBe(normalizedName(one));
  });

  it.each([
    ['黃', '黄'],
    ['Aqua', 'Аqua'],
    ['Cafe', 'Café'],
    ['SodiumPCA', 'Sodium PCA'],
    ['C10-30', 'C10–30'],
  ])('%j and %j are not', (one, other) => {
    expect(normalizedName(other)).not.toBe(normalizedName(one));
  });

  it.each(['', ' ', '\u200b\u00a0', '\u2800', '\u3164', '\u202e'])('%j holds nothing', (text) => {
    expect(normalizedName(text)).toBe('');
  });

  it('has one form of every character, and of every text', () => {
    const isSettled = (text: string) => normalizedName(normalizedName(text)) === normalizedName(text);
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
