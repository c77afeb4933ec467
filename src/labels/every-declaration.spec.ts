import Big from 'big.js';
import fc from 'fast-check';
import { declarationOf, type Of } from '../../test/support/declarations';
import { ciNumberOf } from '../ingredients/raw-materials/registry-numbers';
import type { SubstanceRole } from '../ingredients/raw-materials/substance';
import { LABEL_PRODUCT_TYPES, REGIONS } from './declaration.dto';

describe('for every formula', () => {
  const roles = fc.option(
    fc.constantFrom<SubstanceRole>('fragrance-allergen', 'impurity', 'colorant', 'nano', 'fragrance'),
    {
      nil: undefined,
    },
  );
  const names = fc.constantFrom(
    'Aqua',
    'Water',
    'Glycerin',
    'CI 77891',
    'CI 15850',
    'Linalool',
    'Parfum',
    'A (and) B',
    'Panthenol',
  );
  const of = fc
    .array(fc.tuple(names, fc.integer({ min: 1, max: 1900 }), roles), { minLength: 1, maxLength: 5 })
    .map((parts) => {
      const left = 10_000 - parts.reduce((sum, [, cents]) => sum + cents, 0);
      return [
        ...parts.map(([name, cents, role]): Of => [name, cents / 100, role]),
        ['Balance Oil', left / 100] as Of,
      ];
    });
  const materials = fc.array(
    fc.record({
      name: names,
      percentage: fc.oneof(
        fc.constantFrom(1, 0.1, 0.05),
        fc.integer({ min: 1, max: 500_000 }).map((n) => n / 10_000),
      ),
      category: fc.constantFrom('other', 'fragrance', 'colorant', null),
      of: fc.option(of, { nil: undefined }),
    }),
    { minLength: 1, maxLength: 12 },
  );
  /** A composition is the ingredient's: one for all of its lines. */
  const consistent = materials.map((given) =>
    given.map((one, index) => ({ ...one, name: one.of ? `Blend${index}` : one.name })),
  );
  const rules = fc.record({
    region: fc.constantFrom(...REGIONS),
    productType: fc.constantFrom(...LABEL_PRODUCT_TYPES),
  });

  it('the shares, each counted once, are the formula’s total', async () => {
    await fc.assert(
      fc.asyncProperty(consistent, rules, async (given, how) => {
        const { entries, undeclared } = await declarationOf(given, how);
        const once = [...entries, ...undeclared].reduce(
          (sum, { percentage, countedInFragrance }) => sum.plus(percentage).minus(countedInFragrance),
          new Big(0),
        );
        expect(once.toFixed()).toBe(
          given.reduce((sum, { percentage }) => sum.plus(percentage), new Big(0)).toFixed(),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('the order is that of the region', async () => {
    await fc.assert(
      fc.asyncProperty(consistent, rules, async (given, how) => {
        const { entries } = await declarationOf(given, how);
        const groups =
          how.region === 'cn' ? ['descending', 'trace'] : ['descending', 'below-one-percent', 'colorants'];
        const ranks = entries.map(({ group }) => groups.indexOf(group));
        expect(ranks).not.toContain(-1);
        expect(ranks).toEqual(ranks.toSorted((one, other) => one - other));
        for (const [index, entry] of entries.entries()) {
          const next = entries[index + 1];
          if (entry.group === 'descending')
            expect(entry.percentage > (how.region === 'cn' ? 0.1 : 0.9999999999)).toBe(true);
          if (entry.group === 'trace') expect(entry.percentage <= 0.1).toBe(true);
          if (entry.group === 'below-one-percent') expect(entry.percentage < 1).toBe(true);
          if (!next || next.group !== entry.group) continue;
          if (entry.group !== 'colorants') expect(entry.percentage >= next.percentage).toBe(true);
          else expect((ciNumberOf(entry.inciName) ?? 'Z') <= (ciNumberOf(next.inciName) ?? 'Z')).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('no name stands twice', async () => {
    await fc.assert(
      fc.asyncProperty(consistent, rules, async (given, how) => {
        const known = (await declarationOf(given, how)).entries.flatMap(({ name }) => name ?? []);
        expect(new Set(known).size).toBe(known.length);
      }),
      { numRuns: 500 },
    );
  });
});
