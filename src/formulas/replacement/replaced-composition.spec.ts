import Big from 'big.js';
import fc from 'fast-check';
import { compositionOf } from '../../../test/support/compositions';
import { sumOf } from '../../platform/common/collections';
import { linesOf } from '../composition/composition';
import { describeReplacement, replacedBy, replacedComposition, scaled } from './replaced-composition';

const OLD = { id: 'old', inciName: 'Phenoxyethanol', chineseName: '苯氧乙醇', supplier: null };
const NEW = { id: 'new', inciName: 'Hydroxyacetophenone', chineseName: '对羟基苯乙酮', supplier: null };
const WATER = { id: 'water', inciName: 'Aqua / Water', chineseName: '去离子水', supplier: null };
const OIL = { id: 'oil', inciName: 'Squalane', chineseName: '角鲨烷', supplier: null };

const line = (ingredient: typeof OLD, percentage: number) => ({
  ingredient,
  ingredientId: ingredient.id,
  percentage,
});

function replace(composition: ReturnType<typeof compositionOf>, factor = 1, by = NEW) {
  const replacement = { ingredient: OLD, by, factor };
  const after = replacedComposition(composition, replacement);
  return { after, shown: describeReplacement(composition, after, replacement) };
}

describe('scaled', () => {
  it.each([
    [0.1, 3, 0.3],
    [1.1, 1.1, 1.21],
    [0.7, 0.1, 0.07],
    [5, 1, 5],
    [33.333333333333336, 1, 33.333333333333336],
    [1.1, 1.00000000000005, 1.10000000000006],
  ])('%d × %d = %d', (percentage, factor, expected) => {
    expect(scaled(percentage, factor)).toBe(expected);
  });

  const numbers = fc.double({ min: 1e-9, max: 100, noNaN: true });

  it('leaves every percentage as it is without a factor', () => {
    fc.assert(fc.property(numbers, (percentage) => scaled(percentage, 1) === percentage));
  });

  it('is the nearest number of 15 digits', () => {
    fc.assert(
      fc.property(numbers, numbers, (percentage, factor) => {
        const product = new Big(percentage).times(factor);
        const result = new Big(scaled(percentage, factor));
        const halfOfLastDigit = new Big(`5e${product.e - 15}`);
        expect(result.c.length <= 15 || factor === 1).toBe(true);
        expect(result.minus(product).abs().lte(halfOfLastDigit)).toBe(true);
      }),
    );
  });

  it('grows with the percentage', () => {
    fc.assert(
      fc.property(numbers, numbers, numbers, (one, other, factor) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        return scaled(less, factor) <= scaled(more, factor);
      }),
    );
  });
});

