import { readImportFile } from '../../../imports/read-import-file';
import { LIMIT_FILE, limitsOf } from './limit-file';
import type { LimitDraft } from './limit-draft';
import { ALL, LEAVE_ON, ORAL, RINSE_OFF, RINSE_OFF_HAIR, without } from './product-families';

const cell = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
const csv = (...rows: readonly (readonly string[])[]) =>
  rows.map((row) => row.map(cell).join(',')).join('\n');

async function read(text: string) {
  return limitsOf(await readImportFile(Buffer.from(text), LIMIT_FILE));
}

/*
 * The columns of the sample. The substances and numbers are made up; their forms are those of the real rows.
 */

const SAMPLE =
  'region,annex,entry,substance,inciName,cas,productScope,limitPercent,unit/as,condition,source'.split(',');
const ALL_PRODUCTS = 'all (no product type given)';

interface SampleRow {
  region?: string;
  annex?: string;
  entry?: string;
  substance?: string;
  names?: string;
  cas?: string;
  scope?: string;
  limit?: string;
  unit?: string;
  condition?: string;
}

const sampleRow = (row: SampleRow) => [
  row.region ?? 'EU',
  row.annex ?? 'III',
  row.entry ?? '901',
  row.substance ?? 'Examplin',
  row.names ?? 'EXAMPLIN',
  row.cas ?? '',
  row.scope ?? ALL_PRODUCTS,
  row.limit ?? '',
  row.unit ?? '%',
  row.condition ?? '',
  'made up for a test',
];

const readSample = (...rows: readonly SampleRow[]) => read(csv(SAMPLE, ...rows.map(sampleRow)));

async function readOne(row: SampleRow): Promise<LimitDraft> {
  const { limits, refused } = await readSample(row);
  expect(refused).toEqual([]);
  return limits[0]!;
}

async function refusalOf(row: SampleRow) {
  const { limits, refused } = await readSample(row);
  expect(limits).toEqual([]);
  return refused[0];
}

