import {
  CN,
  declarationOf,
  EU,
  type Material,
  material,
  type Of,
  problemsOf,
  textOf,
  US,
  type Rules,
} from '../../test/support/declarations';

const isComplete = async (materials: readonly Material[], rules: Rules) =>
  (await declarationOf(materials, rules)).isComplete;
const sharesOf = async (materials: readonly Material[], rules: Rules) =>
  (await declarationOf(materials, rules)).entries.map(({ name, percentage }) => [name, percentage]);

describe('allergens of a natural extract', () => {
  const OIL = 'Lavandula Angustifolia Oil';
  const materials = [
    material('Aqua', 97.8, { chineseName: '水' }),
    material('Lavender', 1.2, {
      of: [
        [OIL, 60, undefined, '薰衣草油'],
        ['Linalool', 40, 'fragrance-allergen', '芳樟醇'],
      ],
    }),
    material('Glycerin', 1, { chineseName: '甘油' }),
  ];

  it('count in it, and are declared in addition in the EU', async () => {
    expect(await sharesOf(materials, EU)).toEqual([
      ['Aqua', 97.8],
      ['Lavandula Oil/Extract', 1.2],
      ['Glycerin', 1],
      ['Linalool', 0.48],
    ]);
    const linalool = (await declarationOf(materials, EU)).entries.find(({ name }) => name === 'Linalool')!;
    expect(linalool.countedInFragrance).toBe(0.48);
  });

  it('have no name of their own in the United States and China', async () => {
    expect(await textOf(materials, US)).toBe(`Ingredients: Water, ${OIL}, Glycerin`);
    expect(await textOf(materials, CN)).toBe('成分：水、薰衣草油、甘油');
  });

  it('are on their own beside something that is no extract, or beside two substances', async () => {
    const preservative = material('Preservative', 10, {
      of: [
        ['Dehydroacetic Acid', 10],
        ['Benzyl Alcohol', 90, 'fragrance-allergen'],
      ],
    });
    expect(await textOf([material('Aqua', 90), preservative], US)).toBe(
      'Ingredients: Water, Benzyl Alcohol, Dehydroacetic Acid',
    );
    const oils = material('Oils', 10, {
      of: [
        [OIL, 50],
        ['Squalane', 10],
        ['Linalool', 40, 'fragrance-allergen'],
      ],
    });
    expect(await textOf([material('Aqua', 90), oils], US)).toBe(
      `Ingredients: Water, ${OIL}, Linalool, Squalane`,
    );
  });

  it('are on their own beside a blend of unknown composition', async () => {
    const of: Of[] = [
      [OIL, 50],
      ['Oil (and) Wax', 10],
      ['Linalool', 40, 'fragrance-allergen'],
    ];
    expect(await sharesOf([material('Aqua', 90), material('Blend', 10, { of })], US)).toEqual([
      ['Water', 90],
      [OIL, 5],
      ['Linalool', 4],
      [null, 1],
    ]);
  });

  it('are on their own beside an oil that has none', async () => {
    const scented = [
      material('Aqua', 90),
      material('Scented oil', 10, {
        of: [
          ['Helianthus Annuus Seed Oil', 98],
          ['Linalool', 2, 'fragrance-allergen'],
        ],
      }),
    ];
    for (const rules of [EU, US]) {
      expect(await sharesOf(scented, rules)).toEqual([
        [rules === US ? 'Water' : 'Aqua', 90],
        ['Helianthus Annuus Seed Oil', 9.8],
        ['Linalool', 0.2],
      ]);
    }
  });
});

describe('allergens of oils and extracts without a composition', () => {
  it.each([
    'Lavandula Angustifolia Oil',
    'Citrus Limon Peel Oil',
    'CITRUS AURANTIUM DULCIS (ORANGE) PEEL OIL',
    'Lavandula Oil/Extract',
    'Rosmarinus Officinalis Leaf Extract',
    'Rosa Damascena Flower Water',
    'Jasminum Grandiflorum Flower Absolute',
    'Coriandrum Sativum Seed Oil',
    'Artemisia Argyi Leaf Oil',
    'Tea Tree Leaf Oil',
    'Turpentine',
  ])('%s: they are unknown', async (name) => {
    const materials = [material('Aqua', 99, { chineseName: '水' }), material(name, 1)];
    expect(await problemsOf(materials, EU)).toEqual([`allergens-unknown: ${name}`]);
    expect(await isComplete(materials, EU)).toBe(false);
    expect(await isComplete(materials, US)).toBe(true);
    expect(await problemsOf(materials, CN)).toEqual([]);
  });

  it.each([
    'Helianthus Annuus Seed Oil',
    'Simmondsia Chinensis Seed Oil',
    'Camellia Sinensis Leaf Extract',
    'Rosa Canina Fruit Oil',
    'Rosa Moschata Seed Oil',
    'Salvia Hispanica Seed Oil',
    'Pinus Pinaster Bark Extract',
    'Artemisia Argyi Leaf Extract',
    'Lavender Oil PEG-8 Esters',
    'Rosa Damascena Flower Powder',
    'PEG-40 Hydrogenated Castor Oil',
    'Aqua',
  ])('%s: it has none', async (name) => {
    expect(await problemsOf([material('Glycerin', 99), material(name, 1)], EU)).toEqual([]);
  });

  it('are settled by a composition: of an extract by any, of an oil by one with allergens', async () => {
    const sage = (...of: Of[]) => [material('Aqua', 99), material('Sage', 1, { of })];
    const glycol: Of = ['Propanediol', 80];
    expect(await problemsOf(sage(['Salvia Officinalis Leaf Extract', 20], glycol), EU)).toEqual([]);
    expect(await problemsOf(sage(['Salvia Officinalis Oil', 20], glycol), EU)).toEqual([
      'allergens-unknown: Sage',
    ]);
    const withLinalool = sage(
      ['Salvia Officinalis Oil', 19],
      ['Linalool', [0, 1], 'fragrance-allergen'],
      ['Propanediol', [80, 81]],
    );
    expect(await problemsOf(withLinalool, EU)).toEqual([]);
    expect(await problemsOf(sage(['Salvia Officinalis Oil', 20, 'impurity'], glycol), EU)).toEqual([]);
  });
});
