import { ConflictError } from '../../platform/common/errors/service-error';
import {
  expansionOf,
  found,
  inShort,
  limit,
  material,
  part,
  screened,
} from '../../../test/support/screenings';
import type { Limit } from '../editions/limit.entity';
import type { ProductType } from '../../formulas/product-types';
import { screeningOf } from './screening.service';

/*
 * The pitfalls of tables of limits, one by one: 6, and 8 to 16. All limits are made up, in the shape that readers give
 * them.
 */

const LEAVE_ON: readonly ProductType[] = ['face-leave-on', 'body-lotion', 'deodorant', 'baby-leave-on'];

const wordings = async (materials: Parameters<typeof screened>[0], limits: readonly Limit[]) =>
  screeningOf(await screened(materials, limits), {
    composition: {
      formulaId: 'f',
      formulaName: 'F',
      versionNumber: 1,
      createdAt: '',
      profile: null,
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
      refused: [],
      defaultRegions: [],
    },
    region: 'eu',
    productType: 'face-leave-on',
    fromProfile: [],
    purpose: undefined,
    on: '2026-12-01',
    lang: 'en',
  });

it('6: a number alone clears no row that has conditions', async () => {
  const row = limit({ inciNames: ['X'], limitPercent: '1', conditions: 'not in sprays' });
  expect((await wordings([material('X', 0.5)], [row])).results[0]!.wording).toBe(
    'not above the limit of entry III/1 for product type face, leave-on; further conditions: not in sprays',
  );
});

it('8: exclusions between entries remain conditions as written', async () => {
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
  for (const { wording } of (await wordings([material('MCI 3:1', 0.1), material('MIT', 0.1)], limits))
    .results) {
    expect(wording).toMatch(/further conditions: not together with entry (?:39|57)$/);
  }
});

it('9: names are compared as a whole, never in part', async () => {
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
  expect(await found([material('Isobutylparaben', 0.1)], limits)).toEqual([
    'prohibited II/1375 Isobutylparaben 0.1',
  ]);
  expect(await found([material('Butylparaben', 0.1)], limits)).toEqual([
    'not-above-limit III/12 Butylparaben 0.1',
  ]);
  expect(await found([material('Sodium Isobutylparaben', 0.1)], limits)).toEqual([]);
});

describe('10: INCI names and CAS numbers do not pair up', () => {
  it('each of both finds the row, whatever its position', async () => {
    const row = limit({
      inciNames: ['-', 'Name (1)', 'Other'],
      casNumbers: ['122-99-6 (2)', '50-00-0 / 67-63-0'],
      limitPercent: '1',
    });
    expect(await found([material('NAME', 2)], [row])).toEqual(['above-limit III/1 NAME 2']);
    const of = [part('Trade 5', 50, { cas: '67-63-0' }), part('Aqua', 50)];
    const { findings } = await screened([material('Blend', 4, { of })], [row]);
    expect(inShort(findings[0]!)).toBe('above-limit III/1 Trade 5 2');
    expect(findings[0]!.substances[0]!.match).toEqual({
      by: 'cas-number',
      value: '67-63-0',
      isOtherForm: false,
    });
    expect(await found([material('Name\u00ad', 2)], [row])).toEqual(['above-limit III/1 Name\u00ad 2']);
  });

  it('a CAS number of nano and other forms finds the row of the form', async () => {
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
    expect(await found([material('Powder', 2, { of: ofForm() })], forms)).toEqual([
      'above-limit III/1 Trade Oxide 2',
    ]);
    expect(await found([material('Powder', 2, { of: ofForm('nano') })], forms)).toEqual([
      'above-limit III/2 Trade Oxide (nano) 2',
    ]);
    expect(await found([material('Powder', 2, { of: ofForm() })], [forms[1]!])).toEqual([]);
    // A list that does not name the nano form does not list it.
    expect(await found([material('Powder', 2, { of: ofForm('nano') })], [forms[0]!])).toEqual([
      'listed-for-other-uses III/1 Trade Oxide (nano) 2',
    ]);
    expect(
      await found([material('Powder', 2, { of: ofForm('nano') })], [{ ...forms[0]!, kind: 'prohibited' }]),
    ).toEqual(['prohibited III/1 Trade Oxide (nano) 2']);
    // A prohibition holds for the nano form too, also where another one names that.
    const prohibitions = forms.map((form) => ({ ...form, kind: 'prohibited' as const }));
    expect(await found([material('Powder', 2, { of: ofForm('nano') })], prohibitions)).toEqual([
      'prohibited III/1 Trade Oxide (nano) 2',
      'prohibited III/2 Trade Oxide (nano) 2',
    ]);
  });
});