describe('a row of the sample', () => {
  it('is a limit with its number, scope and basis', async () => {
    const row: SampleRow = {
      annex: 'V',
      entry: '901',
      names: 'EXAMPLIN; SODIUM EXAMPLINATE',
      cas: '56-81-5; 56-81-4',
      scope: 'rinse-off only',
      limit: '0.5',
      unit: '% as acid',
      condition: 'pH above 6',
    };
    expect(await readOne(row)).toEqual({
      line: 2,
      region: 'eu',
      annex: 'V',
      entry: '901',
      tier: null,
      substance: 'Examplin',
      inciNames: ['EXAMPLIN', 'SODIUM EXAMPLINATE'],
      // The other has a wrong check digit.
      casNumbers: ['56-81-5'],
      kind: 'permitted-only',
      scope: 'rinse-off only',
      productTypes: RINSE_OFF,
      limitPercent: '0.5',
      limitText: '0.5 % as acid',
      basis: 'acid',
      factor: null,
      sumGroup: null,
      purpose: 'preservative',
      conditions: 'pH above 6',
      validFrom: null,
      validUntil: null,
      source: 'made up for a test',
    });
  });

  it.each<[SampleRow, LimitDraft['kind']]>([
    [{ annex: 'II', unit: 'prohibited' }, 'prohibited'],
    [{ annex: 'III', limit: '1' }, 'maximum'],
    [{ annex: 'IV', unit: 'no percentage given' }, 'permitted-only'],
    [{ annex: 'V', limit: '1' }, 'permitted-only'],
    [{ annex: 'VI', limit: '1' }, 'permitted-only'],
    [{ limit: '0.001', unit: '% declaration threshold, not a maximum' }, 'declare-above'],
    [{ region: 'CN', annex: 'STSC 2015 table 3', limit: '1' }, 'maximum'],
    [{ region: 'CN', annex: 'STSC 2015 table 4', limit: '1' }, 'permitted-only'],
  ])('%j is %s', async (row, kind) => {
    expect(await readOne(row)).toMatchObject({ kind });
  });

  it.each([
    ['0,1', '0.1'],
    ['0.10', '0.1'],
    ['7,34', '7.34'],
    ['0,001', '0.001'],
    ['25', '25'],
    ['1.0 %', '1'],
  ])('has the number %s as %s', async (limit, limitPercent) => {
    expect(await readOne({ limit })).toMatchObject({ limitPercent });
  });

  it.each<[SampleRow, string]>([
    [{ limit: '1,000' }, 'ambiguous-comma'],
    [{ limit: '> 0,1 % ≤ 6 %' }, 'two-numbers'],
    [{ limit: 'some' }, 'not-one-number'],
    [{ limit: '0' }, 'not-one-number'],
    [{ limit: '101' }, 'not-one-number'],
    [{ limit: '0.0015 % Rinse-off products' }, 'not-one-number'],
    [{ limit: '' }, 'limit-missing'],
    [{ limit: '6', unit: '% (above 0.1 %)' }, 'two-numbers'],
    [{ limit: '0.2', unit: '% (corresponds to 0.0024 % silver)' }, 'two-numbers'],
    [{ limit: '0.2', unit: '% unless heated' }, 'unknown-unit'],
    [{ limit: '0.2', unit: 'ppm' }, 'unknown-unit'],
    [{ limit: '1', unit: 'prohibited' }, 'limit-of-prohibited'],
    [{ limit: '1', names: '-' }, 'no-name-and-no-cas'],
    [{ limit: '1', region: '' }, 'region-missing'],
    [{ limit: '1', annex: '' }, 'annex-unknown'],
    [{ limit: '1', names: 'x'.repeat(501) }, 'too-long'],
  ])('%j is refused: %s', async (row, reason) => {
    expect(await refusalOf(row)).toMatchObject({ row: 2, reason });
  });

  it.each(['a\0b', 'a\ud800b'])('with %j is refused: the database cannot store it', async (text) => {
    const cells = { substance: { text, column: 'substance' } };
    const { refused } = await limitsOf({ drafts: [{ line: 7, cells }], refused: [], above: [] });
    expect(refused).toMatchObject([{ row: 7, reason: 'unreadable-cell' }]);
  });

  it('says which cell is refused, as the file names its column', async () => {
    expect(await refusalOf({ limit: '0.2', unit: 'ppm' })).toEqual({
      row: 2,
      column: 'unit/as',
      value: 'ppm',
      reason: 'unknown-unit',
    });
  });

  it('has names without soft hyphens and marks of footnotes', async () => {
    const { inciNames } = await readOne({ limit: '1', names: 'EXAM\u00adPLIN (1); OTHER  NAME [2]; -' });
    expect(inciNames).toEqual(['EXAMPLIN', 'OTHER NAME']);
  });

  it.each([
    ['% as free SO2', 'free SO2'],
    ['% of anhydrous substance', 'anhydrous substance'],
    ['% of the 3:1 mixture', '3:1 mixture'],
    ['% H2O2 present or released', 'H2O2 present or released'],
    ['% after mixing', 'after mixing'],
    ['% retinol equivalent', 'retinol'],
    ['% as acid, single ester', 'acid'],
    ['%', null],
  ])('counts %s as %s', async (unit, basis) => {
    expect(await readOne({ limit: '1', unit })).toMatchObject({ basis });
  });

  it.each([
    ['new wording: placing on the market from 01/01/2027, on the shelf from 01/07/2028', '2027-01-01'],
    [
      'note; in force for placing on the market since 01/02/2025, on the shelf since 01/11/2025',
      '2025-02-01',
    ],
    ['impurity at most 10 ppm (placing on the market from 01/01/2027)', null],
    ['placing on the market from 01/01/2027; placing on the market from 01/02/2027', null],
    ['placing on the market from 31/02/2027', null],
    ['on the shelf from 01/07/2028', null],
  ])('with the condition "%s" is valid from %s', async (condition, validFrom) => {
    const row = await readOne({ limit: '1', condition });
    expect(row).toMatchObject({ validFrom, conditions: condition });
  });

  it('has no first day for a duty to declare', async () => {
    const condition = 'placing on the market from 01/01/2027';
    const unit = '% declaration threshold, not a maximum';
    expect(await readOne({ limit: '0.001', unit, condition })).toMatchObject({ validFrom: null });
  });

  it('keeps in its conditions what the types do not say of its scope', async () => {
    const row = await readOne({ limit: '1', scope: 'face cream', condition: 'pH above 6' });
    expect(row).toMatchObject({ productTypes: ['face-leave-on'], conditions: 'face cream; pH above 6' });
  });
});

