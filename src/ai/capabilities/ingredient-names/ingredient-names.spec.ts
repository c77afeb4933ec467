import { familyOf, IngredientNames, writtenNames } from './ingredient-names';
import { holdsWord, nameKey } from './name-keys';
import { pricePerKg } from './raw-material-cost';

describe('nameKey', () => {
  it('does not regard width, case, blanks, composition and invisible characters', () => {
    expect(nameKey(' Ａqua \t  DEST. ')).toBe('aqua dest.');
    expect(nameKey('甘 油')).toBe(nameKey('甘油'));
    expect(nameKey('Gly\u00adcer\u200bin')).toBe('glycerin');
    expect(nameKey('Cafe\u0301')).toBe(nameKey('Café'));
    expect(nameKey('Sodium-Hyaluronate')).toBe(nameKey('sodium\u2011hyaluronate'));
    expect(nameKey('Sodium-Hyaluronate')).toBe(nameKey('Sodium Hyaluronate'));
    expect(nameKey('Polysorbate 20')).not.toBe(nameKey('Polysorbate 60'));
  });
});

describe('holdsWord', () => {
  it.each([
    ['methylparaben', 'paraben', true],
    ['paraben free', 'paraben', true],
    ['xparabenx', 'paraben', false],
    ['bahama mist', 'aha', false],
    ['aha, 5 %', 'aha', true],
    ['含aha爽肤水', 'aha', true],
    ['spf30', 'spf', true],
    ['peg-40', 'peg', true],
    ['dipeg-4 peg', 'peg', true],
    ['氢化蓖麻油', '蓖麻', true],
    ['水', '油', false],
  ])('%s, %s: %p', (key, word, holds) => expect(holdsWord(key, word)).toBe(holds));
});

describe('pricePerKg', () => {
  it.each([
    [12, 'kg', 12],
    [12, ' KG', 12],
    [0.09, 'g', 90],
    [0.09, '克', 90],
    [1, 'mg', 1e6],
    [5000, 't', 5],
    [4.5359237, 'lb', 10],
    [10, '公斤', 10],
    [12, 'L', undefined],
    [12, '桶', undefined],
    [12, '', undefined],
    [1e308, 'mg', undefined],
    [null, 'kg', undefined],
    [0, 'kg', 0],
  ])('%p for a %j', (price, unit, expected) => {
    const found = pricePerKg(price, unit);
    if (expected === undefined) expect(found).toBeUndefined();
    else expect(found).toBeCloseTo(expected, 9);
  });
});

describe('IngredientNames', () => {
  const names = new IngredientNames([
    { inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇', pricePerKg: 90 },
    { inciName: 'Vegetable Glycerin USP', chineseName: '甘油', pricePerKg: 20 },
    { inciName: 'Glycerin', chineseName: '甘油', pricePerKg: 12 },
    { inciName: 'Mystery A', chineseName: '-' },
    { inciName: 'Mystery B', chineseName: '-', pricePerKg: 1 },
  ]);

  it('joins the names of a record and the everyday ones', () => {
    expect([...names.namesOf('PHENOXYETHANOL')]).toEqual(['phenoxyethanol', '苯氧乙醇']);
    expect([...names.namesOf('丙三醇')]).toEqual(
      expect.arrayContaining(['glycerin', 'vegetable glycerin usp']),
    );
    expect([...names.namesOf('vegetable glycerin usp')]).toEqual(
      expect.arrayContaining(['甘油', 'glycerol']),
    );
  });

  it('joins nothing by a mark that stands for no name', () => {
    expect([...names.namesOf('Mystery A')]).toEqual(['mystery a']);
    expect(names.pricePerKg('Mystery A')).toBeUndefined();
  });

  it('takes the highest price of a name, its own records before those of everyday names', () => {
    expect(names.pricePerKg('甘油')).toBe(20);
    expect(names.pricePerKg('Glycerin')).toBe(12);
    expect(names.pricePerKg('Glycerol')).toBe(20);
    expect(names.pricePerKg('Aqua')).toBeUndefined();
  });

  it('knows what the catalogue or everyday language knows', () => {
    expect(['苯氧乙醇', '酒精', 'Foo'].map((name) => names.isKnown(name))).toEqual([true, true, false]);
    expect(writtenNames('酒精')).toContain('alcohol denat.');
    expect(writtenNames('Foo')).toEqual(['Foo']);
    expect(familyOf('Parabens')).toContain('paraben');
    expect(familyOf('Foo')).toBeUndefined();
  });
});
