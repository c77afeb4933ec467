import {
  CN,
  declarationOf,
  EU,
  EU_RINSE,
  material,
  type Material,
  type Of,
  problemsOf,
  type Share,
  textOf,
  US,
} from '../../test/support/declarations';

it.each([
  [EU, 0.001],
  [EU_RINSE, 0.01],
  [US, null],
  [CN, null],
])('names the threshold of allergens for the EU alone: %j', async (rules, allergensAbove) => {
  expect((await declarationOf([material('Aqua', 100)], rules)).basis).toMatchObject({ allergensAbove });
});

describe('EU', () => {
  it('descends by share; exactly 1 percent is in the ordered part, what is below is not', async () => {
    const { entries } = await declarationOf(
      [
        material('Xanthan Gum', 0.99),
        material('Panthenol', 1),
        material('Glycerin', 5),
        material('Water', 93.01),
      ],
      EU,
    );
    expect(entries.map(({ name, group }) => [name, group])).toEqual([
      ['Aqua', 'descending'],
      ['Glycerin', 'descending'],
      ['Panthenol', 'descending'],
      ['Xanthan Gum', 'below-one-percent'],
    ]);
  });

  it('orders ranges by their middle', async () => {
    const blend = material('Blend', 10, {
      of: [
        ['Wide', [10, 50]],
        ['Narrow', [35, 40]],
        ['Balance', [15, 50]],
      ],
    });
    expect(await textOf([blend], EU)).toBe('Ingredients: Narrow, Balance, Wide');
  });

  it('has a fragrance of ranges with the share of its line, which its parts are together', async () => {
    const perfume = material('Scent', 0.995, {
      category: 'fragrance',
      of: [
        ['Parfum', [92, 100]],
        ['Linalool', [0, 5], 'fragrance-allergen'],
        ['Limonene', [0, 5], 'fragrance-allergen'],
      ],
    });
    const { entries } = await declarationOf(
      [perfume, material('Yyy', 1), material('Zzz', 0.999), material('Aqua', 97.006)],
      EU,
    );
    expect(entries.map(({ name, group }) => [name, group])).toEqual([
      ['Aqua', 'descending'],
      ['Yyy', 'descending'],
      ['Zzz', 'below-one-percent'],
      ['Parfum', 'below-one-percent'],
      ['Linalool', 'below-one-percent'],
      ['Limonene', 'below-one-percent'],
    ]);
    const parfum = entries.find(({ name }) => name === 'Parfum')!;
    expect([parfum.minPercentage, parfum.percentage, parfum.maxPercentage]).toEqual([0.995, 0.995, 0.995]);
  });

  it('has a part of a line with at most what the other parts leave', async () => {
    const perfume = material('Scent', 1, {
      category: 'fragrance',
      of: [
        ['Parfum', [40, 90]],
        ['Linalool', [0, 20], 'fragrance-allergen'],
        ['CI 77891', [10, 30]],
      ],
    });
    const { entries } = await declarationOf([perfume], EU);
    const parfum = entries.find(({ name }) => name === 'Parfum')!;
    expect([parfum.minPercentage, parfum.percentage, parfum.maxPercentage]).toEqual([0.7, 0.8, 0.9]);
  });

  it('has a part at its least where the least of all parts make the whole', async () => {
    const blend = material('Blend', 10, {
      of: [
        ['One', [50, 60]],
        ['Two', [50, 70]],
      ],
    });
    const { entries } = await declarationOf([blend], EU);
    expect(entries.map(({ name, maxPercentage }) => [name, maxPercentage])).toEqual([
      ['One', 5],
      ['Two', 5],
    ]);
  });

  it('has the colorant of a fragrance in its own place', async () => {
    const scent = material('Scent', 1, {
      category: 'fragrance',
      of: [
        ['Parfum', 90, 'fragrance'],
        ['Annatto', 10, 'colorant'],
      ],
    });
    expect(await textOf([scent], EU)).toBe('Ingredients: Parfum, Annatto');
  });

  it.each<[string, Share, readonly Of[]]>([
    ['an impurity', 1, [['Methyl Eugenol', 2, 'impurity']]],
    ['an allergen', 1, [['Linalool', 40, 'fragrance-allergen']]],
    ['what dilutes it', 0.6, [['Helianthus Annuus Seed Oil', 40]]],
  ])('counts a listed oil once, with %s in it', async (_, share, others) => {
    const rest = 100 - (others[0]![1] as number);
    const oil = material('Lavandula Angustifolia Oil', 1, {
      of: [['Lavandula Angustifolia Oil', rest], ...others],
    });
    const { entries } = await declarationOf([oil, material('Aqua', 99)], EU);
    expect(entries.find(({ name }) => name === 'Lavandula Oil/Extract')?.percentage).toBe(share);
  });

  it('keeps the order of the lines where shares are the same', async () => {
    expect(await textOf([material('B', 0.5), material('A', 0.5), material('C', 99)], EU)).toBe(
      'Ingredients: C, B, A',
    );
  });

  it('has colorants last, by CI number, and those by role without one behind them', async () => {
    const materials = [
      material('CI 77891', 5),
      material('Annatto', 3, { of: [['Annatto', 100, 'colorant']] }),
      material('CI 15850:1', 2),
      material('Mica (CI 77019)', 1),
      material('Aqua', 89),
    ];
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, CI 15850:1, CI 77019, CI 77891, Annatto');
    expect(await problemsOf(materials, EU)).toEqual(['no-ci-number: Annatto']);
  });

  it.each(['Mica', 'Calcium Stearate', 'D&C Red No. 7', 'Beta-Carotene'])(
    'has %s, a colorant by its category alone, in its place, and is incomplete',
    async (name) => {
      const materials = [
        material('Aqua', 94),
        material(name, 5, { category: 'colorant' }),
        material('Glycerin', 1),
      ];
      expect(await textOf(materials, EU)).toBe(`Ingredients: Aqua, ${name}, Glycerin`);
      expect(await problemsOf(materials, EU)).toEqual([`no-ci-number: ${name}`]);
      expect((await declarationOf(materials, EU)).isComplete).toBe(false);
    },
  );

  it('has the dyes of a hair dye in their order, without a CI number, and takes it for rinsed off', async () => {
    const materials = [
      material('Aqua', 96),
      material('P-Phenylenediamine', 1.5, { category: 'colorant' }),
      material('CI 60730', 1.3),
      material('Resorcinol', 1.2),
    ];
    const rules = { region: 'eu', productType: 'hair-dye' } as const;
    expect(await declarationOf(materials, rules)).toMatchObject({
      text: 'Ingredients: Aqua, P-Phenylenediamine, CI 60730, Resorcinol',
      problems: [],
      basis: { allergensAbove: 0.01 },
    });
    expect(await textOf(materials, { region: 'eu', productType: 'shampoo' })).toBe(
      'Ingredients: Aqua, P-Phenylenediamine, Resorcinol, CI 60730',
    );
  });

  it('takes from a dispersion only its colorant for one', async () => {
    const dispersion = material('Pigment', 10, {
      category: 'colorant',
      of: [
        ['CI 77491', 60],
        ['Caprylic/Capric Triglyceride', 40],
      ],
    });
    expect(await textOf([dispersion, material('Aqua', 90)], EU)).toBe(
      'Ingredients: Aqua, Caprylic/Capric Triglyceride, CI 77491',
    );
  });

  it('says nano behind the name', async () => {
    const filters = [
      material('Filter', 10, {
        of: [
          ['Zinc Oxide', 60, 'nano'],
          ['Titanium Dioxide (nano)', 40],
        ],
      }),
      material('CI 77891 (nano)', 1),
    ];
    expect(await textOf([...filters, material('Aqua', 89)], EU)).toBe(
      'Ingredients: Aqua, Zinc Oxide [nano], Titanium Dioxide [nano], CI 77891 [nano]',
    );
  });

  const perfume = (percentage: number, linalool: Share = 2): Material =>
    material('Rose 1234', percentage, {
      category: 'fragrance',
      of: [
        ['Linalool', linalool, 'fragrance-allergen'],
        ['Dipropylene Glycol', typeof linalool === 'number' ? 40 : [0, 40]],
        ['Parfum', 58],
      ],
    });

  it('names an allergen that exceeds its threshold, not one that is at it', async () => {
    // 2 percent of 0.05 percent is 0.001 percent.
    expect(await textOf([perfume(0.05), material('Aqua', 99.95)], EU)).toBe('Ingredients: Aqua, Parfum');
    expect(await textOf([perfume(0.0501), material('Aqua', 99.9499)], EU)).toBe(
      'Ingredients: Aqua, Parfum, Linalool',
    );
    expect(await textOf([perfume(0.5), material('Aqua', 99.5)], EU_RINSE)).toBe('Ingredients: Aqua, Parfum');
    expect(await textOf([perfume(0.501), material('Aqua', 99.499)], EU_RINSE)).toBe(
      'Ingredients: Aqua, Parfum, Linalool',
    );
  });

  it('counts no impurity towards the threshold', async () => {
    const impure = material('Citrus Water', 1, {
      of: [
        ['Linalool', 1, 'impurity'],
        ['Aqua', 99],
      ],
    });
    expect(await textOf([perfume(0.05), impure, material('Aqua', 98.95)], EU)).toBe(
      'Ingredients: Aqua, Parfum',
    );
  });

  it('compares the maximum of a range with the threshold', async () => {
    expect(await textOf([perfume(0.05, [0, 2.1]), material('Aqua', 99.95)], EU)).toBe(
      'Ingredients: Aqua, Parfum, Linalool',
    );
  });

  it('sums an allergen over fragrances and other raw materials', async () => {
    const extract = material('Lavender Extract', 1, {
      of: [
        ['Linalool', 0.05, 'fragrance-allergen'],
        ['Aqua', 99.95],
      ],
    });
    const { entries, undeclared } = await declarationOf(
      [perfume(0.04), extract, material('Aqua', 98.96)],
      EU,
    );
    const linalool = entries.find(({ name }) => name === 'Linalool')!;
    expect(linalool).toMatchObject({ kind: 'allergen', inciName: 'Linalool' });
    expect(linalool.maxPercentage).toBe(0.0013);
    expect(linalool.countedInFragrance).toBe(0.0008);
    expect(linalool.lines).toHaveLength(2);
    expect(undeclared).toEqual([]);
  });

  it('leaves out an allergen below the threshold, and says so', async () => {
    const { entries, undeclared } = await declarationOf([perfume(0.04), material('Aqua', 99.96)], EU);
    expect(entries.map(({ name, maxPercentage }) => [name, String(maxPercentage)])).toEqual([
      ['Aqua', '99.96'],
      ['Parfum', '0.04'],
    ]);
    expect(undeclared).toMatchObject([{ inciName: 'Linalool', reason: 'allergen-not-above-threshold' }]);
  });

  it('names a preservative that is also an allergen whatever its share', async () => {
    const materials = [material('Benzyl Alcohol', 0.0005), perfume(0.01), material('Aqua', 99.9895)];
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Parfum, Benzyl Alcohol');
  });

  it('leaves out impurities and processing aids, and says so', async () => {
    const surfactant = material('SLES 70', 10, {
      of: [
        ['Sodium Laureth Sulfate', 70],
        ['Water', 29],
        ['Sodium Sulfate', 0.9, 'impurity'],
        ['Hexane', 0.1, 'processing-aid'],
      ],
    });
    const { entries, undeclared } = await declarationOf(
      [surfactant, material('Sodium Sulfate', 1), material('Aqua', 89)],
      EU,
    );
    expect(entries.map(({ name, percentage }) => [name, String(percentage)])).toEqual([
      ['Aqua', '91.9'],
      ['Sodium Laureth Sulfate', '7'],
      ['Sodium Sulfate', '1'],
    ]);
    expect(
      undeclared.map(({ inciName, reason, percentage }) => [inciName, reason, String(percentage)]),
    ).toEqual([
      ['Sodium Sulfate', 'impurity', '0.09'],
      ['Hexane', 'processing-aid', '0.01'],
    ]);
  });

  it('reports what nobody knows, and never splits it', async () => {
    const materials = [
      material('Aqua', 95),
      material('Phenoxyethanol (and) Ethylhexylglycerin', 1),
      material('Secret', 2, { category: null }),
      material('Parfum', 1),
      material('Rose (and) Jasmine', 1, { category: 'fragrance' }),
    ];
    expect(await textOf(materials, EU)).toBe(
      'Ingredients: Aqua, [? Secret], [? Phenoxyethanol (and) Ethylhexylglycerin], Parfum, [? Rose (and) Jasmine]',
    );
    expect(await problemsOf(materials, EU)).toEqual([
      'composition-unknown: Phenoxyethanol (and) Ethylhexylglycerin',
      'ingredient-hidden: Secret',
      'composition-unknown: Rose (and) Jasmine',
      'allergens-unknown: Parfum',
    ]);
  });

  it('reports a trade name', async () => {
    expect(await problemsOf([material('Matrixyl® 3000', 100)], EU)).toEqual(['trade-name: Matrixyl® 3000']);
  });
});

