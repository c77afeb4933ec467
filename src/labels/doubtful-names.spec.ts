import {
  CN,
  declarationOf,
  EU,
  type Material,
  material,
  problemsOf,
  textOf,
  US,
} from '../../test/support/declarations';
import { isIncomplete } from './declaration-problems';
import type { DeclarationRules } from './declaration-model';

const isComplete = (materials: readonly Material[], rules: DeclarationRules) =>
  !declarationOf(materials, rules).problems.some(isIncomplete);
const sharesOf = (materials: readonly Material[], rules: DeclarationRules) =>
  declarationOf(materials, rules).entries.map(({ name, share }) => [name, share.middle.toNumber()]);

describe('several CI numbers', () => {
  it.each(['CI 77491/77492/77499', 'CI 77491 (and) CI 77492', 'Iron Oxides (CI 77491-CI 77499)'])(
    '%s is a blend, whose first number does not stand for all',
    (name) => {
      const materials = [material('Aqua', 95), material(name, 5, { category: 'colorant' })];
      expect(textOf(materials, EU)).toBe(`Ingredients: Aqua, [? ${name}]`);
      expect(problemsOf(materials, EU)).toEqual([`composition-unknown: ${name}`]);
      expect(isComplete(materials, EU)).toBe(false);
    },
  );
});

describe('one label name', () => {
  it('has the shares of all its substances together, also for the order', () => {
    const filters = material('Filter', 20, {
      of: [
        ['Zinc Oxide', 40, undefined, '氧化锌'],
        ['Zinc Oxide (nano)', 40, undefined, '氧化锌'],
        ['Aqua', 20, undefined, '水'],
      ],
    });
    const glycerin = material('Glycerin', 10, { chineseName: '甘油' });
    const materials = [filters, glycerin];
    expect(sharesOf(materials, US)).toEqual([
      ['Zinc Oxide', 16],
      ['Glycerin', 10],
      ['Water', 4],
    ]);
    expect(sharesOf(materials, CN)).toEqual([
      ['氧化锌', 16],
      ['甘油', 10],
      ['水', 4],
    ]);
    expect(textOf(materials, EU)).toBe('Ingredients: Glycerin, Zinc Oxide, Zinc Oxide [nano], Aqua');
    const [zinc] = declarationOf(materials, US).entries;
    expect(zinc!.origins.map(({ share }) => share.middle.toNumber())).toEqual([16]);
  });

  it('is no trace in China where its parts would be', () => {
    const materials = [
      material('Titanium Dioxide', 0.06, { chineseName: '二氧化钛' }),
      material('CI 77891', 0.06, { chineseName: '二氧化钛' }),
      material('Aqua', 99.88, { chineseName: '水' }),
    ];
    expect(textOf(materials, CN)).toBe('成分：水、二氧化钛');
  });

  it('of different substances is a fault of the Chinese names', () => {
    const materials = [
      material('Aqua', 50, { chineseName: '水' }),
      material('Deionized Water', 49, { chineseName: '水' }),
      material('Tocopherol', 0.5, { chineseName: '生育酚' }),
      material('Tocopheryl Acetate', 0.5, { chineseName: '生育酚' }),
    ];
    expect(sharesOf(materials, CN)).toEqual([
      ['水', 99],
      ['生育酚', 1],
    ]);
    const { problems } = declarationOf(materials, CN);
    expect(problems).toMatchObject([
      { code: 'same-chinese-name', alternatives: ['Tocopherol', 'Tocopheryl Acetate'] },
    ]);
    expect(problems[0]!.origins).toHaveLength(2);
    expect(isComplete(materials, CN)).toBe(false);
    expect(isComplete(materials, EU)).toBe(true);
  });

  it('of a fragrance and of something else is a fault, too', () => {
    const parfum = material('Parfum', 1, { category: 'fragrance' });
    const aroma = material('Aroma', 1, { category: 'fragrance' });
    const other = material('Rose Powder', 98, { chineseName: '香精' });
    expect(problemsOf([other, parfum, aroma], CN)).toEqual(['same-chinese-name: Rose Powder']);
    expect(problemsOf([parfum, aroma], CN)).toEqual([]);
  });

  it('is that of a colorant with its number behind the name, or without', () => {
    const colorants = [
      material('Titanium Dioxide (CI 77891)', 2, { chineseName: '二氧化钛' }),
      material('CI 77891', 98, { chineseName: '二氧化钛' }),
    ];
    expect(problemsOf(colorants, CN)).toEqual([]);
  });

  it('is one CI number', () => {
    const colorants = [
      material('Titanium Dioxide (CI 77891)', 2, { category: 'colorant' }),
      material('CI 77891', 1, { category: 'colorant' }),
    ];
    expect(sharesOf([...colorants, material('Aqua', 97)], EU)).toEqual([
      ['Aqua', 97],
      ['CI 77891', 3],
    ]);
  });
});

