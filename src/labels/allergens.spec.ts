import {
  CN,
  declarationOf,
  EU,
  EU_RINSE,
  type Material,
  material,
  type Of,
  problemsOf,
  textOf,
  US,
} from '../../test/support/declarations';
import { allergenNameOf } from '../ingredients/raw-materials/allergen-names';

const isComplete = async (materials: readonly Material[]) => (await declarationOf(materials, EU)).isComplete;
const perfume = (percentage: number, ...of: Of[]): Material[] => [
  material('Aqua', 100 - percentage),
  material('Rose 1234', percentage, { category: 'fragrance', of }),
];
const GERANIAL: Of = ['Geranial', 1, 'fragrance-allergen'];
const NERAL: Of = ['Neral', 1, 'fragrance-allergen'];

describe('allergens that are declared under one name', () => {
  const citrus = (percentage: number) => perfume(percentage, ['Parfum', 98], GERANIAL, NERAL);

  it('count together, and are named once', async () => {
    expect(await textOf(citrus(0.09), EU)).toBe('Ingredients: Aqua, Parfum, Citral');
    expect(await textOf(citrus(1), EU)).toBe('Ingredients: Aqua, Parfum, Citral');
    expect(await textOf(citrus(0.09), EU_RINSE)).toBe('Ingredients: Aqua, Parfum');
    const citral = (await declarationOf(citrus(0.09), EU)).entries.find(({ name }) => name === 'Citral')!;
    expect(citral).toMatchObject({ inciName: 'Citral', kind: 'allergen' });
    expect(citral.maxPercentage).toBe(0.0018);
    expect(citral.countedInFragrance).toBe(0.0018);
    expect(citral.lines).toHaveLength(1);
    expect(await problemsOf(citrus(0.09), EU)).toEqual([]);
  });

  it('are not named where together they are at the threshold', async () => {
    expect(await textOf(citrus(0.05), EU)).toBe('Ingredients: Aqua, Parfum');
    const { undeclared } = await declarationOf(citrus(0.05), EU);
    expect(undeclared.map(({ inciName, reason }) => [inciName, reason])).toEqual([
      ['Geranial', 'allergen-not-above-threshold'],
      ['Neral', 'allergen-not-above-threshold'],
    ]);
  });

  it('count together over raw materials, also with the name of the group', async () => {
    const materials = [
      material('Aqua', 99.8),
      material('Rose', 0.08, { category: 'fragrance', of: [['Parfum', 99], GERANIAL] }),
      material('Lemon', 0.12, {
        of: [
          ['Citral', 0.5, 'fragrance-allergen'],
          ['Squalane', 99.5],
        ],
      }),
    ];
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Squalane, Parfum, Citral');
  });

  it('are at most what the line leaves them', async () => {
    const materials = perfume(
      0.02,
      ['Parfum', 95],
      ['Geranial', [0, 5], 'fragrance-allergen'],
      ['Neral', [0, 5], 'fragrance-allergen'],
    );
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Parfum');
    expect(await problemsOf(materials, EU)).toEqual([]);
  });

  it('keep their own names in the United States', async () => {
    const materials = [material('Aqua', 98), material('Geranial', 1), material('Neral', 1)];
    expect(await textOf(materials, US)).toBe('Ingredients: Water, Geranial, Neral');
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Citral');
  });

  it('are oils and extracts, and isomers, too', async () => {
    const oils = material('Oils', 1, {
      of: [
        ['Lavandula Angustifolia Oil', 50],
        ['Lavandula Hybrida Oil', 30, 'fragrance-allergen'],
        ['Alpha-Pinene', 10, 'fragrance-allergen'],
        ['Beta-Pinene', 10, 'fragrance-allergen'],
      ],
    });
    const { entries } = await declarationOf([material('Aqua', 99), oils], EU);
    expect(entries.map(({ name, percentage }) => [name, percentage])).toEqual([
      ['Aqua', 99],
      ['Lavandula Oil/Extract', 0.8],
      ['Pinene', 0.2],
    ]);
  });

  it('are found whatever the spelling of the name', () => {
    expect(allergenNameOf('CITRUS AURANTIUM DULCIS (ORANGE) PEEL OIL')).toBe('Citrus Aurantium Peel Oil');
    expect(allergenNameOf('Trans-Rose Ketone 2 (Trans-Beta-Damascone)')).toBe('Rose Ketones');
    expect(allergenNameOf('linalool*')).toBe('Linalool');
    expect(allergenNameOf('Ionone')).toBeUndefined();
  });
});

describe('an allergen with an unknown name', () => {
  it('may belong to a group', async () => {
    const materials = perfume(0.01, ['Parfum', 99], ['Lemonal', 1, 'fragrance-allergen']);
    expect(await problemsOf(materials, EU)).toEqual(['allergen-name-unknown: Lemonal']);
    expect(await isComplete(materials)).toBe(false);
    expect(await problemsOf(materials, US)).toEqual([]);
    expect(await problemsOf(materials, CN)).toEqual([]);
  });
});

describe('a substance of a fragrance without a role', () => {
  const withLinalool = (percentage: number, role?: Of[2]) =>
    perfume(percentage, ['Parfum', 94], ['Limonene', 1, 'fragrance-allergen'], ['Linalool', 5, role]);

  it('may be an allergen beside one that is marked as one', async () => {
    const materials = withLinalool(1);
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Parfum, Limonene');
    expect(await problemsOf(materials, EU)).toEqual(['allergen-role-unknown: Linalool']);
    const [problem] = (await declarationOf(materials, EU)).problems;
    expect(problem!.maxPercentage).toBe(0.05);
    expect(await isComplete(materials)).toBe(false);
    expect(await problemsOf(materials, US)).toEqual([]);
  });

  it('is none with another role, below the threshold, or where the list names it', async () => {
    expect(await problemsOf(withLinalool(1, 'solvent'), EU)).toEqual([]);
    expect(await problemsOf(withLinalool(0.02), EU)).toEqual([]);
    expect(await problemsOf([...withLinalool(1), material('Linalool', 0.1)], EU)).toEqual([]);
    const other = material('Other', 1, {
      category: 'fragrance',
      of: [['Linalool', 100, 'fragrance-allergen']],
    });
    expect(await problemsOf([...withLinalool(1), other], EU)).toEqual([]);
  });

  it('counts with the others of its group', async () => {
    const materials = perfume(
      0.09,
      ['Parfum', 97],
      ['Limonene', 1, 'fragrance-allergen'],
      ['Geranial', 1],
      ['Neral', 1],
    );
    expect(await problemsOf(materials, EU)).toEqual([
      'allergen-role-unknown: Geranial',
      'allergen-role-unknown: Neral',
    ]);
  });
});
