import { found, inShort, limit, material, part, screened } from '../../../test/support/screenings';
import type { Finding } from './screening-model';
import type { Limit } from '../editions/limit.entity';
import type { ProductType } from '../../formulas/product-types';

/*
 * The pitfalls of tables of limits, one by one: 1 to 5. `more-pitfalls.spec.ts` and `sum-rules.spec.ts` have the
 * others. All limits are made up, in the shape that readers give them.
 */

const LEAVE_ON: readonly ProductType[] = ['face-leave-on', 'body-lotion', 'deodorant', 'baby-leave-on'];
const RINSE_OFF: readonly ProductType[] = ['face-rinse-off', 'shampoo', 'soap'];

describe('1: the basis of a limit', () => {
  const entry = (overrides: Partial<Limit>) =>
    limit({
      annex: 'V',
      kind: 'permitted-only',
      inciNames: ['Benzoic Acid', 'Sodium Benzoate'],
      limitPercent: '0.5',
      basis: 'acid',
      ...overrides,
    });

  it('without a factor cannot be judged', async () => {
    const salt = entry({ inciNames: ['MEA-Benzoate'] });
    expect(await found([material('MEA-Benzoate', 0.4)], [salt])).toEqual([
      'cannot-be-judged (basis) V/1 MEA-Benzoate 0.4',
    ]);
  });

  it('the amount used is named where it is not on the basis of the limit, with a note', async () => {
    const notesOf = async (row: Limit, productType: ProductType = 'face-leave-on') =>
      (await screened([material('Sodium Benzoate', 0.4)], [row], { productType })).findings.map(
        ({ amount, notes }) => [amount?.toFixed(), ...notes],
      );
    const asIs = [['0.4', 'not-converted']];
    expect(await notesOf(entry({ basis: 'phenol' }))).toEqual(asIs);
    expect(await notesOf(entry({ factor: '0.8474' }))).toEqual([['0.33896', 'factor-of-table']]);
    // Not compared at all: for other uses, or nobody knows which.
    expect(await notesOf(entry({ factor: '0.8474', productTypes: ['shampoo'] }))).toEqual(asIs);
    expect(await notesOf(entry({ scope: 'mascara', productTypes: null }), 'eye-make-up')).toEqual(asIs);
    expect(await notesOf(entry({ basis: null, productTypes: ['shampoo'] }))).toEqual([['0.4']]);
  });

  it('with a factor is exact', async () => {
    const withFactor = entry({ factor: '0.8474' });
    expect(await found([material('Sodium Benzoate', 0.59)], [withFactor])).toEqual([
      'not-above-limit V/1 Sodium Benzoate 0.499966',
    ]);
    expect(await found([material('Sodium Benzoate', 0.5901)], [withFactor])).toEqual([
      'above-limit V/1 Sodium Benzoate 0.50005074',
    ]);
  });

  it('is the substance itself where that has its name', async () => {
    expect(await found([material('BENZOIC ACID', 0.5)], [entry({ factor: '0.8474' })])).toEqual([
      'not-above-limit V/1 BENZOIC ACID 0.5',
    ]);
    const [{ notes, substances }] = (
      await screened(
        [material('Etidronic Acid', 1.6)],
        [limit({ inciNames: ['ETIDRONIC ACID'], limitPercent: '1.5', basis: 'etidronic acid' })],
      )
    ).findings as [Finding];
    expect(notes).toEqual(['own-basis']);
    expect(substances[0]!.factor!.toFixed()).toBe('1');
    expect(
      await found(
        [material('Zinc Citrate', 1)],
        [limit({ inciNames: ['Zinc Citrate'], limitPercent: '1', basis: 'zinc' })],
      ),
    ).toEqual(['cannot-be-judged (basis) III/1 Zinc Citrate 1']);
  });
});

describe('2: a raw material is not a substance', () => {
  const row = limit({ inciNames: ['Phenoxyethanol'], limitPercent: '1' });

  it('the expanded composition is compared, at its maximum', async () => {
    const of = [part('Phenoxyethanol', [60, 70]), part('Ethylhexylglycerin', [30, 40])];
    expect(await found([material('Blend', 1.4, { of })], [row])).toEqual([
      'not-above-limit III/1 Phenoxyethanol 0.98',
    ]);
    const { findings } = await screened([material('Blend', 1.5, { of })], [row]);
    expect(findings[0]).toMatchObject({ result: 'above-limit', notes: ['maximum-of-range'] });
  });

  it('a blend without composition, a hidden line and a fragrance without one cannot be judged', async () => {
    const { findings, unexamined } = await screened(
      [
        material('Phenoxyethanol (and) Aqua', 2),
        material('Secret', 3, { category: null }),
        material('Parfum', 0.5, { category: 'fragrance' }),
        material('Rose 1234', 0.25, { category: 'fragrance' }),
      ],
      [row],
    );
    expect(findings.map(inShort)).toEqual([
      'cannot-be-judged (composition) Parfum 0.5',
      'cannot-be-judged (composition) Phenoxyethanol (and) Aqua 2',
      'cannot-be-judged (composition) Rose 1234 0.25',
      'cannot-be-judged (composition) Secret 3',
    ]);
    expect(unexamined.map(({ inciName, reason, amount }) => [inciName, reason, amount.toFixed()])).toEqual([
      ['Phenoxyethanol (and) Aqua', 'blend', '2'],
      ['Secret', 'hidden', '3'],
      ['Parfum', 'fragrance', '0.5'],
      ['Rose 1234', 'fragrance', '0.25'],
    ]);
  });

  it('a blend is still found under the name that an entry has', async () => {
    const mixture = limit({ annex: 'V', entry: '39', inciNames: ['A AND B'], limitPercent: '0.0015' });
    expect(await found([material('A and B', 0.002)], [mixture])).toEqual([
      'above-limit V/39 A and B 0.002',
      'cannot-be-judged (composition) A and B 0.002',
    ]);
  });
});