describe('the tiers of an entry', () => {
  const scopes = (...texts: readonly string[]) =>
    readSample(...texts.map((scope): SampleRow => ({ scope, limit: '1' }))).then(({ limits }) =>
      limits.map(({ productTypes }) => productTypes && [...productTypes].sort()),
    );
  const sorted = (types: readonly string[]) => [...types].sort();

  it('leave the rest to other products', async () => {
    expect(await scopes('rinse-off hair products', 'other products')).toEqual([
      sorted(RINSE_OFF_HAIR),
      sorted(without(ALL, RINSE_OFF_HAIR)),
    ]);
  });

  it('leave no rest where one of them is not known at all', async () => {
    expect(await scopes('rust inhibitor', 'other products')).toEqual([null, null]);
    expect(await scopes('other products')).toEqual([null]);
  });

  it('leave the rest without what one of them may cover', async () => {
    expect(await scopes('perfume', 'other products')).toEqual([null, sorted(without(ALL, ['fragrance']))]);
  });

  it('do not say which of two an eye cream belongs to', async () => {
    const named = 'body lotion, eye shadow, mascara, eyeliner, lipstick, roll-on deodorant';
    const [, others, listed] = await scopes(
      'rinse-off hair products',
      `other products except ${named}`,
      named,
    );
    expect(others).toContain('face-leave-on');
    expect(others).not.toContain('eye-leave-on');
    expect(listed).toBeNull();
  });

  it('cover a type once: the tier for fewer types counts', async () => {
    expect(await scopes('leave-on', 'deodorant/antiperspirant')).toEqual([
      sorted(without(LEAVE_ON, ['deodorant', 'deodorant-spray'])),
      ['deodorant', 'deodorant-spray'],
    ]);
  });

  it('have products for the mouth apart where one names them', async () => {
    expect(await scopes('rinse-off', 'other leave-on and oral products')).toEqual([
      sorted(without(RINSE_OFF, ORAL)),
      sorted([...LEAVE_ON, ...ORAL]),
    ]);
  });

  it('are those of one kind: a duty to declare leaves nothing over', async () => {
    const { limits } = await readSample(
      { scope: 'leave-on', limit: '0.001', unit: '% declaration threshold' },
      { scope: 'other products', limit: '1' },
    );
    expect(limits.map(({ productTypes }) => productTypes?.length ?? null)).toEqual([LEAVE_ON.length, null]);
  });

  it('are unknown where there are more than any table has', async () => {
    const rows = Array.from({ length: 101 }, (): SampleRow => ({ scope: 'leave-on', limit: '1' }));
    expect((await readSample(...rows)).limits.every(({ productTypes }) => productTypes === null)).toBe(true);
  });
});

describe('a sum', () => {
  const sums = (...rows: readonly SampleRow[]) =>
    readSample(...rows.map((row) => ({ limit: '1', ...row }))).then(({ limits }) =>
      limits.map(({ sumGroup, basis }) => ({ sumGroup, basis })),
    );

  it('of one row has a group of its own, for each tier', async () => {
    const names = 'EXAMPLIN; EXAMPLIN OXIDE';
    const [one, other] = await sums(
      { names, unit: '% as acid, sum', scope: 'leave-on' },
      { names, unit: '% as acid, sum', scope: 'rinse-off' },
    );
    expect(one).toEqual({ sumGroup: 'III/901: leave-on: sum', basis: 'acid' });
    expect(other!.sumGroup).not.toBe(one!.sumGroup);
  });

  it('of the form with nano and that without is one group', async () => {
    const [plain, nano] = await sums(
      { entry: '901', names: 'ZINC EXAMPLE', unit: '%, sum with the nano form' },
      { entry: '901a', names: 'ZINC EXAMPLE (NANO)', unit: '%, sum with the non-nano form' },
    );
    expect(plain).toEqual({ sumGroup: 'III: zinc example, with and without nano', basis: null });
    expect(nano).toEqual(plain);
  });

  it('with a nano form that is not in the file is not certain', async () => {
    expect(await sums({ unit: '%, sum with the nano form' })).toEqual([
      { sumGroup: null, basis: 'sum with the nano form' },
    ]);
  });

  it('of two entries has the rows of both that have a sum and the same limit', async () => {
    const all = await sums(
      { entry: '912', unit: '% as acid, single ester', limit: '0.4' },
      { entry: '912', unit: '% as acid, sum of esters' },
      { entry: '912a', names: 'OTHER', unit: '% as acid, sum of butyl and propyl', limit: '0.14' },
      { entry: '912a', names: 'OTHER', unit: '% as acid, sum of entries 912 and 912a' },
    );
    expect(all.map(({ sumGroup }) => sumGroup)).toEqual([
      null,
      'III/912 + 912a',
      `III/912a: ${ALL_PRODUCTS}: sum of butyl and propyl`,
      'III/912 + 912a',
    ]);
  });

  it('of an entry that is not in the file is not certain', async () => {
    const [row] = await sums({ entry: '912', unit: '% as acid, sum of entries 912 and 912a' });
    expect(row).toEqual({ sumGroup: null, basis: 'acid, sum of entries 912 and 912a' });
  });

  it.each([
    '% as acid, sum of entries 12 and 99',
    '% alone or combined with methyl examplate',
    '%, examplin alone or with the substances of entry 286',
  ])('whose members are not certain takes the place of the basis: %s', async (unit) => {
    const [row] = await sums({ unit });
    expect(row!.sumGroup).toBeNull();
    expect(row!.basis).toMatch(/sum of entries 12 and 99|combined with|alone or with/);
  });

  it('of declared substances has the name of the group', async () => {
    const unit = '% declaration threshold, not a maximum';
    const condition =
      "declare under the group name 'Example Oil', when the substances together exceed the threshold";
    const [leaveOn] = await sums({ scope: 'leave-on', unit, condition });
    expect(leaveOn!.sumGroup).toBe('III/901: leave-on: declared together as Example Oil');
  });
});
