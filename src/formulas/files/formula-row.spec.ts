import { inEnglish } from '../../../test/support/reasons';
import { type FormulaRow, readFormulaRow } from './formula-row';

const ROW: Record<string, string> = { formula: 'Cream', inciName: 'Aqua', percentage: '100' };

/** Reads a row with these cells; its faults in one text each. */
function read(cells: Record<string, string>, columns: Record<string, string> = {}) {
  const row = { ...ROW, ...cells };
  const reading = readFormulaRow(
    2,
    (field) => row[field],
    '',
    (field) => columns[field],
  );
  const faults = reading.faults.map(({ field, reason }) => `${field}: ${String(inEnglish(reason))}`);
  const draft = 'draft' in reading ? reading.draft : undefined;
  return { faults, draft, remarks: reading.remarks?.length ?? 0 };
}

const long = (length: number) => '长'.repeat(length);

describe('readFormulaRow', () => {
  it.each<Record<string, string>>([
    { percentage: '100' },
    { percentage: '0.000001%' },
    { percentage: '', grams: '100.5' },
    { formula: long(200), phase: long(200), project: long(200) },
    { processNotes: long(2000), description: long(2000), versionDescription: '👩'.repeat(2000) },
    { version: '1', phaseOrder: '-2147483647' },
    { version: '2147483647', phaseOrder: '2147483647' },
  ])('takes %j', (cells) => expect(read(cells)).toMatchObject({ faults: [], draft: { line: 2 } }));

  it.each<Record<string, string>>([
    { grams: '5' },
    { percentage: '', grams: '5' },
    { percentage: 'to 100' },
    { supplier: 'x' },
  ])('gives all rows one layout in memory: %j', (cells) => {
    expect(Object.keys(read(cells).draft!)).toEqual(Object.keys(read({}).draft!));
  });

  it.each([
    ['搅拌加热至八十摄氏度混合', 1, 0],
    ['搅拌加热至八十摄氏度后混合', 0, 1],
  ])('takes %s for a step only if it is longer than a name', (inciName, faults, remarks) => {
    const found = read({ inciName, percentage: '' });
    expect([found.draft, found.faults.length, found.remarks]).toEqual([undefined, faults, remarks]);
  });

  it.each([
    [{ percentage: '100.01' }, 'percentage'],
    [{ percentage: '0' }, 'percentage'],
    [{ percentage: '', grams: '0' }, 'grams'],
    [{ percentage: '' }, 'percentage'],
    [{ formula: long(201) }, 'formula'],
    [{ phase: long(201) }, 'phase'],
    [{ processNotes: long(2001) }, 'processNotes'],
    [{ description: `${long(2000)}x` }, 'description'],
    [{ version: '0' }, 'version'],
    [{ version: '2147483648' }, 'version'],
    [{ version: '1.5' }, 'version'],
    [{ phaseOrder: '-2147483648' }, 'phaseOrder'],
    [{ formula: '' }, 'formula'],
    [{ ingredientId: 'x' }, 'ingredientId'],
  ])('refuses %j', (cells, field) => {
    const { faults, draft } = read(cells);
    expect([faults.length, faults[0], draft]).toEqual([1, expect.stringMatching(`^${field}: `), undefined]);
  });

  it.each([
    [{ grams: '2.5' }, {}, '2.5'],
    [{ grams: '2.5' }, { grams: '用量(kg)' }, '2500'],
    [{ grams: '2.5' }, { grams: '用量(㎏)' }, '2500'],
    [{ grams: '2.5 g' }, { grams: '用量(kg)' }, '2.5'],
    [{ grams: '2.5kg' }, {}, '2500'],
  ])('reads %j in a column %j as %s g', (cells, columns, grams) => {
    const { draft } = read({ percentage: '', ...cells }, columns);
    const { unit, amount, milliliters } = draft as FormulaRow;
    expect([unit, String(amount), milliliters]).toEqual(['grams', grams, undefined]);
  });

  it.each([
    [{ milliliters: '2.5' }, { milliliters: 'Amount (mL)' }, '2.5'],
    [{ milliliters: '2.5' }, { milliliters: '用量(毫升)' }, '2.5'],
    [{ milliliters: '2.5' }, { milliliters: '用量(㎖)' }, '2.5'],
    [{ milliliters: '2.5' }, { milliliters: '升' }, '2500'],
    [{ milliliters: '2.5' }, { milliliters: '公升' }, '2500'],
    [{ milliliters: '2.5' }, { milliliters: '用量(ℓ)' }, '2500'],
    [{ milliliters: '2.5' }, { milliliters: 'Quantity in Litres' }, '2500'],
    [{ milliliters: '2.5 mL' }, { milliliters: 'L' }, '2.5'],
    [{ milliliters: '0.1公升' }, { milliliters: 'Total' }, '100'],
    [{ grams: '2 L' }, { grams: 'Qty (kg)' }, '2000'],
    [{ grams: '500ML' }, {}, '500'],
  ])('reads %j in a column %j as %s mL', (cells, columns, milliliters) => {
    const { draft } = read({ percentage: '', ...cells }, columns);
    const { unit, field, ...row } = draft as FormulaRow;
    expect([unit, field, String(row.milliliters)]).toEqual(['grams', Object.keys(cells)[0], milliliters]);
  });

  it('takes a mass in a column of volumes', () => {
    const { draft } = read({ percentage: '', milliliters: '1.5 kg' }, { milliliters: 'mL' });
    expect(draft).toMatchObject({ unit: 'grams', milliliters: undefined });
    expect(String((draft as FormulaRow).amount)).toBe('1500');
  });

  it.each([
    ['to 1000', undefined],
    ['to 1000 g', '1000'],
    ['to 2 kg', '2000'],
  ])('knows the mass of a balance line only where its cell has one: %s', (milliliters, total) => {
    const { draft } = read({ percentage: '', milliliters }, { milliliters: 'mL' });
    const { amount, ...row } = draft as FormulaRow;
    expect([amount, row.total?.toString()]).toEqual(['rest', total]);
  });

  it.each([
    [{ milliliters: '5' }, 'Qty', 'like 2.5 mL'],
    [{ milliliters: '5' }, '% v/v', 'like 2.5 mL'],
    [{ milliliters: '5' }, 'Total', 'like 2.5 mL'],
    [{ milliliters: '5' }, '用量(µL)', 'like 2.5 mL'],
    [{ milliliters: '5' }, '用量(微升)', 'like 2.5 mL'],
    [{ milliliters: '0' }, 'mL', 'above 0'],
    [{ milliliters: '5 %' }, 'mL', 'like 2.5 mL'],
    [{ milliliters: '5 fl oz' }, 'mL', 'like 2.5 mL'],
    [{ milliliters: '5', percentage: '5' }, 'mL', 'second amount'],
    [{ milliliters: '5', grams: '5' }, 'mL', 'second amount'],
    [{ milliliters: '5', grams: '5', percentage: '5' }, 'mL', 'second amount'],
  ])('refuses %j in a column %s', (cells, column, reason) => {
    const { faults } = read({ percentage: '', ...cells }, { milliliters: column });
    expect(faults).toEqual([expect.stringMatching(`^milliliters: .*${reason}`)]);
  });
});
