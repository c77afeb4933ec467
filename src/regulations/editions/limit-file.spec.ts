import { readSample, type SampleRow } from '../../../test/support/limit-samples';
import { limitsOf } from './limit-file';
import type { LimitDraft } from './limit-cells';
import { RINSE_OFF } from '../../formulas/product-types';

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
    [{ limit: '0.2', unit: '% (in hair products)' }, 'unknown-unit'],
    [{ limit: '0.2', unit: 'drops' }, 'unknown-unit'],
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
    expect(refused).toMatchObject([{ row: 7, reason: 'unreadable-cell', name: 'ab' }]);
  });

  it('keeps a long name, in which a screening looks for substances', async () => {
    const substance = `${'Other salts, '.repeat(40)}quinine\0`;
    const cells = { substance: { text: substance, column: 'substance' } };
    const { refused } = await limitsOf({ drafts: [{ line: 7, cells }], refused: [], above: [] });
    expect(refused[0]!.name).toBe(substance.slice(0, -1));
  });

  it('says which cell is refused, as the file names its column', async () => {
    expect(await refusalOf({ limit: '0.2', unit: 'drops', cas: '56-81-5' })).toEqual({
      row: 2,
      column: 'unit/as',
      value: 'drops',
      reason: 'unknown-unit',
      region: 'eu',
      name: 'Examplin; EXAMPLIN',
      casNumbers: ['56-81-5'],
    });
  });

  it.each([
    ['500', 'ppm', '0.05'],
    ['500', 'mg/kg', '0.05'],
    ['5', 'g/kg', '0.5'],
    ['5', '‰', '0.5'],
    ['500 ppm', '%', '0.05'],
  ])('reads a limit of %s %s as %s percent', async (number, unit, limitPercent) =>
    expect((await readOne({ limit: number, unit })).limitPercent).toBe(limitPercent),
  );

  it('has names without soft hyphens and marks of footnotes', async () => {
    const { inciNames } = await readOne({ limit: '1', names: 'EXAM\u00adPLIN (1); OTHER  NAME [2]; -' });
    expect(inciNames).toEqual(['EXAMPLIN', 'OTHER NAME']);
  });

  it.each([
    ['% as free SO2', 'free SO2'],
    ['% (as acid)', 'acid'],
    ['% (acid)', 'acid'],
    ['% expressed as free SO2', 'free SO2'],
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
