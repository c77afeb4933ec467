import { readImportFile } from '../../files/read-import-file';
import { tiersIn } from './limit-cells';
import { LIMIT_FILE, limitsOf } from './limit-file';

const COLUMNS = [
  'region',
  'annex',
  'entry',
  'tier',
  'substance',
  'inciNames',
  'casNumbers',
  'kind',
  'productTypes',
  'limitPercent',
  'basis',
  'factor',
  'sumGroup',
  'purpose',
  'conditions',
  'validFrom',
  'validUntil',
  'source',
] as const;

const VALID: Partial<Record<(typeof COLUMNS)[number], string>> = {
  region: 'House',
  annex: 'A',
  entry: '1',
  tier: 'a',
  substance: 'Examplic acid',
  inciNames: 'EXAMPLIC ACID; SODIUM EXAMPLATE',
  casNumbers: '56-81-5; 000122-99-6',
  kind: 'maximum',
  productTypes: 'soap; shampoo',
  limitPercent: '0,5',
  basis: 'acid',
  factor: '0.847',
  sumGroup: 'examplates',
  purpose: 'preservative',
  conditions: 'pH above 6',
  validFrom: '2026-01-01',
  validUntil: '31/12/2026',
  source: 'made up',
};

async function read(row: Partial<typeof VALID> = {}) {
  const cells = { ...VALID, ...row };
  const text = [COLUMNS.join('\t'), COLUMNS.map((column) => cells[column] ?? '').join('\t')].join('\n');
  return limitsOf(await readImportFile(Buffer.from(text), LIMIT_FILE));
}

it.each([
  ['eu', 'II', null],
  ['eu', 'III', null],
  ['eu', 'IV', 'colorant'],
  ['eu', 'V', 'preservative'],
  ['eu', 'VI', 'UV filter'],
  ['cn', 'STSC table 2', null],
  ['cn', 'STSC table 3', null],
  ['cn', 'STSC table 4', 'preservative'],
  ['cn', 'STSC table 5', 'UV filter'],
  ['cn', 'STSC table 6', 'colorant'],
  ['cn', 'STSC table 7', 'hair dye'],
  ['cn', 'IV', null],
  ['us', 'table 4', null],
])('in %s, rows of %s without a purpose are for %s', async (region, annex, purpose) => {
  expect((await read({ region, annex, purpose: '' })).limits).toMatchObject([{ purpose }]);
});

it.each(['as acid', 'As acid', '(as acid)', '(acid)', 'expressed as acid'])(
  'writes the basis %j once',
  async (basis) => {
    const { limits } = await read({ basis });
    expect(limits).toMatchObject([{ basis: 'acid', limitText: '0,5 % as acid' }]);
  },
);

it('reads every column', async () => {
  const { limits, refused } = await read();
  expect(refused).toEqual([]);
  expect(limits).toEqual([
    {
      line: 2,
      region: 'house',
      annex: 'A',
      entry: '1',
      tier: 'a',
      substance: 'Examplic acid',
      inciNames: ['EXAMPLIC ACID', 'SODIUM EXAMPLATE'],
      casNumbers: ['56-81-5', '122-99-6'],
      kind: 'maximum',
      scope: 'soap; shampoo',
      productTypes: ['soap', 'shampoo'],
      limitPercent: '0.5',
      limitText: '0,5 % as acid',
      basis: 'acid',
      factor: '0.847',
      sumGroup: 'examplates',
      purpose: 'preservative',
      conditions: 'pH above 6',
      validFrom: '2026-01-01',
      validUntil: '2026-12-31',
      source: 'made up',
    },
  ]);
});

it('takes an empty list of product types as all, and words that it does not know as unknown', async () => {
  expect((await read({ productTypes: '' })).limits[0]!.productTypes).toHaveLength(37);
  expect((await read({ productTypes: 'bubbles' })).limits[0]).toMatchObject({
    productTypes: null,
    scope: 'bubbles',
  });
});

