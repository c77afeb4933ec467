import { workbook } from '../../../test/support/supplier-files/workbook';
import { workbookParts, zipFile } from '../../../test/support/zip-file';
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

/** Reads the first column of a sheet of these cells, below a header. */
async function column(cells: readonly string[], parts: Readonly<Record<string, string>> = {}) {
  const rows = ['<c t="inlineStr"><is><t>name</t></is></c>', ...cells].map((cell) => `<row>${cell}</row>`);
  const sheet = `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`;
  const table = await xlsxTable(zipFile({ ...workbookParts([], sheet), ...parts }), { knownNames });
  const texts: string[] = [];
  for await (const row of table.rows) texts.push(row.cells[0]!);
  return texts;
}

const inline = (inner: string) => `<c t="inlineStr"><is>${inner}</is></c>`;
const numbers = (...values: readonly string[]) => values.map((value) => `<c s="1"><v>${value}</v></c>`);
const format = (code: string) =>
  `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code}"/></numFmts>` +
  '<cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>';

describe('texts', () => {
  it('are joined from their runs, without how letters are spoken', async () => {
    const shared =
      '<sst><si><t>东京</t><rPh sb="0" eb="2"><t>とうきょう</t></rPh></si><si><r><t>a</t></r><r><rPr><b/></rPr><t> b</t></r></si></sst>';
    const cells = [
      '<c t="s"><v>1</v></c>',
      '<c t="s"><v>0</v></c>',
      inline('<r><t>c</t></r><r><t>d</t></r>'),
    ];
    expect(await column(cells, { 'xl/sharedStrings.xml': shared })).toEqual(['a b', '东京', 'cd']);
  });

  it('have characters that XML cannot hold, and what only looks like one', async () => {
    const texts = ['a_x000D_b', '_x005F_x0041_', '&lt;&#65;&amp;#65;', '<![CDATA[<i>&amp;</i>]]>'];
    expect(await column([...texts.map((text) => inline(`<t>${text}</t>`))])).toEqual([
      'a\rb',
      '_x0041_',
      '<A&#65;',
      '<i>&amp;</i>',
    ]);
  });

  it('of a formula may be empty', async () => {
    expect(await column(['<c t="str"><f>A1</f><v>x_x0009_</v></c>'])).toEqual(['x\t']);
  });
});

describe('dates', () => {
  it.each([
    ['yyyy\\-mm\\-dd;@', true],
    ['[$-404]e&quot;年&quot;m&quot;月&quot;d&quot;日&quot;', true],
    ['[h]:mm:ss', true],
    ['mm:ss.0', true],
    ['h:mm AM/PM', true],
    ['0.00&quot;d&quot;', false],
    ['\\d0', false],
    ['[Red]0', false],
    ['General', false],
  ])('have the format %s: %s', async (code, isDate) => {
    const texts = await column(numbers('46027'), { 'xl/styles.xml': format(code) });
    expect(texts).toEqual([isDate ? '2026-01-05T00:00:00.000Z' : '46027']);
  });

  it('are counted from 1900, or from 1904 where the workbook says so', async () => {
    const cells = numbers('1', '46027.75');
    const styles = { 'xl/styles.xml': format('d.m.yyyy') };
    expect(await column(cells, styles)).toEqual(['1899-12-31T00:00:00.000Z', '2026-01-05T18:00:00.000Z']);
    const since1904 = workbookParts([])['xl/workbook.xml']!.replace(
      '<sheets>',
      '<workbookPr date1904="1"/><sheets>',
    );
    expect(await column(cells, { ...styles, 'xl/workbook.xml': since1904 })).toEqual([
      '1904-01-02T00:00:00.000Z',
      '2030-01-06T18:00:00.000Z',
    ]);
  });

  it('can be ISO texts', async () => {
    expect(await column(['<c t="d"><v>2026-01-05</v></c>'])).toEqual(['2026-01-05T00:00:00.000Z']);
  });
});

describe('a sheet', () => {
  it.each([
    ['no such text', '<c t="s"><v>7</v></c>', 'the value of cell A2 is invalid'],
    ['no number', '<c><v>x</v></c>', 'the value of cell A2 is invalid'],
    ['no such style', '<c s="9"><v>1</v></c>', 'the value of cell A2 is invalid'],
    ['an unknown type', '<c t="x"><v>1</v></c>', 'the value of cell A2 is invalid'],
    ['a date after all others', '<c t="d"><v>2026-13-01</v></c>', 'the value of cell A2 is invalid'],
    ['cells out of order', '<c r="B2"/><c r="A2"/>', 'A2 is not right of the previous cell'],
  ])('with %s is refused', async (_, cell, reason) => {
    await expect(column([cell])).rejects.toThrow(`The XLSX file cannot be read: ${reason}`);
  });

  it('is refused with a document type, whose entities could be endless', async () => {
    const shared = '<!DOCTYPE a [<!ENTITY b "b">]><sst/>';
    await expect(column([], { 'xl/sharedStrings.xml': shared })).rejects.toThrow('The XLSX file is damaged.');
  });

  it('may have comments and cells outside of its rows', async () => {
    expect(await column(['<!-- <c><v>1</v></c> --><c><v>2</v></c>'])).toEqual(['2']);
  });
});