it('11: numbers are compared as decimals, and a row without one is not compared', async () => {
  const row = limit({ inciNames: ['X'], limitPercent: '0.3' });
  // In binary floats 0.1 + 0.2 is more than 0.3.
  expect(await found([material('X', 0.1), material('X', 0.2)], [row])).toEqual([
    'not-above-limit III/1 X 0.3',
  ]);
  const none = limit({ inciNames: ['X'], limitPercent: null, limitText: '> 0,1 % ≤ 6 %' });
  expect(await found([material('X', 0.1)], [none])).toEqual(['cannot-be-judged (basis) III/1 X 0.1']);
  const colorant = limit({ annex: 'IV', kind: 'permitted-only', inciNames: ['X'] });
  expect((await screened([material('X', 0.1)], [colorant])).findings[0]).toMatchObject({
    result: 'not-above-limit',
    notes: ['no-number'],
  });
});

it('12: dates: what begins later or has ended is not used, and what begins later is listed', async () => {
  const until = limit({ entry: '70', inciNames: ['Citral'], limitPercent: '1', validUntil: '2026-12-31' });
  const from = limit({ entry: '70', inciNames: ['Citral'], limitPercent: '0.1', validFrom: '2027-01-01' });
  const of = async (on: string) => {
    const { findings, upcoming } = await screened([material('Citral', 0.5)], [until, from], { on });
    return [...findings.map(inShort), ...upcoming.map(({ limit: { validFrom } }) => `from ${validFrom}`)];
  };
  expect(await of('2026-12-31')).toEqual(['not-above-limit III/70 Citral 0.5', 'from 2027-01-01']);
  expect(await of('2027-01-01')).toEqual(['above-limit III/70 Citral 0.5']);
});

it.each([
  ['2026-12-30', 'no-entry-matched Citral 0.5', 1],
  ['2026-12-31', 'above-limit III/70 Citral 0.5', 0],
  ['2027-01-01', 'no-entry-matched Citral 0.5', 0],
])(
  '12: a limit that is valid for one day is compared with on that day alone: %s',
  async (on, finding, later) => {
    const day = { validFrom: '2026-12-31', validUntil: '2026-12-31' };
    const row = limit({ entry: '70', inciNames: ['Citral'], limitPercent: '0.1', ...day });
    const { findings, upcoming } = await screened([material('Citral', 0.5)], [row], { on });
    expect([...findings.map(inShort), upcoming.length]).toEqual([finding, later]);
  },
);

it.each(['X', 'X (nano)'])(
  '12: a row with a CAS number alone names the substance in every form: %s',
  async (name) => {
    const row = limit({ casNumbers: ['56-81-5'], limitPercent: '1', substance: 'Y' });
    const { findings } = await screened(
      [material('Raw', 2, { of: [part(name, 100, { cas: '56-81-5' })] })],
      [row],
    );
    expect(findings).toMatchObject([
      { result: 'above-limit', substances: [{ match: { isOtherForm: false } }] },
    ]);
  },
);