describe('a blend in a given composition', () => {
  const BLEND = 'Phenoxyethanol (and) Ethylhexylglycerin';
  const base = (role?: 'impurity') =>
    material('Base', 50, {
      of: [
        ['Aqua', 90],
        [BLEND, 10, role],
      ],
    });

  it('is not known, with its own share', () => {
    const materials = [base(), material('Glycerin', 50)];
    expect(textOf(materials, EU)).toBe(`Ingredients: Glycerin, Aqua, [? ${BLEND}]`);
    const { problems } = declarationOf(materials, EU);
    expect(problems).toMatchObject([{ code: 'composition-unknown', inciName: BLEND }]);
    expect(problems[0]!.share.max.toNumber()).toBe(5);
    expect(isComplete(materials, EU)).toBe(false);
  });

  it('needs no name where it is an impurity', () => {
    expect(isComplete([base('impurity'), material('Glycerin', 50)], EU)).toBe(true);
  });

  it('counts in its fragrance, whose allergens are not known', () => {
    const rose = material('Rose', 1, { category: 'fragrance', of: [['Rose (and) Jasmine', 100]] });
    const materials = [material('Aqua', 99), rose];
    expect(sharesOf(materials, EU)).toEqual([
      ['Aqua', 99],
      ['Parfum', 1],
    ]);
    expect(problemsOf(materials, EU)).toEqual(['allergens-unknown: Rose']);
  });
});

describe('allergens of a fragrance', () => {
  const fragrance = (role?: 'fragrance-allergen') =>
    material('Rose', 1, {
      category: 'fragrance',
      of: [
        ['Parfum', 90],
        ['Linalool', 10, role],
      ],
    });

  it('are not known where its composition names none', () => {
    const materials = [material('Aqua', 99), fragrance()];
    expect(problemsOf(materials, EU)).toEqual(['allergens-unknown: Rose']);
    expect(isComplete(materials, EU)).toBe(false);
    expect(problemsOf([material('Aqua', 99), fragrance('fragrance-allergen')], EU)).toEqual([]);
    expect(problemsOf(materials, US)).toEqual([]);
  });

  it('are not known where perfume in another raw material names none', () => {
    const base = material('Base', 10, {
      of: [
        ['Parfum', 1],
        ['Glycerin', 99],
      ],
    });
    expect(problemsOf([material('Aqua', 90), base], EU)).toEqual(['allergens-unknown: Base']);
  });
});

describe('a UV filter', () => {
  it('is no colorant because a colorant is the same substance', () => {
    const materials = [
      material('Titanium Dioxide', 5, { category: 'sunscreen' }),
      material('Pigment', 1, { category: 'colorant', of: [['Titanium Dioxide', 100, 'colorant']] }),
      material('Aqua', 90),
      material('Glycerin', 4),
    ];
    expect(textOf(materials, EU)).toBe('Ingredients: Aqua, Titanium Dioxide, Glycerin');
  });

  it('is no colorant because its name has a CI number', () => {
    const materials = [
      material('Titanium Dioxide (CI 77891)', 5, { category: 'sunscreen' }),
      material('Aqua', 91),
      material('Glycerin', 4),
    ];
    expect(textOf(materials, EU)).toBe('Ingredients: Aqua, Titanium Dioxide (CI 77891), Glycerin');
  });
});

describe('names that are none on a label', () => {
  it('are Chinese names in the EU and the United States', () => {
    for (const rules of [EU, US]) {
      const materials = [material('Glycerin', 60), material('黄原胶', 40)];
      expect(textOf(materials, rules)).toBe('Ingredients: Glycerin, [? 黄原胶]');
      expect(problemsOf(materials, rules)).toEqual(['no-inci-name: 黄原胶']);
      expect(isComplete(materials, rules)).toBe(false);
    }
  });

  it.each(['Deionized Water', '去离子水', 'Aqua Purificata'])('%s is water', (name) => {
    const materials = [material('Aqua', 50), material(name, 50)];
    expect(sharesOf(materials, EU)).toEqual([['Aqua', 100]]);
    expect(sharesOf(materials, US)).toEqual([['Water', 100]]);
  });
});

describe('colorants of the United States', () => {
  it('have an ampersand in their names', () => {
    const materials = [
      material('Aqua', 99),
      material('FD&C Yellow No. 5', 0.6, { category: 'colorant' }),
      material('D&C Red No. 7', 0.4, { category: 'colorant' }),
    ];
    expect(textOf(materials, US)).toBe('Ingredients: Water, FD&C Yellow No. 5, D&C Red No. 7');
    expect(problemsOf(materials, US)).toEqual([]);
  });

  it.each(['C.I. 77491', 'CI No. 77491', 'CI77491'])('%s is a CI number', (name) => {
    const materials = [material(name, 1), material('Aqua', 99)];
    expect(textOf(materials, EU)).toBe('Ingredients: Aqua, CI 77491');
    expect(problemsOf(materials, US)).toEqual([`ci-number-only: ${name}`]);
  });
});

describe('a CI number behind a name', () => {
  it.each(['Mica (CI 77019)', 'Titanium Dioxide (CI 77891)'])(
    '%s has a name in the United States',
    (name) => {
      const materials = [material('Cera Alba', 99), material(name, 1, { category: 'colorant' })];
      expect(textOf(materials, US)).toBe(`Ingredients: Cera Alba, ${name}`);
      expect(problemsOf(materials, US)).toEqual([]);
    },
  );
});

describe('an aroma', () => {
  it('keeps its name among the fragrances', () => {
    const materials = [
      material('Aqua', 97),
      material('Aroma', 2, { category: 'fragrance' }),
      material('Parfum', 1, { category: 'fragrance' }),
    ];
    expect(textOf(materials, EU)).toBe('Ingredients: Aqua, Aroma, Parfum');
    expect(textOf(materials, US)).toBe('Ingredients: Water, Flavor, Fragrance');
    expect(sharesOf(materials, CN)).toEqual([
      ['中文名', 97],
      ['香精', 3],
    ]);
  });
});
