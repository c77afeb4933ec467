import {
  expansionOf,
  found,
  inShort,
  limit,
  material,
  part,
  screened,
} from '../../../../test/support/screenings';
import type { Limit, ProductType } from '../limit';
import { TooManyComparisons } from './limit-scopes';
import { shownScreening } from '../shown-screening';

/*
 * The pitfalls of tables of limits, one by one. All limits are made up, in the shape that readers give them.
 */

const LEAVE_ON: readonly ProductType[] = ['face-leave-on', 'body-lotion', 'deodorant', 'baby-leave-on'];
const RINSE_OFF: readonly ProductType[] = ['face-rinse-off', 'shampoo', 'soap'];

const wordings = (materials: Parameters<typeof screened>[0], limits: readonly Limit[]) =>
  shownScreening(screened(materials, limits), {
    composition: {
      formulaId: 'f',
      formulaName: 'F',
      versionNumber: 1,
      createdAt: '',
      phases: [],
    },
    edition: {
      id: 'e',
      name: 'EU 2026-08',
      regions: ['eu'],
      rowCount: limits.length,
      importedAt: '2026-08-18T10:00:00.000Z',
      annexes: ['III', 'V'],
      refusedCount: 2,
    },
    region: 'eu',
    productType: 'face-leave-on',
    purpose: undefined,
    on: '2026-12-01',
    lang: 'en',
  });

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

  it('without a factor cannot be judged', () => {
    expect(found([material('Sodium Benzoate', 0.4)], [entry({})])).toEqual([
      'cannot-be-judged (basis) V/1 Sodium Benzoate ?',
    ]);
    expect(
      found(
        [material('Hydrogen Peroxide', 1)],
        [limit({ inciNames: ['HYDROGEN PEROXIDE'], limitPercent: '4', basis: 'H2O2 present or released' })],
      ),
    ).toEqual(['cannot-be-judged (basis) III/1 Hydrogen Peroxide ?']);
  });

  it('with a factor is exact', () => {
    const withFactor = entry({ factor: '0.8474' });
    expect(found([material('Sodium Benzoate', 0.59)], [withFactor])).toEqual([
      'not-above-limit V/1 Sodium Benzoate 0.499966',
    ]);
    expect(found([material('Sodium Benzoate', 0.5901)], [withFactor])).toEqual([
      'above-limit V/1 Sodium Benzoate 0.50005074',
    ]);
  });

  it('is the substance itself where that has its name', () => {
    expect(found([material('BENZOIC ACID', 0.5)], [entry({ factor: '0.8474' })])).toEqual([
      'not-above-limit V/1 BENZOIC ACID 0.5',
    ]);
    const [{ notes, substances }] = screened(
      [material('Etidronic Acid', 1.6)],
      [limit({ inciNames: ['ETIDRONIC ACID'], limitPercent: '1.5', basis: 'etidronic acid' })],
    ).findings as [ReturnType<typeof screened>['findings'][0]];
    expect(notes).toEqual(['own-basis']);
    expect(substances[0]!.factor!.toFixed()).toBe('1');
    expect(
      found(
        [material('Zinc Sulfate', 1)],
        [limit({ inciNames: ['Zinc Sulfate'], limitPercent: '1', basis: 'zinc' })],
      ),
    ).toEqual(['cannot-be-judged (basis) III/1 Zinc Sulfate ?']);
  });
});