it.each([
  [{ region: '' }, 'region-missing', 'region'],
  [{ annex: '' }, 'annex-unknown', 'annex'],
  [{ source: '' }, 'source-missing', 'source'],
  [{ kind: 'allowed' }, 'unknown-kind', 'kind'],
  [{ inciNames: '', casNumbers: '', sumGroup: '' }, 'no-name-and-no-cas', 'inciNames'],
  [{ casNumbers: '56-81-4' }, 'wrong-cas-number', 'casNumbers'],
  [{ limitPercent: '' }, 'limit-missing', 'limitPercent'],
  [{ kind: 'prohibited' }, 'limit-of-prohibited', 'limitPercent'],
  [{ limitPercent: '1,000' }, 'ambiguous-comma', 'limitPercent'],
  [{ limitPercent: '0' }, 'not-one-number', 'limitPercent'],
  [{ limitPercent: '100.001' }, 'not-one-number', 'limitPercent'],
  [{ limitPercent: '0.1 0.2' }, 'two-numbers', 'limitPercent'],
  [{ factor: '0' }, 'not-a-factor', 'factor'],
  [{ factor: '0,5' }, 'not-a-factor', 'factor'],
  [{ validFrom: '2026-02-30' }, 'not-a-date', 'validFrom'],
  [{ validFrom: '2026-13-01' }, 'not-a-date', 'validFrom'],
  [{ validFrom: '2027-01-01' }, 'reversed-dates', 'validUntil'],
])('refuses %j: %s', async (row, reason, column) => {
  const { limits, refused } = await read(row);
  expect(limits).toEqual([]);
  expect(refused).toMatchObject([{ row: 2, reason, column }]);
});

it.each([
  [{ limitPercent: '100' }, { limitPercent: '100' }],
  [{ limitPercent: '0.0001' }, { limitPercent: '0.0001' }],
  [{ validFrom: '2026-12-31' }, { validFrom: '2026-12-31', validUntil: '2026-12-31' }],
  [{ inciNames: 'X'.repeat(500) }, { inciNames: ['X'.repeat(500)] }],
])('takes %j', async (row, expected) => {
  expect(await read(row)).toMatchObject({ limits: [expected], refused: [] });
});

it.each([
  ['0,5 % (acid)', '', '0.5', '0,5 % as acid'],
  ['0.5 % expressed as benzoic acid', '', '0.5', '0.5 % as benzoic acid'],
  ['500 ppm', '', '0.05', '500 ppm'],
  ['5 g/kg', 'acid', '0.5', '5 g/kg as acid'],
])('reads the limit %s', async (written, basis, limitPercent, limitText) => {
  const { limits } = await read({ limitPercent: written, basis });
  expect(limits).toMatchObject([{ limitPercent, limitText }]);
});

it('takes a limit of a sum group that names no substance of its own', async () => {
  const { limits } = await read({ inciNames: '', casNumbers: '', substance: '', sumGroup: 'parabens' });
  expect(limits).toMatchObject([
    { inciNames: [], casNumbers: [], substance: 'parabens', sumGroup: 'parabens' },
  ]);
});

it('reads a listed substance without a limit', async () => {
  const { limits } = await read({ kind: 'permitted-only', limitPercent: '' });
  expect(limits).toMatchObject([{ kind: 'permitted-only', limitPercent: null, limitText: null }]);
});

it('refuses rows of a table that is none of limits', async () => {
  const { refused } = await limitsOf(
    await readImportFile(Buffer.from('INCI name,CAS\nGlycerin,56-81-5\n'), LIMIT_FILE),
  );
  expect(refused).toMatchObject([{ row: 2, reason: 'unknown-columns' }]);
});

it.each([
  ['(a) 1 % (b) 2 %', ['a', 'b']],
  ['(a) 1 % (a) 2 %', undefined],
  ['(b) 1 % (a) 2 %', undefined],
  ['1 % (a) 2 %', undefined],
])('the tiers of %s are %j', (text, letters) => {
  const tiers = tiersIn(text);
  expect(tiers && [...tiers.keys()]).toEqual(letters);
});
