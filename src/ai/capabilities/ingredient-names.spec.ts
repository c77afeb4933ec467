import type { IngredientResolver } from '../../ingredients/names/ingredient-resolver';
import { RowFilter } from '../../platform/access/row-filter';
import { familyOf, holdsWord, IngredientNames, pricePerKg, spacedText } from './ingredient-names';

it('a text in which words are searched for has blanks between its words', () =>
  expect(spacedText(' Ｓodium-Laureth_\u00a0 Sulfate')).toBe('sodium laureth sulfate'));

describe('holdsWord', () => {
  it.each([
    ['methylparaben', 'paraben', true],
    ['paraben free', 'paraben', true],
    ['xparabenx', 'paraben', false],
    ['bahama mist', 'aha', false],
    ['aha, 5 %', 'aha', true],
    ['含aha爽肤水', 'aha', true],
    ['spf30', 'spf', true],
    ['peg 40', 'peg', true],
    ['dipeg 4 peg', 'peg', true],
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
    [250, '25 kg', 10],
    [10, '元/公斤', 10],
    [10, '€/kg', undefined],
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

  it('takes a price by volume where the density is known', () => {
    expect(pricePerKg(12.6, 'L', 1.26)).toBeCloseTo(10, 9);
    expect(pricePerKg(12.6, 'L', null)).toBeUndefined();
    expect(pricePerKg(12, 'kg', 1.26)).toBe(12);
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
    expect([...names.namesOf('PHENOXYETHANOL')]).toEqual(
      expect.arrayContaining(['phenoxyethanol', '苯氧乙醇', '2苯氧乙醇']),
    );
    expect([...names.namesOf('丙三醇')]).toEqual(
      expect.arrayContaining(['glycerin', 'vegetableglycerinusp']),
    );
    expect([...names.namesOf('vegetable glycerin usp')]).toEqual(
      expect.arrayContaining(['甘油', 'glycerol']),
    );
  });

  it('joins nothing by a mark that stands for no name', () => {
    expect([...names.namesOf('Mystery A')]).toEqual(['mysterya']);
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
    expect(familyOf('Parabens')).toContain('paraben');
    expect(familyOf('Foo')).toBeUndefined();
  });

  it('joins the names of a request that mean one ingredient', async () => {
    const glycerin = { id: 'g', inciName: 'Glycerin', chineseName: '甘油', supplier: null, unit: 'g' };
    const ingredient = { ...glycerin, unitPrice: 0.02 };
    const answer = (name: string) => ({
      name,
      certain: name !== '10% 甘油',
      grade: name === '10% 甘油' ? '10%' : null,
      inciNames: [],
      candidates: [{ ingredient, matchedBy: 'synonym' as const }],
    });
    const resolve = (_: unknown, all: readonly string[]) => Promise.resolve(all.map(answer));
    const resolver = { resolve } as unknown as IngredientResolver;
    const found = await IngredientNames.of(resolver, RowFilter.EVERYTHING, [
      'Pricerine 9091',
      'G1',
      '10% 甘油',
    ]);
    expect([...found.namesOf('Glycerin')]).toEqual(expect.arrayContaining(['pricerine9091', 'g1', '甘油']));
    expect([...found.namesOf('g1')]).toEqual(expect.arrayContaining(['pricerine9091', 'glycerin']));
    expect(found.pricePerKg('Pricerine-9091')).toBe(20);
    // A solution is not its substance.
    expect(found.pricePerKg('10% 甘油')).toBeUndefined();
    expect(found.digest()).not.toBe(
      (await IngredientNames.of(resolver, RowFilter.EVERYTHING, ['G1'])).digest(),
    );
  });
});
