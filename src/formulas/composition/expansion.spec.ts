import Big from 'big.js';
import fc from 'fast-check';
import type { Composition, CompositionLine } from './composition';
import { countContributions, expand, type Expansion } from './expansion';
import type { Substance } from '../../ingredients/raw-materials/substance';

const line = (id: string, inciName: string, percentage: number, more: object = {}): CompositionLine => ({
  id: `line of ${id}`,
  ingredientId: id,
  ingredient: { id, inciName, chineseName: `${inciName}中` },
  percentage,
  processNotes: null,
  catalogue: { functionCategory: 'other', unit: 'kg', unitPrice: null, casNumbers: [], card: null },
  ...more,
});
const composition = (...phases: CompositionLine[][]): Composition => ({
  formulaId: 'f',
  formulaName: 'F',
  versionNumber: 1,
  createdAt: '',
  profile: null,
  phases: phases.map((lines, index) => ({
    name: `phase ${index + 1}`,
    sortOrder: index,
    ingredients: lines,
  })),
});
const substance = (inciName: string, min: number, max = min, more: object = {}): Substance => ({
  inciName,
  chineseName: null,
  casNumber: null,
  ecNumber: null,
  minPercentage: min,
  maxPercentage: max,
  role: null,
  ...more,
});

const shares = ({ substances }: Expansion) =>
  substances.map(({ inciName, share }) => [
    inciName,
    share.min.toNumber(),
    share.middle.toNumber(),
    share.max.toNumber(),
  ]);

it('sums a substance over raw materials and phases, exactly', async () => {
  const blend = [substance('Phenoxyethanol', 70), substance('AQUA', 30)];
  const found = await expand(
    composition(
      [line('w', 'Water', 98.7)],
      [line('b', 'Phenoxyethanol (and) Aqua', 1.1), line('b', 'Phenoxyethanol (and) Aqua', 0.2)],
    ),
    new Map([['b', blend]]),
  );
  expect(shares(found)).toEqual([
    ['Water', 99.09, 99.09, 99.09],
    ['Phenoxyethanol', 0.91, 0.91, 0.91],
  ]);
  expect(
    found.substances[0]!.contributions.map(({ phase, line: { percentage }, share }) => [
      phase,
      percentage,
      share.max.toNumber(),
    ]),
  ).toEqual([
    ['phase 1', 98.7, 98.7],
    ['phase 2', 1.1, 0.33],
    ['phase 2', 0.2, 0.06],
  ]);
});

it('a range has its middle and its maximum', async () => {
  const found = await expand(
    composition([line('b', 'X', 2)]),
    new Map([['b', [substance('A', 5, 10), substance('B', 90, 95)]]]),
  );
  expect(shares(found)).toEqual([
    ['A', 0.1, 0.15, 0.2],
    ['B', 1.8, 1.85, 1.9],
  ]);
});

it('what the rest of the composition leaves of a range has its middle', async () => {
  const found = await expand(
    composition([line('b', 'X', 100), line('c', 'Y', 10)]),
    new Map([
      ['b', [substance('A', 0, 50), substance('Aqua', 60)]],
      ['c', [substance('B', 0, 90), substance('C', 0.1, 20)]],
    ]),
  );
  expect(shares(found)).toEqual([
    ['A', 40, 40, 40],
    ['Aqua', 60, 60, 60],
    ['B', 8, 8.5, 9],
    ['C', 1, 1.5, 2],
  ]);
});

type Range = [min: number, max: number];
it.each<[string, Range, Range, Range, Range]>([
  ['highest shares of exactly 100', [0, 60], [0, 40], [60, 60], [40, 40]],
  ['highest shares above 100', [0, 61], [0, 40], [60, 61], [39, 40]],
  ['highest shares below 100', [0, 59], [0, 40], [0, 59], [0, 40]],
  ['lowest shares of exactly 100', [60, 70], [40, 50], [60, 60], [40, 40]],
  ['lowest shares above 100', [61, 70], [40, 50], [61, 70], [40, 50]],
])('ranges with %s', async (_, one, other, ...expected) => {
  const parts = [substance('A', ...one), substance('B', ...other)];
  const found = await expand(composition([line('b', 'X', 100)]), new Map([['b', parts]]));
  expect(found.substances.map(({ share }) => [share.min.toNumber(), share.max.toNumber()])).toEqual(expected);
});

it('never splits a blend without a composition, and knows nothing of what the reader may not see', async () => {
  const found = await expand(
    composition([line('b', 'A (and) B', 5), line('h', 'Glycerin', 5, { catalogue: null })]),
    new Map(),
  );
  expect(found.substances).toEqual([]);
  expect(found.unknown.map(({ line: { ingredientId }, reason }) => [ingredientId, reason])).toEqual([
    ['b', 'blend'],
    ['h', 'hidden'],
  ]);
});

