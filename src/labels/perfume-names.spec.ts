import {
  CN,
  declarationOf,
  EU,
  material,
  type Material,
  type Of,
  problemsOf,
  textOf,
  US,
} from '../../test/support/declarations';
import allergens from '../ingredients/raw-materials/allergen-names.json';
import { isNatural } from '../ingredients/raw-materials/allergen-names';
import { substanceKey } from '../ingredients/raw-materials/substance-names';
import { limit, material as screenedMaterial, part, screened } from '../../test/support/screenings';

const inWater = (name: string, percentage: number, more: Partial<Material> = {}) => [
  material('Aqua', 100 - percentage, { chineseName: '水' }),
  material(name, percentage, { category: 'fragrance', ...more }),
];

describe('the category fragrance', () => {
  it.each([
    ['Sodium Saccharin', '糖精钠'],
    ['Ethyl Acetate', '乙酸乙酯'],
    ['Menthone', '薄荷酮'],
  ])('is no name of %s', async (name, chineseName) => {
    const materials = inWater(name, 2, { chineseName, casNumbers: ['56-81-5'] });
    expect(await declarationOf(materials, EU)).toMatchObject({
      text: `Ingredients: Aqua, ${name}`,
      problems: [],
    });
    expect(await textOf(materials, US)).toBe(`Ingredients: Water, ${name}`);
    expect(await textOf(materials, CN)).toBe(`成分：水、${chineseName}`);
  });

  it.each([EU, US, CN])(
    'is a question where neither a name nor a number says what it is: %j',
    async (rules) => {
      const materials = inWater('Rose 1234', 2, { chineseName: '玫瑰1234' });
      expect(await problemsOf(materials, rules)).toEqual(['fragrance-unclear: Rose 1234']);
      expect((await declarationOf(materials, rules)).isComplete).toBe(false);
      const withParts = inWater('Rose 1234', 2, {
        chineseName: '玫瑰1234',
        of: [['Iso E Super', 100, undefined, '龙涎酮']],
      });
      expect(await problemsOf(withParts, rules)).toEqual(['fragrance-unclear: Rose 1234']);
    },
  );

  it.each([
    ['Parfum', '香精', 'Parfum', 'Fragrance'],
    ['Fragrance (Parfum)', '香精', 'Parfum', 'Fragrance'],
    ['香精', '香精', 'Parfum', 'Fragrance'],
    ['Rose Fragrance 1234', '玫瑰', 'Parfum', 'Fragrance'],
    ['Rose 1234', '玫瑰香精', 'Parfum', 'Fragrance'],
    ['Aroma', '香精', 'Aroma', 'Flavor'],
    ['Peppermint Flavour', '薄荷香精', 'Aroma', 'Flavor'],
    ['Mint 55', '薄荷食用香精', 'Aroma', 'Flavor'],
  ])('%s (%s) is called a perfume', async (name, chineseName, eu, us) => {
    const materials = inWater(name, 2, { chineseName });
    expect(await textOf(materials, EU)).toBe(`Ingredients: Aqua, ${eu}`);
    expect(await problemsOf(materials, EU)).toEqual([`allergens-unknown: ${name}`]);
    expect(await textOf(materials, US)).toBe(`Ingredients: Water, ${us}`);
    expect(await textOf(materials, CN)).toBe('成分：水、香精');
  });
});

const LAVENDER: Of[] = [
  ['Linalool', 33, 'fragrance-allergen', '芳樟醇'],
  ['Linalyl Acetate', 35, 'fragrance-allergen', '乙酸芳樟酯'],
];