describe('2: a raw material is not a substance', () => {
  const row = limit({ inciNames: ['Phenoxyethanol'], limitPercent: '1' });

  it('the expanded composition is compared, at its maximum', () => {
    const of = [part('Phenoxyethanol', [60, 70]), part('Ethylhexylglycerin', [30, 40])];
    expect(found([material('Blend', 1.4, { of })], [row])).toEqual([
      'not-above-limit III/1 Phenoxyethanol 0.98',
    ]);
    const { findings } = screened([material('Blend', 1.5, { of })], [row]);
    expect(findings[0]).toMatchObject({ result: 'above-limit', notes: ['maximum-of-range'] });
  });

  it('a blend without composition, a hidden line and a fragrance without one cannot be judged', () => {
    const { findings, unexamined } = screened(
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

  it('a blend is still found under the name that an entry has', () => {
    const mixture = limit({ annex: 'V', entry: '39', inciNames: ['A AND B'], limitPercent: '0.0015' });
    expect(found([material('A and B', 0.002)], [mixture])).toEqual([
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

  it('are all shown, and the purpose is missing where they contradict each other', () => {
    expect(found([material('Salicylic Acid', 1)], limits)).toEqual([
      'above-limit V/3 Salicylic Acid 1',
      'cannot-be-judged (purpose) V/3+III/98 Salicylic Acid 1',
      'not-above-limit III/98 Salicylic Acid 1',
    ]);
    expect(found([material('Salicylic Acid', 0.4)], limits)).toEqual([
      'not-above-limit III/98 Salicylic Acid 0.4',
      'not-above-limit V/3 Salicylic Acid 0.4',
    ]);
    const [preservative, all] = limits as [Limit, Limit];
    expect(found([material('Salicylic Acid', 0.4)], [preservative, { ...all, limitPercent: '0.3' }])).toEqual(
      ['above-limit III/98 Salicylic Acid 0.4', 'not-above-limit V/3 Salicylic Acid 0.4'],
    );
    // The limit for all uses holds whatever the purpose.
    expect(found([material('Salicylic Acid', 3)], limits)).toEqual([
      'above-limit III/98 Salicylic Acid 3',
      'above-limit V/3 Salicylic Acid 3',
    ]);
  });

  it('a purpose narrows them', () => {
    expect(found([material('Salicylic Acid', 1)], limits, { purpose: 'Preservative' })).toEqual([
      'above-limit V/3 Salicylic Acid 1',
      'not-above-limit III/98 Salicylic Acid 1',
    ]);
    expect(found([material('Salicylic Acid', 1)], limits, { purpose: 'peeling' })).toEqual([
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

  it('an unknown scope cannot be judged', () => {
    const { findings } = screened([material('X', 1)], [unknown]);
    expect(findings.map(inShort)).toEqual(['cannot-be-judged (product-type) III/1 X 1']);
    expect(findings[0]!.limits[0]!.scope).toBe('other products except eye shadow');
  });

  it('without a product type only limits for all products are judged', () => {
    const limits = [
      limit({ inciNames: ['X'], limitPercent: '2' }),
      limit({ entry: '2', inciNames: ['X'], limitPercent: '2', productTypes: LEAVE_ON }),
    ];
    expect(found([material('X', 1)], limits, { productType: undefined })).toEqual([
      'cannot-be-judged (product-type) III/2 X 1',
      'not-above-limit III/1 X 1',
    ]);
  });

  it('of several tiers only those for the product are reported', () => {
    const tiers = [
      limit({ tier: 'a', inciNames: ['X'], limitPercent: '0.02', productTypes: RINSE_OFF }),
      limit({ tier: 'b', inciNames: ['X'], limitPercent: '0.01', productTypes: LEAVE_ON }),
      limit({ tier: 'c', inciNames: ['X'], limitPercent: '0.0075', productTypes: ['deodorant'] }),
    ];
    expect(found([material('X', 0.01)], tiers)).toEqual(['not-above-limit III/1b X 0.01']);
    expect(found([material('X', 0.01)], tiers, { productType: 'shampoo' })).toEqual([
      'not-above-limit III/1a X 0.01',
    ]);
    expect(found([material('X', 0.01)], tiers, { productType: 'deodorant' })).toEqual([
      'above-limit III/1c X 0.01',
      'not-above-limit III/1b X 0.01',
    ]);
  });
});

it('5: a listed scope can be the only one', () => {
  for (const kind of ['permitted-only', 'maximum'] as const) {
    const rinseOff = limit({
      kind,
      inciNames: ['Methylisothiazolinone'],
      limitPercent: '0.0015',
      productTypes: RINSE_OFF,
    });
    expect(found([material('Methylisothiazolinone', 0.001)], [rinseOff])).toEqual([
      'listed-for-other-uses III/1 Methylisothiazolinone 0.001',
    ]);
  }
});

it('6: a number alone clears no row that has conditions', () => {
  const row = limit({ inciNames: ['X'], limitPercent: '1', conditions: 'not in sprays' });
  expect(wordings([material('X', 0.5)], [row]).results[0]!.wording).toBe(
    'not above the limit of entry III/1 for product type face, leave-on; further conditions: not in sprays',
  );
});

describe('7: sum rules', () => {
  const esters = ['Methylparaben', 'Propylparaben', 'Butylparaben'];
  const paraben = (overrides: Partial<Limit>) =>
    limit({ annex: 'V', kind: 'permitted-only', entry: '12', inciNames: esters, ...overrides });
  const parabens = [
    paraben({ tier: 'a', limitPercent: '0.4', inciNames: ['Methylparaben'] }),
    paraben({ tier: 'b', limitPercent: '0.8', sumGroup: 'parabens' }),
    paraben({
      entry: '12a',
      limitPercent: '0.14',
      inciNames: ['Butylparaben', 'Propylparaben'],
      sumGroup: 'butyl and propyl',
    }),
  ];

  it('parabens: a single ester, the mixture, and butyl with propyl inside it', () => {
    expect(found([material('Methylparaben', 0.41)], parabens)).toEqual([
      'above-limit V/12a Methylparaben 0.41',
      'not-above-limit V/12b Methylparaben 0.41',
    ]);
    const mixture = [
      material('Methylparaben', 0.4),
      material('Propylparaben', 0.1),
      material('Butylparaben', 0.05),
    ];
    expect(found(mixture, parabens)).toEqual([
      'above-limit V/12a Butylparaben+Propylparaben 0.15',
      'not-above-limit V/12a Methylparaben 0.4',
      'not-above-limit V/12b Butylparaben+Methylparaben+Propylparaben 0.55',
    ]);
    expect(found([material('Methylparaben', 0.4), material('Propylparaben', 0.41)], parabens)).toEqual([
      'above-limit V/12b Methylparaben+Propylparaben 0.81',
      'above-limit V/12a Propylparaben 0.41',
      'not-above-limit V/12a Methylparaben 0.4',
    ]);
  });

  it('nano and other forms together', () => {
    const forms = [
      limit({
        annex: 'VI',
        entry: '30',
        inciNames: ['ZINC OXIDE'],
        casNumbers: ['1314-13-2'],
        limitPercent: '25',
        sumGroup: 'zinc oxide',
      }),
      limit({
        annex: 'VI',
        entry: '30a',
        inciNames: ['ZINC OXIDE (NANO)'],
        casNumbers: ['1314-13-2'],
        limitPercent: '25',
        sumGroup: 'zinc oxide',
      }),
    ];
    expect(found([material('Zinc Oxide', 15), material('Zinc Oxide (nano)', 10.01)], forms)).toEqual([
      'above-limit VI/30+VI/30a Zinc Oxide+Zinc Oxide (nano) 25.01',
    ]);
    expect(found([material('Zinc Oxide', 25)], forms)).toEqual([
      'not-above-limit VI/30+VI/30a Zinc Oxide 25',
    ]);
  });

  it('entries with limits of their own inside a common sum', () => {
    const limits = [
      limit({
        entry: '286',
        inciNames: ['Cetrimonium Chloride', 'Steartrimonium Chloride'],
        limitPercent: '0.5',
        sumGroup: 'trimonium',
      }),
      limit({
        entry: '287',
        inciNames: ['Behentrimonium Chloride'],
        limitPercent: '3',
        sumGroup: 'trimonium',
      }),
    ];
    const of = (cetrimonium: number, steartrimonium: number, behentrimonium: number) =>
      found(
        [
          material('Cetrimonium Chloride', cetrimonium),
          material('Steartrimonium Chloride', steartrimonium),
          material('Behentrimonium Chloride', behentrimonium),
        ],
        limits,
      ).map((text) => text.replaceAll(/ [A-Z]\S+ Chloride\S*| Chloride/g, ''));
    expect(of(0.3, 0.3, 1)[0]).toMatch(/^above-limit III\/286 .*0\.6$/);
    expect(of(0.2, 0.2, 2.7)[0]).toMatch(/^above-limit III\/287 .*3\.1$/);
    expect(of(0.2, 0.2, 2.6)).toEqual([
      expect.stringMatching(/^not-above-limit III\/286 .*0\.4$/),
      expect.stringMatching(/^not-above-limit III\/287 .*3$/),
    ]);
  });

  it('a group with a row of its own', () => {
    const limits = [
      limit({ entry: '1', inciNames: ['A'], limitPercent: '1', sumGroup: 'g' }),
      limit({ entry: '2', inciNames: ['B'], limitPercent: '1', sumGroup: 'g' }),
      limit({ entry: '3', limitPercent: '0.9', sumGroup: 'g' }),
    ];
    expect(found([material('A', 0.5), material('B', 0.41)], limits)).toEqual([
      'above-limit III/3 A+B 0.91',
      'not-above-limit III/1+III/2 A+B 0.91',
    ]);
  });

  it('retinoids in one equivalent, each with its factor; one without makes the sum unknown', () => {
    const retinoid = (name: string, factor: string | null) =>
      limit({
        entry: '376',
        inciNames: [name],
        limitPercent: '0.3',
        basis: 'retinol',
        factor,
        sumGroup: 'retinoids',
      });
    const limits = [
      retinoid('Retinol', null),
      retinoid('Retinyl Palmitate', '0.546'),
      retinoid('Retinyl Acetate', null),
    ];
    const known = [material('Retinol', 0.2), material('Retinyl Palmitate', 0.2)];
    expect(found(known, limits)).toEqual([
      'above-limit III/376+III/376+III/376 Retinol+Retinyl Palmitate 0.3092',
    ]);
    expect(found([known[1]!, material('Retinyl Acetate', 0.01)], limits)).toEqual([
      'cannot-be-judged (basis) III/376+III/376+III/376 Retinyl Acetate+Retinyl Palmitate ?',
    ]);
    const { findings } = screened([...known, material('Retinyl Acetate', 0.01)], limits);
    expect(findings[0]).toMatchObject({ result: 'above-limit', amount: null });
    expect(findings[0]!.notes).toContain('known-part-above');
  });

  it('a row that does not say whether its substances count together', () => {
    const row = limit({ inciNames: ['A', 'B'], limitPercent: '0.5' });
    expect(found([material('A', 0.3), material('B', 0.3)], [row])).toEqual([
      'cannot-be-judged (basis) III/1 A+B 0.6',
      'not-above-limit III/1 A 0.3',
      'not-above-limit III/1 B 0.3',
    ]);
    expect(found([material('A', 0.2), material('B', 0.3)], [row])).toHaveLength(2);
    const sum = limit({ inciNames: ['A', 'B'], limitPercent: '0.8', sumGroup: 'g' });
    expect(found([material('A', 0.3), material('B', 0.3)], [row, sum])).toEqual([
      'not-above-limit III/1 A 0.3',
      'not-above-limit III/1 B 0.3',
      'not-above-limit III/1 A+B 0.6',
    ]);
  });
});

it('8: exclusions between entries remain conditions as written', () => {
  const limits = [
    limit({
      annex: 'V',
      entry: '39',
      inciNames: ['MCI 3:1'],
      limitPercent: '1',
      conditions: 'not together with entry 57',
    }),
    limit({
      annex: 'V',
      entry: '57',
      inciNames: ['MIT'],
      limitPercent: '1',
      conditions: 'not together with entry 39',
    }),
  ];
  for (const { wording } of wordings([material('MCI 3:1', 0.1), material('MIT', 0.1)], limits).results) {
    expect(wording).toMatch(/further conditions: not together with entry (?:39|57)$/);
  }
});

it('9: names are compared as a whole, never in part', () => {
  const limits = [
    limit({ entry: '12', inciNames: ['Butylparaben', 'Paraben'], limitPercent: '1' }),
    limit({
      annex: 'II',
      entry: '1375',
      kind: 'prohibited',
      inciNames: ['Isobutylparaben'],
      casNumbers: ['4247-02-3'],
    }),
  ];
  expect(found([material('Isobutylparaben', 0.1)], limits)).toEqual([
    'prohibited II/1375 Isobutylparaben 0.1',
  ]);
  expect(found([material('Butylparaben', 0.1)], limits)).toEqual(['not-above-limit III/12 Butylparaben 0.1']);
  expect(found([material('Sodium Isobutylparaben', 0.1)], limits)).toEqual([]);
});

describe('10: INCI names and CAS numbers do not pair up', () => {
  it('each of both finds the row, whatever its position', () => {
    const row = limit({
      inciNames: ['-', 'Name (1)', 'Other'],
      casNumbers: ['122-99-6 (2)', '50-00-0 / 67-63-0'],
      limitPercent: '1',
    });
    expect(found([material('NAME', 2)], [row])).toEqual(['above-limit III/1 NAME 2']);
    const of = [part('Trade 5', 50, { cas: '67-63-0' }), part('Aqua', 50)];
    const { findings } = screened([material('Blend', 4, { of })], [row]);
    expect(inShort(findings[0]!)).toBe('above-limit III/1 Trade 5 2');
    expect(findings[0]!.substances[0]!.match).toEqual({
      by: 'cas-number',
      value: '67-63-0',
      isOtherForm: false,
    });
    expect(found([material('Name\u00ad', 2)], [row])).toEqual(['above-limit III/1 Name\u00ad 2']);
  });

  it('a CAS number of nano and other forms finds the row of the form', () => {
    const forms = [
      limit({
        entry: '1',
        inciNames: ['OXIDE'],
        casNumbers: ['1314-13-2'],
        limitPercent: '1',
        kind: 'permitted-only',
      }),
      limit({
        entry: '2',
        inciNames: ['OXIDE (NANO)'],
        casNumbers: ['1314-13-2'],
        limitPercent: '1',
        kind: 'permitted-only',
      }),
    ];
    const ofForm = (role?: 'nano') => [
      part('Trade Oxide', 100, { cas: '1314-13-2', ...(role ? { role } : {}) }),
    ];
    expect(found([material('Powder', 2, { of: ofForm() })], forms)).toEqual([
      'above-limit III/1 Trade Oxide 2',
    ]);
    expect(found([material('Powder', 2, { of: ofForm('nano') })], forms)).toEqual([
      'above-limit III/2 Trade Oxide (nano) 2',
    ]);
    expect(found([material('Powder', 2, { of: ofForm() })], [forms[1]!])).toEqual([]);
    // A list that does not name the nano form does not list it.
    expect(found([material('Powder', 2, { of: ofForm('nano') })], [forms[0]!])).toEqual([
      'listed-for-other-uses III/1 Trade Oxide (nano) 2',
    ]);
    expect(
      found([material('Powder', 2, { of: ofForm('nano') })], [{ ...forms[0]!, kind: 'prohibited' }]),
    ).toEqual(['prohibited III/1 Trade Oxide (nano) 2']);
  });
});

it('11: numbers are compared as decimals, and a row without one is not compared', () => {
  const row = limit({ inciNames: ['X'], limitPercent: '0.3' });
  // In binary floats 0.1 + 0.2 is more than 0.3.
  expect(found([material('X', 0.1), material('X', 0.2)], [row])).toEqual(['not-above-limit III/1 X 0.3']);
  const none = limit({ inciNames: ['X'], limitPercent: null, limitText: '> 0,1 % ≤ 6 %' });
  expect(found([material('X', 0.1)], [none])).toEqual(['cannot-be-judged (basis) III/1 X 0.1']);
  const colorant = limit({ annex: 'IV', kind: 'permitted-only', inciNames: ['X'] });
  expect(screened([material('X', 0.1)], [colorant]).findings[0]).toMatchObject({
    result: 'not-above-limit',
    notes: ['no-number'],
  });
});

it('12: dates: what begins later or has ended is not used, and what begins later is listed', () => {
  const until = limit({ entry: '70', inciNames: ['Citral'], limitPercent: '1', validUntil: '2026-12-31' });
  const from = limit({ entry: '70', inciNames: ['Citral'], limitPercent: '0.1', validFrom: '2027-01-01' });
  const of = (on: string) => {
    const { findings, upcoming } = screened([material('Citral', 0.5)], [until, from], { on });
    return [...findings.map(inShort), ...upcoming.map(({ limit: { validFrom } }) => `from ${validFrom}`)];
  };
  expect(of('2026-12-31')).toEqual(['not-above-limit III/70 Citral 0.5', 'from 2027-01-01']);
  expect(of('2027-01-01')).toEqual(['above-limit III/70 Citral 0.5']);
});

it('13: a substance that was moved to the list of prohibited ones is found there first', () => {
  const limits = [
    limit({
      entry: '83',
      kind: 'declare-above',
      inciNames: ['Butylphenyl Methylpropional'],
      limitPercent: '0.001',
    }),
    limit({ annex: 'II', entry: '1666', kind: 'prohibited', inciNames: ['Butylphenyl Methylpropional'] }),
  ];
  expect(found([material('Butylphenyl Methylpropional', 0.01)], limits)).toEqual([
    'prohibited II/1666 Butylphenyl Methylpropional 0.01',
    'declare III/83 Butylphenyl Methylpropional 0.01',
  ]);
});

describe('14: allergens under group names', () => {
  const row = limit({
    entry: '70',
    kind: 'declare-above',
    inciNames: ['Citral', 'Geranial', 'Neral'],
    limitPercent: '0.001',
    productTypes: LEAVE_ON,
  });

  it('are declared strictly above the threshold', () => {
    expect(found([material('Citral', 0.001)], [row])).toEqual(['not-above-limit III/70 Citral 0.001']);
    expect(found([material('Citral', 0.0010001)], [row])).toEqual(['declare III/70 Citral 0.0010001']);
  });

  it('count together', () => {
    expect(found([material('Geranial', 0.0006), material('Neral', 0.0005)], [row])).toEqual([
      'declare III/70 Geranial+Neral 0.0011',
    ]);
  });

  it('a fragrance says which it names, and that the rest was not examined', () => {
    const of = [part('Citral', 2), part('Parfum', 98)];
    const { findings, unexamined } = screened([material('Rose', 0.1, { of, category: 'fragrance' })], [row]);
    expect(findings.map(inShort)).toEqual(['declare III/70 Citral 0.002', 'no-entry-matched Parfum 0.098']);
    expect(unexamined).toMatchObject([{ inciName: 'Parfum', reason: 'fragrance-rest' }]);
    const alone = screened([material('Rose', 0.1, { of: [part('Parfum', 100)] })], [row]);
    expect(alone.findings.map(inShort)).toEqual(['cannot-be-judged (composition) Parfum 0.1']);
  });
});

it('15: tiers that a table describes differently are all shown as written', () => {
  const limits = [
    limit({
      entry: '53',
      tier: 'a',
      inciNames: ['X'],
      limitPercent: '1.5',
      limitText: '1.5 %',
      productTypes: LEAVE_ON,
      source: 'table A',
    }),
    limit({
      entry: '53',
      tier: 'b',
      inciNames: ['X'],
      limitPercent: '0.2',
      limitText: '0,2 %',
      productTypes: LEAVE_ON,
      source: 'table B',
    }),
  ];
  const { results } = wordings([material('X', 1)], limits);
  expect(results.map(({ result, rows: [row] }) => [result, row!.tier, row!.limitText, row!.source])).toEqual([
    ['above-limit', 'b', '0,2 %', 'table B'],
    ['not-above-limit', 'a', '1.5 %', 'table A'],
  ]);
});

it('16: every result names the region, the edition and its date', () => {
  const { results, closing } = wordings(
    [material('X', 1), material('Y', 1)],
    [limit({ inciNames: ['X'], limitPercent: '2' })],
  );
  expect(results).toHaveLength(2);
  for (const result of results) {
    expect(result).toMatchObject({
      region: 'eu',
      edition: 'EU 2026-08',
      editionDate: '2026-08-18',
      productType: 'face-leave-on',
    });
  }
  expect(closing).toBe(
    'Comparison with the loaded table of 2026-08-18. Not legal advice and not a safety assessment. The authentic legal texts and a qualified person decide.',
  );
});

it('without a table there is no data', () => {
  expect(screened([material('X', 1)], null).findings.map(inShort)).toEqual(['no-data ?']);
  expect(expansionOf([]).substances).toEqual([]);
});

it('more comparisons than are made at once are refused', () => {
  const names = Array.from({ length: 101 }, (_, index) => `S${index}`);
  const row = limit({ inciNames: names, limitPercent: '1', sumGroup: 'g' });
  const materials = names.map((name) => material(name, 0.1));
  const of = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...row, basis: String(index) }));
  expect(() => screened(materials, of(400))).not.toThrow();
  // Each member of the group is compared with each row, and counted with each basis.
  expect(() => screened(materials, of(600))).toThrow(TooManyComparisons);
});

it('results of one kind are in the order of the table', () => {
  const limits = [
    ['VI', '1'],
    ['III', '100'],
    ['III', '99'],
    ['V', '1'],
  ].map(([annex, entry]) => limit({ annex: annex!, entry: entry!, inciNames: ['X'], limitPercent: '1' }));
  expect(found([material('X', 2)], limits)).toEqual([
    'above-limit III/99 X 2',
    'above-limit III/100 X 2',
    'above-limit V/1 X 2',
    'above-limit VI/1 X 2',
  ]);
});
