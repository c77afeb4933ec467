import { inEnglish } from '../../../test/support/reasons';
import { importText } from '../import.texts';
import { TableError, type TableRow } from '../reading/table';
import type { ImportColumn } from './file-column';
import { tableParts, unitsBelow } from './table-parts';

const COLUMNS: ImportColumn[] = [
  { field: 'name', aliases: ['INCI'], required: true },
  { field: 'price', aliases: [], pattern: /^preis/ },
  { field: 'phase', aliases: [], heading: /^phase [a-z]$/i },
];
const header = ['INCI', 'Preis €/kg'];
const index = new Map([
  ['name', 0],
  ['price', 1],
]);
const rowsOf = (...cells: string[][]): TableRow[] => cells.map((row, at) => ({ line: at + 2, cells: row }));
const parts = async (
  rows: TableRow[],
  options: { noteRows?: RegExp; isFirst?: boolean; columns?: ImportColumn[] } = {},
) => {
  const found = await tableParts(rows, header, {
    columns: COLUMNS,
    index,
    choices: [],
    noteRows: /\p{L}/u,
    isFirst: true,
    ...options,
  });
  return { ...found, notes: inEnglish(found.notes) as unknown };
};
const linesOf = ({ rows }: { rows: TableRow[] }) => rows.map(({ line }) => line);

describe('tableParts', () => {
  it('leaves out notes, and says which', async () => {
    const found = await parts(rowsOf(['Oils', ''], ['Urea', '5'], ['', ''], ['', 'valid until May']));
    expect(linesOf(found)).toEqual([3, 4]);
    expect(found.notes).toEqual([
      'Lines with nothing but a note or heading were not read: 2 ("Oils"), 5 ("valid until May")',
    ]);
  });

  it('takes for a note neither what matches none, nor a cell with a fault, nor a row of merged cells', async () => {
    const rows: TableRow[] = [
      ...rowsOf(['', '5'], ['Urea', '']),
      { line: 4, cells: ['Urea', ''], cellFaults: new Map([[1, importText('import.empty')]]) },
      { line: 5, cells: ['', 'on request'], merged: new Map([[0, { into: 'A3', text: 'Urea' }]]) },
    ];
    expect(linesOf(await parts(rows))).toEqual([2, 4, 5]);
    expect(linesOf(await parts(rows, { noteRows: undefined }))).toEqual([2, 3, 4, 5]);
  });

  it('takes no amount in the first column for a note: a last row without a name is refused later', async () => {
    const columns = COLUMNS.map((one) => ({ ...one, isAmount: one.field === 'price' }));
    const { rows } = await tableParts(
      rowsOf(['5', 'Urea'], ['7', ''], ['', 'valid until May']),
      header.toReversed(),
      {
        columns,
        index: new Map([
          ['price', 0],
          ['name', 1],
        ]),
        choices: [],
        isFirst: true,
      },
    );
    expect(linesOf({ rows })).toEqual([2, 3, 4]);
  });

  it('gives the rows below a heading what it says', async () => {
    const found = await parts(
      rowsOf(['Urea', '1'], ['Phase A', ''], ['Urea', '2'], ['', 'ｐhase B'], ['Urea', '3']),
    );
    expect(found.rows.map((row) => found.headings.get(row)?.get('phase'))).toEqual([
      undefined,
      'Phase A',
      'phase B',
    ]);
    expect(found.notes).toEqual([]);
  });

  it('leaves out the header of another page of a list', async () => {
    const rows = rowsOf(['Urea', '1'], ['inci', 'Preis (€/kg)'], ['Zinc', '2']);
    expect(linesOf(await parts(rows))).toEqual([2, 4]);
    expect((await parts(rows)).notes).toEqual(['Lines that have the header again were not read: 3']);
    const formula = COLUMNS.map((column) => ({ ...column, required: false }));
    await expect(parts(rows, { columns: formula })).rejects.toThrow(TableError);
  });

  it('asks which of two tables is meant, and reads the one that was said', async () => {
    const rows = rowsOf(['Urea', '1'], ['Preis €/100 g', 'INCI'], ['5', 'Zinc']);
    await expect(parts(rows)).rejects.toThrow(
      'Row 3 is the header of another table: import the tables one by one, and say with --header-row which row is ' +
        'the header (--header-row 3 for this one).',
    );
    const first = await parts(rows, { isFirst: false });
    expect(linesOf(first)).toEqual([2]);
    expect(first.notes).toEqual([
      'Row 3 and those below it are another table: import it with --header-row 3',
    ]);
  });

  it('takes for a header no row of numbers, nor one with a single name', async () => {
    expect(linesOf(await parts(rowsOf(['INCI', '5'], ['INCI', 'x'])))).toEqual([2, 3]);
    expect(linesOf(await parts(rowsOf(['INCI', 'Preis', 'x', 'y', 'z'])))).toEqual([2]);
    const single = await tableParts(rowsOf(['INCI'], ['Urea']), ['INCI'], {
      columns: COLUMNS,
      index: new Map([['name', 0]]),
      choices: [],
      isFirst: true,
    });
    expect(linesOf(single)).toEqual([2, 3]);
    await expect(parts(rowsOf(['INCI', 'Preis', 'x', 'y']))).rejects.toThrow(TableError);
  });
});

describe('unitsBelow', () => {
  const below = (...cells: string[]) => unitsBelow(['Rohstoff', 'Menge', 'Preis'], rowsOf(cells)[0]);

  it('adds a row of units to the header', () => {
    expect(below('', '（%）', '[€/kg]')).toEqual(['Rohstoff', 'Menge （%）', 'Preis [€/kg]']);
    expect(below('', 'g', '')).toEqual(['Rohstoff', 'Menge g', 'Preis']);
  });

  it('leaves any other row alone', () => {
    for (const cells of [
      ['', '', ''],
      ['Aqua', '%', ''],
      ['', '5 g', ''],
      ['', '5%', ''],
    ]) {
      expect(below(...cells)).toBeUndefined();
    }
    expect(unitsBelow(['a'], undefined)).toBeUndefined();
  });
});
