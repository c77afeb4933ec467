import {
  CN,
  declarationOf,
  EU,
  type Material,
  material,
  problemsOf,
  textOf,
  US,
  type Rules,
} from '../../test/support/declarations';

const isComplete = async (materials: readonly Material[], rules: Rules) =>
  (await declarationOf(materials, rules)).isComplete;
const sharesOf = async (materials: readonly Material[], rules: Rules) =>
  (await declarationOf(materials, rules)).entries.map(({ name, percentage }) => [name, percentage]);

describe('several CI numbers', () => {
  it.each(['CI 77491/77492/77499', 'CI 77491 (and) CI 77492', 'Iron Oxides (CI 77491-CI 77499)'])(
    '%s is a blend, whose first number does not stand for all',
    async (name) => {
      const materials = [material('Aqua', 95), material(name, 5, { category: 'colorant' })];
      expect(await textOf(materials, EU)).toBe(`Ingredients: Aqua, [? ${name}]`);
      expect(await problemsOf(materials, EU)).toEqual([`composition-unknown: ${name}`]);
      expect(await isComplete(materials, EU)).toBe(false);
    },
  );
});

describe('one label name', () => {
  it('has the shares of all its substances together, also for the order', async () => {
    const filters = material('Filter', 20, {
      of: [
        ['Zinc Oxide', 40, undefined, '氧化锌'],
        ['Zinc Oxide (nano)', 40, undefined, '氧化锌'],
        ['Aqua', 20, undefined, '水'],
      ],
    });
    const glycerin = material('Glycerin', 10, { chineseName: '甘油' });
    const materials = [filters, glycerin];
    expect(await sharesOf(materials, US)).toEqual([
      ['Zinc Oxide', 16],
      ['Glycerin', 10],
      ['Water', 4],
    ]);
    expect(await sharesOf(materials, CN)).toEqual([
      ['氧化锌', 16],
      ['甘油', 10],
      ['水', 4],
    ]);
    expect(await textOf(materials, EU)).toBe('Ingredients: Glycerin, Zinc Oxide, Zinc Oxide [nano], Aqua');
    const [zinc] = (await declarationOf(materials, US)).entries;
    expect(zinc!.lines.map(({ share }) => share)).toEqual([16]);
  });

  it('is no trace in China where its parts would be', async () => {
    const materials = [
      material('Titanium Dioxide', 0.06, { chineseName: '二氧化钛' }),
      material('CI 77891', 0.06, { chineseName: '二氧化钛' }),
      material('Aqua', 99.88, { chineseName: '水' }),
    ];
    expect(await textOf(materials, CN)).toBe('成分：水、二氧化钛');
  });

  it('of different substances is a fault of the Chinese names', async () => {
    const materials = [
      material('Aqua', 50, { chineseName: '水' }),
      material('Deionized Water', 49, { chineseName: '水' }),
      material('Tocopherol', 0.5, { chineseName: '生育酚' }),
      material('Tocopheryl Acetate', 0.5, { chineseName: '生育酚' }),
    ];
    expect(await sharesOf(materials, CN)).toEqual([
      ['水', 99],
      ['生育酚', 1],
    ]);
    const { problems } = await declarationOf(materials, CN);
    expect(problems).toMatchObject([
      { code: 'same-chinese-name', alternatives: ['Tocopherol', 'Tocopheryl Acetate'] },
    ]);
    expect(problems[0]!.lines).toHaveLength(2);
    expect(await isComplete(materials, CN)).toBe(false);
    expect(await isComplete(materials, EU)).toBe(true);
  });

  it('of a fragrance and of something else is a fault, too', async () => {
    const parfum = material('Parfum', 1, { category: 'fragrance' });
    const aroma = material('Aroma', 1, { category: 'fragrance' });
    const other = material('Rose Powder', 98, { chineseName: '香精' });
    expect(await problemsOf([other, parfum, aroma], CN)).toEqual(['same-chinese-name: Rose Powder']);
    expect(await problemsOf([parfum, aroma], CN)).toEqual([]);
  });

  it('is that of a colorant with its number behind the name, or without', async () => {
    const colorants = [
      material('Titanium Dioxide (CI 77891)', 2, { chineseName: '二氧化钛' }),
      material('CI 77891', 98, { chineseName: '二氧化钛' }),
    ];
    expect(await problemsOf(colorants, CN)).toEqual([]);
  });

  it('is one CI number', async () => {
    const colorants = [
      material('Titanium Dioxide (CI 77891)', 2, { category: 'colorant' }),
      material('CI 77891', 1, { category: 'colorant' }),
    ];
    expect(await sharesOf([...colorants, material('Aqua', 97)], EU)).toEqual([
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

  it('is not known, with its own share', async () => {
    const materials = [base(), material('Glycerin', 50)];
    expect(await textOf(materials, EU)).toBe(`Ingredients: Glycerin, Aqua, [? ${BLEND}]`);
    const { problems } = await declarationOf(materials, EU);
    expect(problems).toMatchObject([{ code: 'composition-unknown', inciName: BLEND }]);
    expect(problems[0]!.maxPercentage).toBe(5);
    expect(await isComplete(materials, EU)).toBe(false);
  });

  it('needs no name where it is an impurity', async () => {
    expect(await isComplete([base('impurity'), material('Glycerin', 50)], EU)).toBe(true);
  });

  it('counts in its fragrance, whose allergens are not known', async () => {
    const rose = material('Rose', 1, {
      category: 'fragrance',
      of: [['Rose (and) Jasmine', 100, 'fragrance']],
    });
    const materials = [material('Aqua', 99), rose];
    expect(await sharesOf(materials, EU)).toEqual([
      ['Aqua', 99],
      ['Parfum', 1],
    ]);
    expect(await problemsOf(materials, EU)).toEqual(['allergens-unknown: Rose']);
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

  it('are not known where its composition names none', async () => {
    const materials = [material('Aqua', 99), fragrance()];
    expect(await problemsOf(materials, EU)).toEqual(['allergens-unknown: Rose']);
    expect(await isComplete(materials, EU)).toBe(false);
    expect(await problemsOf([material('Aqua', 99), fragrance('fragrance-allergen')], EU)).toEqual([]);
    expect(await problemsOf(materials, US)).toEqual([]);
  });

  it('are not known where perfume in another raw material names none', async () => {
    const base = material('Base', 10, {
      of: [
        ['Parfum', 1],
        ['Glycerin', 99],
      ],
    });
    expect(await problemsOf([material('Aqua', 90), base], EU)).toEqual(['allergens-unknown: Base']);
  });
});

describe('a UV filter', () => {
  it('is no colorant because a colorant is the same substance', async () => {
    const materials = [
      material('Titanium Dioxide', 5, { category: 'sunscreen' }),
      material('Pigment', 1, { category: 'colorant', of: [['Titanium Dioxide', 100, 'colorant']] }),
      material('Aqua', 90),
      material('Glycerin', 4),
    ];
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Titanium Dioxide, Glycerin');
  });

  it('is no colorant because its name has a CI number', async () => {
    const materials = [
      material('Titanium Dioxide (CI 77891)', 5, { category: 'sunscreen' }),
      material('Aqua', 91),
      material('Glycerin', 4),
    ];
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Titanium Dioxide (CI 77891), Glycerin');
  });
});

describe('names that are none on a label', () => {
  it('are Chinese names in the EU and the United States', async () => {
    for (const rules of [EU, US]) {
      const materials = [material('Glycerin', 60), material('黄原胶', 40)];
      expect(await textOf(materials, rules)).toBe('Ingredients: Glycerin, [? 黄原胶]');
      expect(await problemsOf(materials, rules)).toEqual(['no-inci-name: 黄原胶']);
      expect(await isComplete(materials, rules)).toBe(false);
    }
  });

  it.each(['Deionized Water', '去离子水', 'Aqua Purificata'])('%s is water', async (name) => {
    const materials = [material('Aqua', 50), material(name, 50)];
    expect(await sharesOf(materials, EU)).toEqual([['Aqua', 100]]);
    expect(await sharesOf(materials, US)).toEqual([['Water', 100]]);
  });
});

describe('colorants of the United States', () => {
  it('have an ampersand in their names', async () => {
    const materials = [
      material('Aqua', 99),
      material('FD&C Yellow No. 5', 0.6, { category: 'colorant' }),
      material('D&C Red No. 7', 0.4, { category: 'colorant' }),
    ];
    expect(await textOf(materials, US)).toBe('Ingredients: Water, FD&C Yellow No. 5, D&C Red No. 7');
    expect(await problemsOf(materials, US)).toEqual([]);
  });

  it.each(['C.I. 77491', 'CI No. 77491', 'CI77491'])('%s is a CI number', async (name) => {
    const materials = [material(name, 1), material('Aqua', 99)];
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, CI 77491');
    expect(await problemsOf(materials, US)).toEqual([`ci-number-only: ${name}`]);
  });
});

describe('a CI number behind a name', () => {
  it.each(['Mica (CI 77019)', 'Titanium Dioxide (CI 77891)'])(
    '%s has a name in the United States',
    async (name) => {
      const materials = [material('Beeswax', 99), material(name, 1, { category: 'colorant' })];
      expect(await textOf(materials, US)).toBe(`Ingredients: Beeswax, ${name}`);
      expect(await problemsOf(materials, US)).toEqual([]);
    },
  );
});

describe('an aroma', () => {
  it('keeps its name among the fragrances', async () => {
    const materials = [
      material('Aqua', 97),
      material('Aroma', 2, { category: 'fragrance' }),
      material('Parfum', 1, { category: 'fragrance' }),
    ];
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Aroma, Parfum');
    expect(await textOf(materials, US)).toBe('Ingredients: Water, Flavor, Fragrance');
    expect(await sharesOf(materials, CN)).toEqual([
      ['中文名', 97],
      ['香精', 3],
    ]);
  });
});
