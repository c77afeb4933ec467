import Big from 'big.js';
import type { CatalogueEntry, Composition } from './composition';
import { costOf, kilogramsOf } from './cost';

const NIL = '00000000-0000-0000-0000-000000000000';

const composed = (
  ...lines: [percentage: number, catalogue: Partial<CatalogueEntry> | null][]
): Composition => ({
  formulaId: NIL,
  formulaName: '面霜',
  versionNumber: 1,
  createdAt: '2026-01-01T00:00:00.000Z',
  phases: [
    {
      name: '水相',
      sortOrder: 1,
      lines: lines.map(([percentage, catalogue]) => ({
        id: NIL,
        ingredientId: NIL,
        ingredient: { id: NIL, inciName: 'Aqua', chineseName: '水' },
        percentage,
        processNotes: null,
        catalogue: catalogue && {
          functionCategory: 'other',
          unit: 'kg',
          unitPrice: null,
          casNumbers: [],
          ...catalogue,
        },
      })),
    },
  ],
});

const kilograms = (unit: string): string => {
  const mass = kilogramsOf(unit);
  return mass instanceof Big ? mass.toFixed() : mass.reason;
};

describe('kilogramsOf', () => {
  it.each([
    ['kg', '1'],
    ['KG', '1'],
    [' Kg ', '1'],
    ['公斤', '1'],
    ['千克', '1'],
    ['g', '0.001'],
    ['克', '0.001'],
    ['mg', '0.000001'],
    ['毫克', '0.000001'],
    ['t', '1000'],
    ['吨', '1000'],
    ['lb', '0.45359237'],
    ['25 kg', '25'],
    ['25kg', '25'],
    ['0.5 公斤', '0.5'],
    ['５００ｇ', '0.5'],
    ['㎏', '1'],
  ])('%s is %s kg', (unit, expected) => expect(kilograms(unit)).toBe(expected));

  it.each(['l', 'L', 'ml', 'mL', 'ML', '升', '毫升', '5 L', '200毫升'])('%s is a volume', (unit) =>
    expect(kilograms(unit)).toBe('volume'),
  );

  it.each([
    'Mg',
    'MG',
    '5 Mg',
    '500g/瓶',
    '瓶',
    '斤',
    '',
    ' ',
    '0 kg',
    '1,000 kg',
    '-1 kg',
    '1e3 kg',
    'kg kg',
    '25',
  ])('%j is unknown', (unit) => expect(kilograms(unit)).toBe('unknown-unit'));
});

describe('costOf', () => {
  it('adds up exactly what each line costs in a kilogram of the product', () => {
    const cost = costOf(
      composed(
        [0.1, { unitPrice: 100 }],
        [0.2, { unitPrice: 100 }],
        [99.7, { unitPrice: 2500, unit: '25 kg' }],
      ),
    );
    expect(cost.lines.map(({ costPerKg }) => costPerKg?.toFixed())).toEqual(['0.1', '0.2', '99.7']);
    expect(cost.knownCostPerKg.toFixed()).toBe('100');
    expect(cost.costPerKg?.toFixed()).toBe('100');
    expect(cost.pricedPercentage.toFixed()).toBe('100');
  });

  it('knows no cost of a formula with a line that has no usable price, and says why', () => {
    const cost = costOf(
      composed(
        [60, { unitPrice: 10 }],
        [20, { unitPrice: null }],
        [10, null],
        [5, { unitPrice: 1, unit: '升' }],
        [5, { unitPrice: 1, unit: '瓶' }],
      ),
    );
    expect(cost.costPerKg).toBeNull();
    expect(cost.knownCostPerKg.toFixed()).toBe('6');
    expect(cost.pricedPercentage.toFixed()).toBe('60');
    expect(cost.lines.map(({ reason }) => reason)).toEqual([
      undefined,
      'no-price',
      'hidden',
      'volume',
      'unknown-unit',
    ]);
  });

  it('takes a price of zero for a price', () => {
    expect(costOf(composed([100, { unitPrice: 0 }])).costPerKg?.toFixed()).toBe('0');
  });
});