it('13: a substance that was moved to the list of prohibited ones is found there first', async () => {
  const limits = [
    limit({
      entry: '83',
      kind: 'declare-above',
      inciNames: ['Butylphenyl Methylpropional'],
      limitPercent: '0.001',
    }),
    limit({ annex: 'II', entry: '1666', kind: 'prohibited', inciNames: ['Butylphenyl Methylpropional'] }),
  ];
  expect(await found([material('Butylphenyl Methylpropional', 0.01)], limits)).toEqual([
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

  it('are declared strictly above the threshold', async () => {
    expect(await found([material('Citral', 0.001)], [row])).toEqual(['not-above-limit III/70 Citral 0.001']);
    expect(await found([material('Citral', 0.0010001)], [row])).toEqual(['declare III/70 Citral 0.0010001']);
  });

  it('count together', async () => {
    expect(await found([material('Geranial', 0.0006), material('Neral', 0.0005)], [row])).toEqual([
      'declare III/70 Geranial+Neral 0.0011',
    ]);
  });

  it('a fragrance says which it names, and that the rest was not examined', async () => {
    const of = [part('Citral', 2), part('Parfum', 98)];
    const { findings, unexamined } = await screened(
      [material('Rose', 0.1, { of, category: 'fragrance' })],
      [row],
    );
    expect(findings.map(inShort)).toEqual(['declare III/70 Citral 0.002', 'no-entry-matched Parfum 0.098']);
    expect(unexamined).toMatchObject([{ inciName: 'Parfum', reason: 'fragrance-rest' }]);
    const alone = await screened([material('Rose', 0.1, { of: [part('Parfum', 100)] })], [row]);
    expect(alone.findings.map(inShort)).toEqual(['cannot-be-judged (composition) Parfum 0.1']);
  });
});

it('15: tiers that a table describes differently are all shown as written', async () => {
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
  const { results } = await wordings([material('X', 1)], limits);
  expect(results.map(({ result, rows: [row] }) => [result, row!.tier, row!.limitText, row!.source])).toEqual([
    ['above-limit', 'b', '0,2 %', 'table B'],
    ['not-above-limit', 'a', '1.5 %', 'table A'],
  ]);
});

it('16: every result names the region, the edition and its date', async () => {
  const { results, closing } = await wordings(
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

it('without a table there is no data', async () => {
  expect((await screened([material('X', 1)], null)).findings.map(inShort)).toEqual(['no-data ?']);
  expect((await expansionOf([])).substances).toEqual([]);
});

it('more comparisons than are made at once are refused', async () => {
  const names = Array.from({ length: 101 }, (_, index) => `S${index}`);
  const row = limit({ inciNames: names, limitPercent: '1', sumGroup: 'g' });
  const materials = names.map((name) => material(name, 0.1));
  const of = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...row, basis: String(index) }));
  await screened(materials, of(400));
  // Each member of the group is compared with each row, and counted with each basis.
  await expect(screened(materials, of(600))).rejects.toThrow(ConflictError);
});

it('results of one kind are in the order of the table', async () => {
  const limits = [
    ['VI', '1'],
    ['III', '100'],
    ['III', '99'],
    ['V', '1'],
  ].map(([annex, entry]) => limit({ annex: annex!, entry: entry!, inciNames: ['X'], limitPercent: '1' }));
  expect(await found([material('X', 2)], limits)).toEqual([
    'above-limit III/99 X 2',
    'above-limit III/100 X 2',
    'above-limit V/1 X 2',
    'above-limit VI/1 X 2',
  ]);
});

it.each([5, 7])(
  'a declaration above 5 percent permits nothing for another purpose: %d percent',
  async (share) => {
    const name = 'Zinc Oxide (nano)';
    const rows = [
      limit({
        entry: '1',
        kind: 'prohibited',
        inciNames: [name],
        productTypes: ['shampoo'],
        purpose: 'UV filter',
      }),
      limit({ entry: '1', kind: 'declare-above', inciNames: [name], limitPercent: '5' }),
    ];
    const { findings } = await screened([material(name, share)], rows, { productType: 'lip' });
    expect(findings[0]?.result).toBe('listed-for-other-uses');
  },
);
