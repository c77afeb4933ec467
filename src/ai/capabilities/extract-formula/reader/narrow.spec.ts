import { inWidthOf, narrow } from './narrow';

describe('narrow', () => {
  it.each([
    ['\uff01\uff0b\uff0d\uff5e', '!+-~'],
    ['\uff21\uff22\uff41\uff10\uff19', 'ABa09'],
    ['\uff08\uff09\uff1a\uff1b\uff05', '():;%'],
    ['水\u3000甘油\u00a05\u20025\u200a5\u202f5', '水 甘油 5 5 5 5'],
    // A tab that somebody made visible, and a small percent sign.
    ['水\u21e5至100', '水\t至100'],
    ['5\ufe6a', '5%'],
    ['\u200b\u3001\uff5f', '\u200b\u3001\uff5f'],
  ])('%j is %j', (wide, expected) => {
    expect(narrow(wide)).toBe(expected);
    expect(expected).toHaveLength(wide.length);
  });

  it.each([
    ['\uff10\uff0c\uff15', '0,5'],
    ['水\uff0c甘油', '水\uff0c甘油'],
    ['\uff10\uff0c甘', '0\uff0c甘'],
    ['甘\uff0c\uff15', '甘\uff0c5'],
    ['1\uff0c2', '1\uff0c2'],
  ])('of a wide comma, %j is %j', (wide, expected) => {
    expect(narrow(wide)).toBe(expected);
  });
});

describe('inWidthOf', () => {
  const inci = (inciName: string) => ({ inciName, chineseName: '' });
  const chinese = (chineseName: string) => ({ inciName: '', chineseName });

  it('gives names the width that the line has them in', () => {
    expect(inWidthOf('\uff21水 5', [chinese('A水')])).toEqual([chinese('\uff21水')]);
    expect(
      inWidthOf('甘油\uff08\uff27lycerin\uff09 5', [{ inciName: 'Glycerin', chineseName: '甘油' }]),
    ).toEqual([{ inciName: '\uff27lycerin', chineseName: '甘油' }]);
  });

  it('leaves what the line has in no other width, and what it does not have', () => {
    const read = [inci('Aqua'), inci('Glycerin')];
    expect(inWidthOf('Aqua 5; Glycerin 5', read)).toEqual(read);
    // Put together from two places: it stands nowhere.
    expect(inWidthOf('\uff21qua 5', [inci('Glycerin')])).toEqual([inci('Glycerin')]);
    // A line without anything wide is not even looked at.
    expect(inWidthOf('Aqua', [inci('')])[0]).toEqual(inci(''));
  });

  it('looks for each behind the one before it', () => {
    const line = '\uff21水 5、Ab油 5、A水 6、\uff21b油 7';
    const read = [chinese('A水'), chinese('Ab油'), chinese('A水'), chinese('Ab油')];
    // The first place counts: names that are alike are written alike.
    expect(inWidthOf(line, [read[0]!, read[1]!])).toEqual([chinese('\uff21水'), chinese('Ab油')]);
    expect(inWidthOf('\uff21b 1; \uff21c 2; Ab 3', [inci('Ab'), inci('Ac'), inci('Ab')])).toEqual([
      inci('\uff21b'),
      inci('\uff21c'),
      inci('Ab'),
    ]);
    expect(
      inWidthOf('\uff21b水 1; \uff21c水 2; Ab水 3', [chinese('Ab水'), chinese('Ac水'), chinese('Ab水')]),
    ).toEqual([chinese('\uff21b水'), chinese('\uff21c水'), chinese('Ab水')]);
  });

  it('looks as far as names stand from each other, and no farther', () => {
    const far = (spaces: number) => inWidthOf(`${' '.repeat(spaces)}\uff21qua 5`, [inci('Aqua')]);
    expect(far(990)).toEqual([inci('\uff21qua')]);
    expect(far(1000)).toEqual([inci('Aqua')]);
    const lineOf = (gap: number) => `\uff21b${' '.repeat(gap)}\uff21c`;
    expect(inWidthOf(lineOf(990), [inci('Ab'), inci('Ac')])[1]).toEqual(inci('\uff21c'));
    const twice = `\uff21b${' '.repeat(600)}\uff21c${' '.repeat(600)}\uff21d`;
    expect(inWidthOf(twice, [inci('Ab'), inci('Ac'), inci('Ad')])[2]).toEqual(inci('\uff21d'));
  });
});
