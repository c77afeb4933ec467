import fc from 'fast-check';
import { declarationOf, type Material, type Rules } from '../../test/support/declarations';
import { rangeOf } from './range';

const BASE: Material[] = [
  { name: 'Aqua', percentage: 80, chineseName: '水' },
  { name: 'Glycerin', percentage: 10, chineseName: '甘油' },
  { name: 'Phenoxyethanol', percentage: 0.9, chineseName: '苯氧乙醇' },
  { name: 'Tocopherol', percentage: 0.05, chineseName: '生育酚' },
];
const RED: Material = { name: 'CI 77491', percentage: 2, category: 'colorant', chineseName: '氧化铁红' };
const YELLOW: Material = { name: 'CI 77492', percentage: 3, category: 'colorant', chineseName: '氧化铁黄' };
const WHITE: Material = { name: 'CI 77891', percentage: 4, category: 'colorant', chineseName: '二氧化钛' };

const range = async (shades: readonly (readonly Material[])[], rules: Partial<Rules> = {}) => {
  const declarations = await Promise.all(
    shades.map((materials) =>
      declarationOf(materials, { region: 'eu', productType: 'face-make-up', ...rules }),
    ),
  );
  return rangeOf(
    declarations.map((one, index) => ({ ...one, formulaId: `${index}`, formulaName: `Shade ${index}` })),
  );
};
const changed = (index: number, percentage: number) => BASE.with(index, { ...BASE[index]!, percentage });
const differences = async (...given: Parameters<typeof range>) => {
  const { text, entries, differences: found, isComplete } = await range(...given);
  expect([text, entries, isComplete]).toEqual([null, [], false]);
  return found.map(({ kind, inciName, shares }) => [
    kind,
    inciName,
    ...shares.map(({ percentage }) => percentage),
  ]);
};

