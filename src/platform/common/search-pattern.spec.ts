import { containing, hasTrigram, literalRegex } from './search-pattern';

describe('A search pattern', () => {
  it.each([
    ['50%', '%50\\%%'],
    ['50％_\\', '%50\\%\\_\\\\%'],
    ['ａ＿ｂ＼', '%a\\_b\\\\%'],
    ['Gly\u00adcerin ', '%Glycerin %'],
    ['1 % or 2　‰', '%1\\% or 2‰%'],
  ])('for %j is %j', (text, pattern) => {
    expect(containing(text)).toBe(pattern);
  });

  it('has no wildcard in its regular expression either', () => {
    expect(literalRegex('植物（油）＋．')).toBe('植物\\(油\\)\\+\\.');
  });

  it.each([
    ['油', true],
    ['abc', true],
    ['ﬀi', true],
    ['ab', false],
    ['ａｂ', false],
    ['½', false],
    ['㎏', false],
    ['ㅤ\u200b', false],
    ['--', false],
  ])('for %j is served by the index: %p', (text, served) => {
    expect(hasTrigram(text)).toBe(served);
  });
});