describe('an oil with a composition', () => {
  const lavender = (rest: Of, category = 'fragrance') => [
    material('Alcohol Denat.', 98, { chineseName: '变性乙醇' }),
    material('Lavandula Angustifolia Oil', 2, {
      category,
      chineseName: '薰衣草油',
      of: [...LAVENDER, rest],
    }),
  ];

  it.each<[Of, string]>([
    [['Terpenes', 32, 'fragrance'], 'Parfum, '],
    [['Lavandula Angustifolia Oil', 32, 'fragrance'], 'Parfum, '],
    [['Lavandula Angustifolia Oil', 32, 'fragrance-allergen'], 'Parfum, '],
    [['Parfum', 32], 'Parfum, '],
  ])('keeps its own name in the EU beside %j', async (rest, parfum) => {
    const { text, isComplete, entries } = await declarationOf(lavender(rest), EU);
    expect(text).toBe(
      `Ingredients: Alcohol Denat., Lavandula Oil/Extract, ${parfum}Linalyl Acetate, Linalool`,
    );
    expect(isComplete).toBe(true);
    expect(entries.find(({ name }) => name === 'Lavandula Oil/Extract')).toMatchObject({
      percentage: 2,
      countedInFragrance: 2,
      kind: 'allergen',
    });
  });

  it.each(['fragrance', 'other'])('has its catalogue name alone in China, category %s', async (category) => {
    for (const rest of [
      ['Terpenes', 32, 'fragrance'] as const,
      ['Lavandula Angustifolia Oil', 32] as const,
      ['Terpenes', 32] as const,
    ]) {
      expect(await declarationOf(lavender(rest, category), CN)).toMatchObject({
        text: '成分：变性乙醇、薰衣草油',
        isComplete: true,
      });
    }
  });

  it('is what it consists of in the United States', async () => {
    expect(await textOf(lavender(['Lavandula Angustifolia Oil', 32], 'other'), US)).toBe(
      'Ingredients: Alcohol Denat., Lavandula Angustifolia Oil',
    );
    expect(await textOf(lavender(['Terpenes', 32], 'other'), US)).toBe(
      'Ingredients: Alcohol Denat., Linalyl Acetate, Linalool, Terpenes',
    );
  });

  it('does not count what dilutes it', async () => {
    const diluted = [
      material('Aqua', 90),
      material('Rosa Damascena Flower Extract', 10, {
        of: [
          ['Propanediol', 95],
          ['Rosa Damascena Flower Extract', 5],
        ],
      }),
    ];
    expect(
      (await declarationOf(diluted, EU)).entries.map(({ name, percentage }) => [name, percentage]),
    ).toEqual([
      ['Aqua', 90],
      ['Propanediol', 9.5],
      ['Rose Flower Oil/Extract', 0.5],
    ]);
  });
});

describe('each oil and extract of the list', () => {
  const names = [
    ...allergens.ownNames,
    ...Object.entries(allergens.namesOfSeveral).flatMap(([name, several]) => [name, ...several]),
  ].filter((name) => isNatural(substanceKey(name)));

  it('are many', () => expect(names.length).toBeGreaterThan(75));

  it.each(names)('%s is named above the threshold of its line, and screened so', async (name) => {
    for (const rest of [name, 'Terpenes']) {
      for (const [percentage, isAbove] of [
        [0.001, false],
        [0.002, true],
      ] as const) {
        const { entries } = await declarationOf(
          inWater(name, percentage, {
            of: [
              ['Limonene', 65, 'fragrance-allergen'],
              [rest, 35, 'fragrance-allergen'],
            ],
          }),
          EU,
        );
        const declared = entries.filter(
          ({ kind, inciName }) => kind === 'allergen' && inciName !== 'Limonene',
        );
        const own = declared.filter(({ inciName }) => inciName !== rest || rest === name);
        expect(own.map((entry) => entry.percentage)).toEqual(isAbove ? [percentage] : []);
        const { findings } = await screened(
          [
            screenedMaterial(name, percentage, {
              category: 'fragrance',
              of: [
                part('Limonene', 65, { role: 'fragrance-allergen' }),
                part(rest, 35, { role: 'fragrance-allergen' }),
              ],
            }),
          ],
          [limit({ kind: 'declare-above', inciNames: [name], limitPercent: '0.001' })],
        );
        const found = findings.find(({ limits }) => limits.length > 0)!;
        expect([found.result, found.amount!.toNumber()]).toEqual([
          isAbove ? 'declare' : found.result,
          percentage,
        ]);
        if (!isAbove) expect(found.result).not.toBe('declare');
      }
    }
  });
});
