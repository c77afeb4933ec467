import fc from 'fast-check';
import {
  CN,
  declarationOf,
  EU,
  type Material,
  material,
  type Of,
  textOf,
  US,
  type Rules,
} from '../../test/support/declarations';

const sharesOf = async (name: string, materials: readonly Material[], rules: Rules) => {
  const entry = (await declarationOf(materials, rules)).entries.find((one) => one.name === name)!;
  return [entry.minPercentage, entry.percentage, entry.maxPercentage];
};

describe('an entry with several substances of one line', () => {
  const perfume = material('Rose', 0.995, {
    category: 'fragrance',
    of: [
      ['Parfum', [92, 100]],
      ['Linalool', [0, 5], 'fragrance-allergen'],
      ['Limonene', [0, 5], 'fragrance-allergen'],
    ],
  });

  it('has the share of the line where it contains all of it', async () => {
    const materials = [material('Aqua', 97.006), perfume, material('Yyy', 1), material('Zzz', 0.999)];
    expect(await sharesOf('Parfum', materials, EU)).toEqual([0.995, 0.995, 0.995]);
    expect(await textOf(materials, EU)).toBe('Ingredients: Aqua, Yyy, Zzz, Parfum, Linalool, Limonene');
    expect(await sharesOf('香精', materials, CN)).toEqual([0.995, 0.995, 0.995]);
  });

  it('leaves the rest of the line what it needs', async () => {
    const tinted = material('Tinted', 10, {
      category: 'fragrance',
      of: [
        ['Parfum', [50, 90]],
        ['Linalool', [0, 40], 'fragrance-allergen'],
        ['CI 15985', [10, 20]],
      ],
    });
    expect(await sharesOf('Fragrance', [material('Aqua', 90), tinted], US)).toEqual([8, 8.5, 9]);
  });

  it('is exact for a natural extract with its allergens', async () => {
    const of: Of[] = [
      ['Lavandula Angustifolia Herb Oil', [55, 100]],
      ['Linalool', [0, 40], 'fragrance-allergen'],
      ['Limonene', [0, 5], 'fragrance-allergen'],
    ];
    const materials = [material('Aqua', 98), material('Lavender', 2, { of })];
    expect(await sharesOf('Lavandula Angustifolia Herb Oil', materials, US)).toEqual([2, 2, 2]);
  });

  it('is exact for forms of one substance with one name', async () => {
    const of: Of[] = [
      ['Zinc Oxide', [0, 100]],
      ['Zinc Oxide (nano)', [0, 100]],
    ];
    const materials = [material('Aqua', 98), material('Filter', 2, { of })];
    expect(await sharesOf('Zinc Oxide', materials, US)).toEqual([2, 2, 2]);
  });

  it('is never more or less than the line, and exactly the line where it contains all of it', async () => {
    const share = fc.tuple(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 30, max: 100 }));
    const roles = fc.constantFrom('fragrance-allergen' as const, undefined);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(share, roles), { minLength: 4, maxLength: 20 }), async (parts) => {
        const of = parts.map(([range, role], index): Of => [`Odorant ${index}`, range, role]);
        const isPossible = parts.reduce((sum, [[min]]) => sum + min, 0) <= 100;
        fc.pre(isPossible);
        const rose = material('Rose Fragrance', 0.3, { category: 'fragrance', of });
        expect(await sharesOf('Parfum', [material('Aqua', 99.7), rose], EU)).toEqual([0.3, 0.3, 0.3]);
        const lotion = material('Rose', 0.3, { of: [...of, ['Parfum', [0, 10], 'fragrance']] });
        for (const total of (await declarationOf([material('Aqua', 99.7), lotion], CN)).entries) {
          expect(total.minPercentage >= 0).toBe(true);
          expect(total.percentage >= total.minPercentage && total.maxPercentage >= total.percentage).toBe(
            true,
          );
        }
      }),
    );
  });
});