describe('A replacement', () => {
  it('changes the lines of the ingredient and no others', () => {
    const composition = compositionOf([line(WATER, 98), line(OLD, 0.7)], [line(OIL, 1), line(OLD, 0.3)]);
    const { after, shown } = replace(composition, 0.8);
    expect(linesOf(after).map(({ ingredientId, percentage }) => [ingredientId, percentage])).toEqual([
      ['water', 98],
      ['new', 0.56],
      ['oil', 1],
      ['new', 0.24],
    ]);
    expect(after.phases.map(({ name, sortOrder }) => [name, sortOrder])).toEqual([
      ['相1', 1],
      ['相2', 2],
    ]);
    expect(shown).toMatchObject({
      name: '保湿霜',
      versionNumber: { from: 3, to: 4 },
      lineCount: 2,
      share: { from: 1, to: 0.8 },
      totalPercentage: { from: 100, to: 99.8 },
      alreadyContains: false,
      warning: null,
    });
  });

  it('says that the other ingredient is there already, which does not count as replaced', () => {
    const { shown } = replace(compositionOf([line(OLD, 99), line(NEW, 1)]));
    expect(shown).toMatchObject({ lineCount: 1, share: { from: 99, to: 99 }, alreadyContains: true });
  });

  it.each([
    [99.5, 1, null],
    [99.4, 1, 'sum-out-of-bounds'],
    [100.5, 1, null],
    [100.6, 1, 'sum-out-of-bounds'],
    [60, 2, 'line-out-of-range'],
  ] as const)('of %d percent times %d has the warning %s', (sum, factor, warning) => {
    expect(replace(compositionOf([line(OIL, sum - 55), line(OLD, 55)]), factor).shown.warning).toBe(warning);
  });

  it('is balanced by the water', () => {
    const composition = compositionOf([line(OIL, 60), line(WATER, 30), line(OLD, 10)]);
    const [, water] = linesOf(composition);
    expect(replace(composition, 0.5).shown.balancingLine).toEqual({
      id: water!.id,
      ingredientId: 'water',
      ingredient: WATER,
      percentage: { from: 30, to: 35 },
    });
  });

  it('is balanced by the largest line where there is no water, or too little of it', () => {
    const less = compositionOf([line(OIL, 60), line(WATER, 5), line(OLD, 35)]);
    expect(replace(less, 1.2).shown.balancingLine).toMatchObject({
      ingredientId: 'oil',
      percentage: { from: 60, to: 53 },
    });
    const none = compositionOf([line(OIL, 9), line({ ...OIL, id: 'wax' }, 41), line(OLD, 50)]);
    expect(replace(none, 0.9).shown.balancingLine?.ingredientId).toBe('wax');
  });

  it('is balanced by the water that takes the place of something else, too', () => {
    const composition = compositionOf([line(OLD, 10), line(WATER, 60), line(OIL, 30)]);
    const [, water] = linesOf(composition);
    expect(replace(composition, 0.5, WATER).shown.balancingLine).toMatchObject({
      id: water!.id,
      percentage: { from: 60, to: 65 },
    });
  });

  it('is balanced by no line that is replaced, and needs none at 100', () => {
    const both = compositionOf([line(OLD, 90), line(NEW, 10)]);
    expect(replace(both, 1.1).shown.balancingLine).toMatchObject({
      id: linesOf(both)[1]!.id,
      percentage: { from: 10, to: 1 },
    });
    expect(replace(compositionOf([line(OLD, 90), line(OLD, 10)]), 1.1).shown.balancingLine).toBeNull();
    expect(replace(compositionOf([line(OLD, 90), line(WATER, 10)])).shown.balancingLine).toBeNull();
    expect(replace(compositionOf([line(OLD, 90), line(OIL, 10)]), 1.2).shown.balancingLine).toBeNull();
  });

  it('keeps every sum without a factor, and balances exactly with one', () => {
    const parts = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 30_000 })), {
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(parts, fc.integer({ min: 1, max: 2000 }), (given, thousandths) => {
        const composition = compositionOf([
          line(WATER, 50),
          ...given.map(([isOld, part]) => line(isOld ? OLD : OIL, part / 10_000)),
        ]);
        expect(replace(composition).shown.totalPercentage.to).toBe(
          replace(composition).shown.totalPercentage.from,
        );
        const { after, shown } = replace(composition, thousandths / 1000);
        const total = sumOf(linesOf(after).map(({ percentage }) => percentage));
        expect(shown.totalPercentage.to).toBe(total.toNumber());
        const { balancingLine } = shown;
        if (!balancingLine) return;
        const { from, to } = balancingLine.percentage;
        expect(total.minus(from).plus(to).toNumber()).toBe(100);
      }),
    );
  });

  it('may become a line of exactly 100 percent, but not of more', () => {
    const warnings = [1, 1.0001].map(
      (factor) => replace(compositionOf([line(OLD, 100)]), factor).shown.warning,
    );
    expect(warnings).toEqual([null, 'line-out-of-range']);
  });

  it('is told in the description of the version', () => {
    const replacement = { ingredient: OLD, by: NEW, factor: 1 };
    expect(replacedBy(replacement)).toBe('以对羟基苯乙酮替换苯氧乙醇');
    expect(replacedBy({ ...replacement, factor: 0.8 })).toBe('以对羟基苯乙酮替换苯氧乙醇，用量×0.8');
  });

  it('names the suppliers where the Chinese names are equal', () => {
    const glycerin = (supplier: string | null) => ({
      id: 'x',
      inciName: 'Glycerin',
      chineseName: '甘油',
      supplier,
    });
    const description = (from: string | null, to: string | null) =>
      replacedBy({ ingredient: glycerin(from), by: glycerin(to), factor: 1 });
    expect(description('Oleon', 'BASF')).toBe('以甘油（BASF）替换甘油（Oleon）');
    expect(description(null, 'BASF')).toBe('以甘油（BASF）替换甘油');
    expect(description('', null)).toBe('以甘油替换甘油');
    expect(
      replacedBy({ ingredient: { ...OLD, supplier: 'Clariant' }, by: glycerin('BASF'), factor: 1 }),
    ).toBe('以甘油替换苯氧乙醇');
  });
});