describe('rangeOf', () => {
  it.each([
    [
      'eu',
      'Ingredients: Aqua, Glycerin, Phenoxyethanol, Tocopherol, [+/- CI 77491, CI 77492, CI 77891]',
      ['Ingredients: Aqua, Glycerin, Phenoxyethanol, Tocopherol, CI 77491, CI 77891'],
    ],
    [
      'us',
      'Ingredients: Water, Glycerin, Phenoxyethanol, Tocopherol, CI 77891. May contain: CI 77491, CI 77492',
      ['Ingredients: Water, Glycerin, Phenoxyethanol, Tocopherol, CI 77491, CI 77891'],
    ],
    [
      'cn',
      '成分：水、甘油、苯氧乙醇；其他微量成分：生育酚；可能含有的着色剂：氧化铁红、氧化铁黄、二氧化钛',
      ['成分：水、甘油、二氧化钛、氧化铁红、苯氧乙醇；其他微量成分：生育酚'],
    ],
  ] as const)('names the colorants of all shades last: %s', async (region, text, [single]) => {
    const found = await range(
      [
        [...BASE, RED, WHITE],
        [...BASE, WHITE, YELLOW],
      ],
      { region },
    );
    expect(found.text).toBe(text);
    expect(found.differences).toEqual([]);
    const { text: own } = await declarationOf([...BASE, RED, WHITE], { region, productType: 'face-make-up' });
    expect(own).toBe(single);
  });

  it.each(['eu', 'us'] as const)(
    'has no brackets if all shades have the same colorants: %s',
    async (region) => {
      const { text } = await range(
        [
          [...BASE, RED],
          [...BASE, { ...RED, percentage: 1 }],
        ],
        { region },
      );
      expect(text).toMatch(/^Ingredients: (?:Aqua|Water), Glycerin, Phenoxyethanol, Tocopherol, CI 77491$/);
    },
  );

  it('has the words for colorants also if all shades have the same, because their order may differ: cn', async () => {
    const { text } = await range(
      [
        [...BASE, { ...RED, percentage: 20 }, WHITE],
        [...BASE, { ...RED, percentage: 0.05 }, WHITE],
      ],
      { region: 'cn' },
    );
    expect(text).toBe('成分：水、甘油、苯氧乙醇；其他微量成分：生育酚；可能含有的着色剂：氧化铁红、二氧化钛');
  });

  it.each([
    ['eu', 'Ingredients: [+/- CI 77491, CI 77492]'],
    ['us', 'Ingredients: May contain: CI 77491, CI 77492'],
    ['cn', '可能含有的着色剂：氧化铁红、氧化铁黄'],
  ] as const)('has no mark in front of colorants alone: %s', async (region, text) => {
    expect((await range([[RED], [YELLOW]], { region })).text).toBe(text);
  });

  it('names the shades with their colorants, and the least and largest shares', async () => {
    const found = await range([
      [...BASE, RED],
      [...changed(1, 9), YELLOW],
    ]);
    expect(found.formulas.map(({ formulaName, colorants }) => [formulaName, colorants])).toEqual([
      ['Shade 0', ['CI 77491']],
      ['Shade 1', ['CI 77492']],
    ]);
    expect(
      found.entries.map(({ name, minPercentage, maxPercentage }) => [name, minPercentage, maxPercentage]),
    ).toEqual([
      ['Aqua', 80, 80],
      ['Glycerin', 9, 10],
      ['Phenoxyethanol', 0.9, 0.9],
      ['Tocopherol', 0.05, 0.05],
      ['CI 77491', 2, 2],
      ['CI 77492', 3, 3],
    ]);
  });

  it('is complete only if every formula is, and says whose problem it is', async () => {
    const MICA: Material = { name: 'Mica', percentage: 1, category: 'colorant', chineseName: '云母' };
    const found = await range([
      [...BASE, MICA, RED],
      [...BASE, MICA],
      [...BASE, MICA],
    ]);
    expect(found.isComplete).toBe(false);
    expect(found.problems).toMatchObject([
      { code: 'no-ci-number', inciName: 'Mica', formulas: ['Shade 0', 'Shade 1', 'Shade 2'] },
    ]);
  });

  it('names an ingredient that some formulas lack', async () => {
    expect(
      await differences([
        [...BASE, RED],
        [...BASE.slice(0, 3), RED],
      ]),
    ).toEqual([['not-in-all', 'Tocopherol', 0.05, null]]);
    // The same substance is a UV filter in one and a colorant in the other.
    const filter: Material = { ...WHITE, name: 'Titanium Dioxide', category: 'sunscreen' };
    expect(
      await differences([
        [...BASE, filter],
        [...BASE, WHITE],
      ]),
    ).toEqual([['not-in-all', 'Titanium Dioxide', 4, null]]);
    // Colorants of a hair dye are ingredients like others.
    const dyes = [
      [...BASE, RED],
      [...BASE, YELLOW],
    ];
    expect(await differences(dyes, { productType: 'hair-dye' })).toHaveLength(2);
    expect(await differences(dyes, { productType: 'hair-dye', region: 'cn' })).toHaveLength(2);
  });

  it('finds the order that is right for all formulas', async () => {
    // Below 1 percent in one formula, the order is free there.
    const { text } = await range([[...changed(3, 0.95)], [...changed(3, 1.2)], [...changed(3, 0.5)]]);
    expect(text).toBe('Ingredients: Aqua, Glycerin, Tocopherol, Phenoxyethanol');
  });

  it('names what has no common order', async () => {
    expect(await differences([BASE, changed(1, 81)])).toEqual([
      ['order', 'Aqua', 80, 80],
      ['order', 'Glycerin', 10, 81],
    ]);
    // Each two of three formulas agree, all three do not.
    const three = (...shares: [string, number][]) =>
      shares.map(([name, percentage]) => ({ name, percentage }));
    const cycle = [
      three(['A A', 3], ['B B', 2], ['C C', 0.5]),
      three(['B B', 3], ['C C', 2], ['A A', 0.5]),
      three(['C C', 3], ['A A', 2], ['B B', 0.5]),
    ];
    expect(await differences(cycle)).toHaveLength(3);
  });

  it('names what is a trace in some formulas only', async () => {
    expect(await differences([BASE, changed(3, 0.2)], { region: 'cn' })).toEqual([
      ['trace', 'Tocopherol', 0.05, 0.2],
    ]);
    const { text } = await range([BASE, changed(3, 0.1)], { region: 'cn' });
    expect(text).toBe('成分：水、甘油、苯氧乙醇；其他微量成分：生育酚');
  });

  it('contains the label of every shade, in an order that is right for it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(fc.constantFrom(0.05, 0.5, 0.9, 1, 2, 5, 9), { minLength: 5, maxLength: 5 }), {
          minLength: 2,
          maxLength: 4,
        }),
        fc.array(fc.subarray([RED, YELLOW, WHITE]), { minLength: 4, maxLength: 4 }),
        async (shares, colorants) => {
          const shades = shares.map((own, index) => [
            ...own.map((percentage, at) => ({ name: `Substance ${'abcde'[at]}`, percentage })),
            ...colorants[index]!,
          ]);
          const { text, differences: found } = await range(shades);
          // Every order of five, by hand: one is right for all formulas, or there is no label.
          const isRight = (order: readonly number[], own: readonly number[]) =>
            order.every((at, place) =>
              order.slice(place + 1).every((later) => own[later]! < 1 || own[at]! >= own[later]!),
            );
          const orders = permutations([0, 1, 2, 3, 4]);
          const right = orders.filter((order) => shares.every((own) => isRight(order, own)));
          expect(text !== null).toBe(right.length > 0);
          expect(found.length === 0).toBe(text !== null);
          if (text === null) return;
          const names = text.match(/Substance [a-e]/g)!.map((name) => 'abcde'.indexOf(name.at(-1)!));
          expect(right).toContainEqual(names);
          for (const { name } of colorants.slice(0, shades.length).flat()) expect(text).toContain(name);
        },
      ),
      { numRuns: 60 },
    ));
});

const permutations = (items: readonly number[]): number[][] =>
  items.length === 0
    ? [[]]
    : items.flatMap((item) =>
        permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
      );