it('has the CAS numbers of a raw material without a composition, and of another those of its substances', async () => {
  const catalogue = {
    functionCategory: 'other',
    unit: 'kg',
    unitPrice: null,
    casNumbers: ['122-99-6', '56-81-5'],
    card: null,
  };
  const found = await expand(
    composition([line('a', 'Own', 1, { catalogue }), line('b', 'Blend', 1, { catalogue })]),
    new Map([['b', [substance('A', 100)]]]),
  );
  expect(found.substances.map(({ inciName, casNumbers }) => [inciName, casNumbers])).toEqual([
    ['Own', ['122-99-6', '56-81-5']],
    ['A', []],
  ]);
});

it('a nano form is a substance of its own', async () => {
  const found = await expand(
    composition([line('b', 'X', 10)]),
    new Map([
      [
        'b',
        [
          substance('Zinc Oxide', 50),
          substance('Zinc Oxide', 40, 40, { role: 'nano' }),
          substance('Zinc Oxide (nano)', 10),
        ],
      ],
    ]),
  );
  expect(
    found.substances.map(({ inciName, isNano, share }) => [inciName, isNano, share.max.toNumber()]),
  ).toEqual([
    ['Zinc Oxide', false, 5],
    ['Zinc Oxide', true, 5],
  ]);
});

it('counts what it would have to work on', () => {
  const many = new Map([['b', Array.from({ length: 200 }, (_, index) => substance(`S${index}`, 0.5))]]);
  const lines = (count: number) => composition(Array.from({ length: count }, () => line('b', 'X', 0.1)));
  expect(countContributions(lines(50), many)).toBe(10_000);
  expect(countContributions(lines(51), many)).toBe(10_200);
});

describe('a raw material with a strength', () => {
  const solvent = { inciName: 'Aqua', chineseName: '水', casNumber: '7732-18-5', ecNumber: null };
  const catalogue = (casNumbers: string[] = []) => ({
    ...{ functionCategory: 'other', unit: 'kg', unitPrice: null, casNumbers },
    card: { density: null, strength: 70.25, solvent, supplier: null },
  });

  it('is that much of its name, and the solvent', async () => {
    const lines = composition([
      line('p', 'Sorbitol', 10, { catalogue: catalogue(['50-70-4']) }),
      line('w', 'Water', 90),
    ]);
    const found = await expand(lines, new Map());
    expect(shares(found)).toEqual([
      ['Sorbitol', 7.025, 7.025, 7.025],
      ['Aqua', 92.975, 92.975, 92.975],
    ]);
    expect(found.substances.map(({ casNumbers }) => casNumbers)).toEqual([['50-70-4'], ['7732-18-5']]);
    expect(found.substances[1]!.contributions.map(({ role, isGiven }) => [role, isGiven])).toEqual([
      ['solvent', true],
      [null, false],
    ]);
    expect(countContributions(lines, new Map())).toBe(3);
  });

  it('has its composition, where there is one', async () => {
    const lines = composition([line('p', 'Sorbitol', 10, { catalogue: catalogue() })]);
    const found = await expand(lines, new Map([['p', [substance('Sorbitol', 100)]]]));
    expect(shares(found)).toEqual([['Sorbitol', 10, 10, 10]]);
  });

  it('is unknown as far as its name is that of a blend', async () => {
    const found = await expand(
      composition([line('p', 'A (and) B', 10, { catalogue: catalogue() })]),
      new Map(),
    );
    expect(shares(found)).toEqual([['Aqua', 2.975, 2.975, 2.975]]);
    expect(found.unknown.map(({ inciName, share }) => [inciName, share.max.toNumber()])).toEqual([
      ['A (and) B', 7.025],
    ]);
  });
});

describe('for every composition', () => {
  const percent = fc.integer({ min: 1, max: 10_000 }).map((cents) => cents / 100);
  const rawMaterial = fc
    .array(fc.integer({ min: 1, max: 1999 }), { maxLength: 5 })
    .map((parts) => [...parts, 10_000 - parts.reduce((sum, part) => sum + part, 0)])
    .map((parts) => parts.map((part, index) => substance(`S${index}`, part / 100)));
  const lines = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', 'Blend (and) X'), percent), {
    minLength: 1,
    maxLength: 12,
  });

  it('the shares and what is unknown are the whole formula together', async () => {
    await fc.assert(
      fc.asyncProperty(lines, rawMaterial, async (given, substances) => {
        const found = await expand(
          composition(given.map(([id, percentage]) => line(id, id, percentage))),
          new Map([['b', substances]]),
        );
        const total = given.reduce((sum, [, percentage]) => sum.plus(percentage), new Big(0));
        const known = found.substances.reduce((sum, { share }) => sum.plus(share.middle), new Big(0));
        const unknown = found.unknown.reduce(
          (sum, { line: { percentage } }) => sum.plus(percentage),
          new Big(0),
        );
        expect(known.plus(unknown).toFixed()).toBe(total.toFixed());
      }),
    );
  });
});
