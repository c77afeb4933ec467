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
    [{ grams: '2.5 g' }, { grams: '用量(kg)' }, '2.5'],
    [{ grams: '2.5kg' }, {}, '2500'],
  ])('reads %j in a column %j as %s g', (cells, columns, grams) => {
    const { draft } = read({ percentage: '', ...cells }, columns);
    const { unit, amount } = draft as FormulaRow;
    expect([unit, String(amount)]).toEqual(['grams', grams]);
  });
});