describe('United States', () => {
  it('has Water and Fragrance, and names no allergens', async () => {
    const perfume = material('Rose', 1, {
      category: 'fragrance',
      of: [['Linalool', 100, 'fragrance-allergen']],
    });
    expect(await textOf([material('Aqua', 94), perfume, material('CI 77891', 5)], US)).toBe(
      'Ingredients: Water, Fragrance, CI 77891',
    );
    expect(await problemsOf([material('CI 77891', 100)], US)).toEqual(['ci-number-only: CI 77891']);
  });
});

describe('China', () => {
  it('has Chinese names, and what is not above 0.1 percent behind its own heading', async () => {
    const materials = [
      material('Aqua', 94.8, { chineseName: '水' }),
      material('Xanthan Gum', 0.1, { chineseName: '黄原胶' }),
      material('Panthenol', 0.1001, { chineseName: '泛醇' }),
      material('Glycerin', 4.9999, { chineseName: '甘油' }),
      material('Parfum', 0.05, { category: 'fragrance', chineseName: '玫瑰香精' }),
    ];
    expect(await textOf(materials, CN)).toBe('成分：水、甘油、泛醇；其他微量成分：黄原胶、香精');
    expect(await problemsOf(materials, CN)).toEqual([]);
  });

  it('reports missing and different Chinese names', async () => {
    const materials = [
      material('Aqua', 50, { chineseName: '纯化水' }),
      material('Water', 30, { chineseName: '水' }),
      material('Blend', 15, { of: [['Glycerin', 100]] }),
      material('Panthenol', 5, { chineseName: 'Panthenol' }),
    ];
    expect(await textOf(materials, CN)).toBe('成分：水、[? Glycerin]、[? Panthenol]');
    const { problems } = await declarationOf(materials, CN);
    expect(problems.map(({ code, alternatives }) => [code, alternatives])).toEqual([
      ['several-chinese-names', ['纯化水', '水']],
      ['no-chinese-name', []],
      ['no-chinese-name', []],
    ]);
  });

  it('takes a CI number for a Chinese name', async () => {
    for (const name of ['CI 77891', 'Pigment White 6']) {
      expect(await textOf([material(name, 100, { chineseName: 'CI 77891' })], CN)).toBe('成分：CI 77891');
    }
  });

  it('has no heading for what there is not', async () => {
    expect(await textOf([material('Aqua', 0.05, { chineseName: '水' })], CN)).toBe('其他微量成分：水');
  });
});