describe('3: several entries for one substance, by purpose', () => {
  const limits = [
    limit({
      annex: 'V',
      entry: '3',
      kind: 'permitted-only',
      inciNames: ['Salicylic Acid'],
      limitPercent: '0.5',
      purpose: 'preservative',
    }),
    limit({ annex: 'III', entry: '98', inciNames: ['Salicylic Acid'], limitPercent: '2' }),
  ];

  it('are all shown, and the purpose is missing where they contradict each other', async () => {
    expect(await found([material('Salicylic Acid', 1)], limits)).toEqual([
      'above-limit V/3 Salicylic Acid 1',
      'cannot-be-judged (purpose) V/3+III/98 Salicylic Acid 1',
      'not-above-limit III/98 Salicylic Acid 1',
    ]);
    expect(await found([material('Salicylic Acid', 0.4)], limits)).toEqual([
      'not-above-limit III/98 Salicylic Acid 0.4',
      'not-above-limit V/3 Salicylic Acid 0.4',
    ]);
    const [preservative, all] = limits as [Limit, Limit];
    expect(
      await found([material('Salicylic Acid', 0.4)], [preservative, { ...all, limitPercent: '0.3' }]),
    ).toEqual(['above-limit III/98 Salicylic Acid 0.4', 'not-above-limit V/3 Salicylic Acid 0.4']);
    // The limit for all uses holds whatever the purpose.
    expect(await found([material('Salicylic Acid', 3)], limits)).toEqual([
      'above-limit III/98 Salicylic Acid 3',
      'above-limit V/3 Salicylic Acid 3',
    ]);
  });

  it('a purpose narrows them', async () => {
    expect(await found([material('Salicylic Acid', 1)], limits, { purpose: 'Preservative' })).toEqual([
      'above-limit V/3 Salicylic Acid 1',
      'not-above-limit III/98 Salicylic Acid 1',
    ]);
    expect(await found([material('Salicylic Acid', 1)], limits, { purpose: 'peeling' })).toEqual([
      'listed-for-other-uses V/3 Salicylic Acid 1',
      'not-above-limit III/98 Salicylic Acid 1',
    ]);
  });
});

describe('4: product types are free text', () => {
  const unknown = limit({
    inciNames: ['X'],
    limitPercent: '2',
    scope: 'other products except eye shadow',
    productTypes: null,
  });

  it.each([
    ['body-lotion', 'above-limit III/98 X 1'],
    ['deodorant', 'cannot-be-judged (scope) III/98 X 1'],
    ['shampoo', 'listed-for-other-uses III/98 X 1'],
  ] as const)('words for a part of some types: %s is %s', async (productType, result) => {
    const row = limit({
      entry: '98',
      inciNames: ['X'],
      limitPercent: '0.5',
      scope: 'Body lotion, eye shadow, mascara, eyeliner, lipstick, roll-on deodorant',
      productTypes: null,
    });
    expect(await found([material('X', 1)], [row], { productType })).toEqual([result]);
    expect(await found([material('X', 1)], [row], { productType: undefined })).toEqual([
      'cannot-be-judged (product-type) III/98 X 1',
    ]);
  });

  it('an unknown scope cannot be judged', async () => {
    const { findings } = await screened([material('X', 1)], [unknown]);
    expect(findings.map(inShort)).toEqual(['cannot-be-judged (scope) III/1 X 1']);
    expect(findings[0]!.limits[0]!.scope).toBe('other products except eye shadow');
  });

  it('without a product type only limits for all products are judged', async () => {
    const limits = [
      limit({ inciNames: ['X'], limitPercent: '2' }),
      limit({ entry: '2', inciNames: ['X'], limitPercent: '2', productTypes: LEAVE_ON }),
    ];
    expect(await found([material('X', 1)], limits, { productType: undefined })).toEqual([
      'cannot-be-judged (product-type) III/2 X 1',
      'not-above-limit III/1 X 1',
    ]);
  });

  it('of several tiers only those for the product are reported', async () => {
    const tiers = [
      limit({ tier: 'a', inciNames: ['X'], limitPercent: '0.02', productTypes: RINSE_OFF }),
      limit({ tier: 'b', inciNames: ['X'], limitPercent: '0.01', productTypes: LEAVE_ON }),
      limit({ tier: 'c', inciNames: ['X'], limitPercent: '0.0075', productTypes: ['deodorant'] }),
    ];
    expect(await found([material('X', 0.01)], tiers)).toEqual(['not-above-limit III/1b X 0.01']);
    expect(await found([material('X', 0.01)], tiers, { productType: 'shampoo' })).toEqual([
      'not-above-limit III/1a X 0.01',
    ]);
    expect(await found([material('X', 0.01)], tiers, { productType: 'deodorant' })).toEqual([
      'above-limit III/1c X 0.01',
      'not-above-limit III/1b X 0.01',
    ]);
  });
});

it('5: a listed scope can be the only one', async () => {
  for (const kind of ['permitted-only', 'maximum'] as const) {
    const rinseOff = limit({
      kind,
      inciNames: ['Methylisothiazolinone'],
      limitPercent: '0.0015',
      productTypes: RINSE_OFF,
    });
    expect(await found([material('Methylisothiazolinone', 0.001)], [rinseOff])).toEqual([
      'listed-for-other-uses III/1 Methylisothiazolinone 0.001',
    ]);
  }
});
