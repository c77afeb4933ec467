import { readImportFile } from '../../files/read-import-file';
import { LIMIT_FILE, limitsOf } from './limit-file';
import { LEAVE_ON, without } from './product-scopes';
import { RINSE_OFF } from '../../formulas/product-types';

/*
 * The columns and the lines above them as CosIng exports them. The substances and numbers are made up; their forms
 * are those of the real cells.
 */

const HEADER =
  '"Reference Number","Chemical name / INN","Name of Common Ingredients Glossary","CAS Number","EC Number",' +
  '"Product Type, body parts","Maximum concentration in ready for use preparation",Other,' +
  '"Wording of conditions of use and warnings",Regulation,"Other Directives/Regulations","SCCS opinions",' +
  '"Chemical/IUPAC Name","Identified INGREDIENTS or substances e.g.",CMR,"Update Date"';

interface Row {
  entry?: string;
  chemicalName?: string;
  inci?: string;
  cas?: string;
  ec?: string;
  scope?: string;
  maximum?: string;
  other?: string;
  identified?: string;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

const line = ({ entry = '901', chemicalName = 'Examplin', ...row }: Row) =>
  [
    entry,
    chemicalName,
    row.inci ?? 'EXAMPLIN',
    row.cas ?? '-',
    row.ec ?? '-',
    row.scope ?? '',
    row.maximum ?? '',
    row.other ?? '',
    '',
    '(EU) 2026/909',
    ...['', '', '', row.identified ?? '', '', '01/01/2026'],
  ]
    .map(quoted)
    .join(',');

async function readAnnex(annex: string, ...rows: readonly Row[]) {
  const above = ['"File creation date: 22/08/2026"', `"ANNEX ${annex}","Last update: 18/08/2026"`, '"LIST"'];
  const text = [...above, '"Substance identification",Restrictions', HEADER, ...rows.map(line)].join('\n');
  return limitsOf(await readImportFile(Buffer.from(text), LIMIT_FILE));
}

const limitsIn = async (annex: string, row: Row) => {
  const { limits, refused } = await readAnnex(annex, row);
  expect(refused).toEqual([]);
  return limits;
};

it('reads a row for each tier', async () => {
  const rows = await limitsIn('V', {
    entry: '9 a',
    inci: 'EXAMPLIC ACID / SODIUM EXAMPLATE; OTHER (1)',
    cas: '56-81-5[1]/ 122-99-6',
    scope: 'a) Rinse-off products\nb) Leave-on products',
    maximum: 'a) 2.5% (acid)\nb) 0,5 % (as acid)\n',
    other: 'pH above 6',
  });
  expect(rows).toMatchObject([
    {
      line: 6,
      region: 'eu',
      annex: 'V',
      entry: '9a',
      tier: 'a',
      inciNames: ['EXAMPLIC ACID', 'SODIUM EXAMPLATE', 'OTHER'],
      casNumbers: ['56-81-5', '122-99-6'],
      kind: 'permitted-only',
      purpose: 'preservative',
      scope: 'Rinse-off products',
      productTypes: RINSE_OFF,
      limitPercent: '2.5',
      limitText: '2.5% (acid)',
      basis: 'acid',
      conditions: 'pH above 6',
      source: 'CosIng Annex V, last update 18/08/2026, (EU) 2026/909',
    },
    { tier: 'b', scope: 'Leave-on products', productTypes: LEAVE_ON, limitPercent: '0.5', basis: 'acid' },
  ]);
});

it('reads a prohibited substance by its chemical name where nothing else names it', async () => {
  expect(await limitsIn('II', { inci: '', cas: '50-00-0' })).toMatchObject([
    { kind: 'prohibited', inciNames: ['Examplin'], casNumbers: ['50-00-0'], limitPercent: null },
  ]);
});

it.each([
  ['', null, 37],
  ['Rinse-off product', 'Rinse-off product', RINSE_OFF.length],
  ['Not to be used in eye products', 'Not to be used in eye products', 35],
])('has a colorant with "%s" in the column of the limit for %s', async (maximum, scope, types) => {
  const [row] = await limitsIn('IV', { maximum });
  expect(row).toMatchObject({ kind: 'permitted-only', scope, limitPercent: null, purpose: 'colorant' });
  expect(row!.productTypes).toHaveLength(types);
});

it('reads the names that the export lists as identified', async () => {
  const identified = 'TOLUENE-2,5-EXAMPLIN,N,N-BIS EXAMPLIN,CI 10006';
  const [row] = await limitsIn('III', { inci: '-', maximum: '1%', identified });
  expect(row!.inciNames).toEqual(['TOLUENE-2,5-EXAMPLIN', 'N,N-BIS EXAMPLIN', 'CI 10006']);
});

it('finds CAS numbers in the column of EC numbers', async () => {
  const [row] = await limitsIn('III', { maximum: '1%', ec: '56-81-5 / 200-289-5' });
  expect(row!.casNumbers).toEqual(['56-81-5']);
});

it.each([
  ['0.2% (as free SO2)', { limitPercent: '0.2', basis: 'free SO2', sumGroup: null }],
  ['6% (as % of anhydrous substance)', { limitPercent: '6', basis: 'anhydrous substance' }],
  ['0.7% (after mixing for use)', { limitPercent: '0.7', basis: 'after mixing' }],
  ['As from 3 June 2021: 0,5 %', { limitPercent: '0.5', validFrom: '2021-06-03' }],
  [
    '0,15 % calculated as F. When mixed with other fluorine compounds permitted under this Annex, total F ' +
      'concentration must not exceed 0,15 %',
    { limitPercent: '0.15', basis: 'F, sum, combined with other fluorine compounds', sumGroup: null },
  ],
  [
    '10 %(*)\n\n(*) In case of combined use of Examplin and Examplin (nano), the sum shall not exceed the limit given ' +
      'in column g.',
    { limitPercent: '10', basis: 'sum with the nano form' },
  ],
  [
    '9%\n\nFootnote 1: kept at trace level',
    { limitPercent: '9', conditions: 'Footnote 1: kept at trace level' },
  ],
])('reads the limit "%s"', async (maximum, expected) => {
  expect(await limitsIn('III', { maximum })).toMatchObject([expected]);
});

it('sums the nano form with the other one', async () => {
  const maximum =
    '25%\n- In case of combined use of Examplin and Examplin (nano), the sum shall not exceed 25%.';
  const { limits } = await readAnnex(
    'VI',
    { entry: '927', maximum },
    { entry: '927a', inci: 'EXAMPLIN (NANO)', maximum },
  );
  expect(limits.map(({ sumGroup }) => sumGroup)).toEqual(
    Array(2).fill('VI: examplin, with and without nano'),
  );
});

it.each<[Row, string]>([
  [{ chemicalName: 'Moved or deleted', inci: '' }, 'moved-or-deleted'],
  [{ inci: '-', maximum: '1%' }, 'no-name-and-no-cas'],
  [{ maximum: '> 0,1 % ≤ 6 %' }, 'two-numbers'],
  [{ maximum: '0,2% corresponding to 0,0024% of silver' }, 'two-numbers'],
  [{ maximum: '0,4% (as acid) for single ester\n0,8% (as acid) for mixtures of esters' }, 'two-numbers'],
  [
    { maximum: '25% - In case of combined use of A and A (nano), the sum shall not exceed 20%.' },
    'two-numbers',
  ],
  [{ maximum: '0,0015 % Rinse-off products' }, 'scope-in-limit'],
  [{ maximum: '12 % of H2O2 (40 volumes), present or released' }, 'unknown-unit'],
  [{ maximum: '0.01% when used alone' }, 'unknown-unit'],
  [
    { other: 'After mixing the maximum concentration applied to hair must not exceed 2 %' },
    'number-in-other-column',
  ],
  [{ other: 'Peroxide value less than 10 mmoles/L' }, 'words-only'],
  [{ maximum: '(a) 1.4% in fine fragrance\n(b) 0.56% in eau de toilette' }, 'tiers-do-not-pair'],
  [{ scope: '(a) Hair\n(b) Soap', maximum: '(a) (i) 8% (ii) 11%\n(c) 5%' }, 'tiers-do-not-pair'],
  [{ scope: '(a) Hair products\n(b) Soap', maximum: '(b) 1%\n(a) 2%' }, 'two-numbers'],
])('refuses %j: %s', async (row, reason) => {
  const { limits, refused } = await readAnnex('III', row);
  expect(limits).toEqual([]);
  expect(refused).toMatchObject([{ row: 6, reason }]);
});

it('has one limit for both of two tiers', async () => {
  const rows = await limitsIn('V', { scope: '(a) Deodorant spray\n(b) Soap', maximum: '(a) and (b) 1 %' });
  expect(rows).toMatchObject([
    { tier: 'a', productTypes: ['deodorant-spray'], limitPercent: '1' },
    { tier: 'b', productTypes: ['soap'], limitPercent: '1' },
  ]);
});

describe('a duty to declare', () => {
  const duty = (before = '', name = '') =>
    `${before}The presence of the substance shall be indicated${name} in the list of ingredients referred to in Article ` +
    '19(1), point (g), when its concentration exceeds:\n— 0,001 % in leave-on products\n— 0,01 % in rinse-off products.';

  it('has two thresholds, beside the limits of the row', async () => {
    const rows = await limitsIn('III', { scope: 'Oral products', maximum: '0.003%', other: duty() });
    expect(rows).toMatchObject([
      { kind: 'maximum', limitPercent: '0.003', productTypes: ['toothpaste', 'mouthwash'] },
      { kind: 'declare-above', limitPercent: '0.001', productTypes: LEAVE_ON, sumGroup: null },
      { kind: 'declare-above', limitPercent: '0.01', productTypes: RINSE_OFF },
    ]);
  });

  it('of a group counts its substances together', async () => {
    const rows = await limitsIn('III', { other: duty('', ' as ‘Example Oil’') });
    expect(rows.map(({ sumGroup }) => sumGroup)).toEqual([
      'III/901: leave-on: declared together as Example Oil',
      'III/901: rinse-off: declared together as Example Oil',
    ]);
  });

  it('that belongs to some tiers only is refused', async () => {
    const scope = '(a) Oral products\n(b) Other products';
    const { refused } = await readAnnex('III', { scope, maximum: '(a) 1%\n(b) 2%', other: duty('(a) ') });
    expect(refused).toMatchObject([{ reason: 'duty-of-one-tier' }]);
    const both = await limitsIn('III', { scope, maximum: '(a) 1%\n(b) 2%', other: duty('(a)(b) ') });
    expect(both).toHaveLength(4);
  });
});

it('does not guess the annex', async () => {
  const text = [HEADER, line({ maximum: '1%' })].join('\n');
  const { refused } = await limitsOf(await readImportFile(Buffer.from(text), LIMIT_FILE));
  expect(refused).toMatchObject([{ row: 2, reason: 'annex-unknown' }]);
});

it('gives the tier for fewer types what the other would cover too', async () => {
  const [leaveOn] = await limitsIn('V', {
    scope: 'a) Leave-on products\nb) Deodorants/antiperspirants',
    maximum: 'a) 0.01%\nb) 0.0075%',
  });
  expect(leaveOn!.productTypes).toEqual(without(LEAVE_ON, ['deodorant', 'deodorant-spray']));
});
