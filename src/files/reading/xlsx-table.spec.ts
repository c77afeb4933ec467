import { workbook } from '../../../test/support/supplier-files/workbook';
import type { TableRow } from './table';
import { xlsxTable } from './xlsx-table';

type Sheet = Parameters<typeof workbook>[0];

/** `name` is required, and `price` is known as well. */
const knownNames = (cells: readonly string[]) =>
  cells.includes('name') ? cells.filter((cell) => ['name', 'price'].includes(cell)) : [];

async function read(sheet: Omit<Sheet, 'name'>) {
  const { header, rows, above } = await xlsxTable(workbook({ name: 'S', ...sheet }), { knownNames });
  const all: TableRow[] = [];
  for await (const row of rows) all.push(row);
  return { header, above, rows: all };
}

describe('cells', () => {
  it('that are shown as percent come as they are shown', async () => {
    const { rows } = await read({
      rows: [
        ['name', 'price'],
        ['A', { value: 0.07, format: 'percent' }],
        ['B', { value: 0.333, format: 'percent 0.0' }],
        ['C', 0.05],
        ['D', { value: 'x', format: 'percent' }],
      ],
    });
    expect(rows.map(({ cells, kinds }) => [cells[1], kinds![1]])).toEqual([
      ['7%', 'percent'],
      ['33.3%', 'percent'],
      ['0.05', 'number'],
      ['x', undefined],
    ]);
  });

  it('have no digits that Excel does not have', async () => {
    const values = [12.350000000000001, 3.3000000000000003, 0.1234567890123456, 1 / 3, 1250, 1e21];
    const { rows } = await read({ rows: [['name', 'price'], ...values.map((value) => ['A', value])] });
    expect(rows.map(({ cells }) => cells[1])).toEqual([
      ...['12.35', '3.3', '0.1234567890123456', '0.3333333333333333', '1250', '1e+21'],
    ]);
  });

  it('that are merged say into which, and what it holds if it is above', async () => {
    const { rows } = await read({
      rows: [['name', 'price'], ['A', { value: 0.5, format: 'percent' }, 'x'], ['B'], ['C', '2']],
      merged: ['B2:B3', 'A4:B4'],
    });
    expect(rows.map(({ merged }) => [...merged!])).toEqual([
      [],
      [[1, { into: 'B2', text: '50%' }]],
      [[1, { into: 'A4' }]],
    ]);
  });
});

describe('a header in two rows', () => {
  it('is the lower one where names are merged with it, and a name gets the one that spans it', async () => {
    const { header, rows, above } = await read({
      rows: [
        ['name', 'Price €/kg', null, 'Note'],
        [null, '25 kg', '100 kg', null],
        ['A', 1, 2, 'x'],
      ],
      merged: ['A1:A2', 'B1:C1', 'D1:D2'],
    });
    expect(header).toEqual(['name', 'Price €/kg 25 kg', 'Price €/kg 100 kg', 'Note']);
    expect(rows.map(({ line }) => line)).toEqual([3]);
    expect(above).toHaveLength(1);
  });

  it('is none below a title, nor where a name that is spanned is known', async () => {
    const title = await read({ rows: [['List'], ['name', 'size', 'x'], ['A', 1, 2]], merged: ['A1:C1'] });
    expect(title.header).toEqual(['name', 'size', 'x']);
    const known = await read({
      rows: [
        ['', 'Values'],
        ['name', 'price', 'x'],
        ['A', 1, 2],
      ],
      merged: ['B1:C1'],
    });
    expect(known.header).toEqual(['name', 'price', 'x']);
  });
});
