import { inEnglish } from '../../../test/support/reasons';
import { reasonOf, type RefusedRow } from '../import-report';
import { workbook } from '../../../test/support/supplier-files/workbook';
import { workbookParts, zipFile } from '../../../test/support/zip-file';
import { ColumnChoiceError, parseColumnChoice } from './column-mapping';
import type { ImportColumn } from './file-column';
import { readRows } from './read-rows';
import { TableError } from '../reading/table';

/** The faults of each row in one text. */
const plain = (refused: readonly RefusedRow[]) =>
  refused.map((row) => ({ line: row.line, reason: reasonOf(row, 'en') }));

describe('readRows', () => {
  const columns = [
    { field: 'name', aliases: [] },
    { field: 'size', aliases: [] },
    { field: 'note', aliases: [] },
  ];

  /** Reads a file of these lines; rows named `bad` are refused for two reasons. */
  async function read(lines: string[], ...maps: string[]) {
    const taken: unknown[] = [];
    const choices = maps.map(parseColumnChoice);
    const reading = await readRows(Buffer.from(lines.join('\n')), columns, { choices }, (line, cell) => {
      taken.push([line, ...columns.map(({ field }) => cell(field))]);
      return cell('name') === 'bad' ? [{ reason: 'too bad' }, { reason: 'too small' }] : [];
    });
    return { taken, ...reading, refused: plain(reading.refused) };
  }

  it('gives cells as they were before an export escaped them, and undefined where there is no column', async () => {
    expect((await read(['name,size', "'=Box, 1 ", 'Jar'])).taken).toEqual([
      [2, '=Box', ' 1 ', undefined],
      [3, 'Jar', '', undefined],
    ]);
  });

  it('refuses rows for all their reasons, and those that do not fit the header without asking', async () => {
    const { taken, refused } = await read(['name,size', 'bad,1', 'a,b,c', 'good,2']);
    expect(refused).toEqual([
      { line: 2, reason: 'too bad; too small' },
      {
        line: 3,
        reason: 'has 3 cells, the header has 2 (is a cell that contains the separator not in quotes?)',
      },
    ]);
    expect(taken).toEqual([
      [2, 'bad', '1', undefined],
      [4, 'good', '2', undefined],
    ]);
  });

  it('tells how many rows there are, and which columns are ignored, if any', async () => {
    const lines = Array.from({ length: 1200 }, (_, row) => `${row},1`);
    expect(await read(['name,size', ...lines])).toMatchObject({ rows: 1200, ignored: [] });
    expect(await read(['name,b,a', '1,2,3'])).toMatchObject({ rows: 1, ignored: ['b', 'a'] });
  });

  it('takes one choice of a column after another', async () => {
    const { taken } = await read(['a,b,size', '1,2,3'], 'a=note', 'b=name', 'size=');
    expect(taken).toEqual([[2, '2', undefined, '1']]);
  });

  it('tells a fault of the file from a choice that makes no sense', async () => {
    await expect(read(['name', '"x'])).rejects.toThrow(
      new TableError('Broken quoting in line 2: a quote is opened and never closed.'),
    );
    await expect(read(['name'], 'name=colour')).rejects.toThrow(
      new ColumnChoiceError('there is no field "colour"; the fields are name, size, note'),
    );
  });

  describe('of a file with numbers, prices and names', () => {
    const columns: ImportColumn[] = [
      { field: 'name', aliases: [], required: true, holds: 'name' },
      { field: 'price', aliases: [], holds: 'price', looksLike: /cost/ },
      { field: 'size', aliases: [], holds: 'number' },
      { field: 'note', aliases: [] },
    ];

    async function rows(content: string | Buffer) {
      const taken: unknown[] = [];
      const { refused, notes } = await readRows(Buffer.from(content), columns, {}, (line, cell, nameOf) => {
        taken.push([line, ...['name', 'price', 'size', 'note'].map((field) => cell(field)), nameOf('price')]);
        return [];
      });
      return { taken, refused: plain(refused), notes: inEnglish(notes) as unknown };
    }

    it('decides by the column which commas are decimal ones', async () => {
      const { taken } = await rows('Notes\nname;Price;size\nA;€ 12,50;1,250\nB;1.250;0,5\n');
      expect(taken).toEqual([
        [3, 'A', '12.50', '1.250', undefined, 'Price'],
        [4, 'B', '1250', '0.5', undefined, 'Price'],
      ]);
    });

    it.each([
      ['price', '€ 5', ['"price": prices are in EUR, and stored as plain numbers']],
      ['price', '5 美元', ['"price": prices are in USD, and stored as plain numbers']],
      ['price', '¥ 5', []],
      ['price', '5', []],
      ['size', '€ 5', []],
    ])('notes the currency of prices other than CNY: %s %s', async (field, cell, expected) => {
      expect((await rows(`name,${field}\nA,${cell}\n`)).notes).toEqual(expected);
    });

    it('refuses errors and dates in place of names with their cell, but not in columns that are ignored', async () => {
      const { taken, refused } = await rows(
        'name,price,x,note\n6-Mar,#N/A,,\nA,1,#REF!,6-Mar\nB,,,#NAME?\n"\'6-Mar",2,,"\'#NAME?"\n',
      );
      expect(refused).toEqual([
        {
          line: 2,
          reason:
            'name: cell A2 holds a date (6-Mar) in place of a name; price: cell B2 holds the error #N/A',
        },
        { line: 4, reason: 'note: cell D4 holds the error #NAME?' },
      ]);
      expect(taken).toEqual([
        [3, 'A', '1', undefined, '6-Mar', 'price'],
        [5, '6-Mar', '2', undefined, '#NAME?', 'price'],
      ]);
    });

    it('takes numbers of an XLSX file as they are, and refuses dates and errors with their cell', async () => {
      const parts = workbookParts([
        ['name', 'price', 'note'],
        ['A', 1.25, 'x'],
        ['B', '12,50', 'y'],
        ['C', null, 'z'],
        [null, null, 'w'],
      ]);
      parts['xl/worksheets/sheet1.xml'] = parts['xl/worksheets/sheet1.xml']!.replace(
        '<c r="C4"',
        '<c r="B4" t="e"><v>#REF!</v></c><c r="C4"',
      ).replace('<c r="C5"', '<c r="A5" s="1"><v>45357</v></c><c r="C5"');
      const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
      const { taken, refused, notes } = await rows(zipFile({ ...parts, 'xl/styles.xml': styles }));
      expect(taken).toEqual([
        [2, 'A', '1.25', undefined, 'x', 'price'],
        [3, 'B', '12.50', undefined, 'y', 'price'],
      ]);
      expect(refused).toEqual([
        { line: 4, reason: 'price: cell B4 holds the error #REF!' },
        { line: 5, reason: 'name: cell A5 holds a date (2024-03-06) in place of a name' },
      ]);
      expect(notes).toEqual(['Sheet "Sheet1" was read']);
    });

    it('takes a text of merged cells for each of their rows, but neither a name nor a number', async () => {
      const sheet = {
        name: 'S',
        rows: [
          ['name', 'price', 'note'],
          ['A', 1, 'x'],
          ['B', 2],
          ['C', 3, 'y'],
          [null, null, 'z'],
        ],
        merged: ['C2:C3', 'A4:A5', 'B4:B5'],
      };
      const { taken, refused } = await rows(workbook(sheet));
      expect(taken.map((row) => (row as unknown[]).slice(0, 5))).toEqual([
        [2, 'A', '1', undefined, 'x'],
        [3, 'B', '2', undefined, 'x'],
        [4, 'C', '3', undefined, 'y'],
      ]);
      const reason = (field: string, cell: string, into: string) =>
        `${field}: cell ${cell} is merged with ${into}: give each row a cell of its own`;
      expect(refused).toEqual([
        { line: 5, reason: `${reason('name', 'A5', 'A4')}; ${reason('price', 'B5', 'B4')}` },
      ]);
    });

    it('refuses a filled column without a name, unless it counts the rows', async () => {
      for (const start of [0, 1]) {
        const { notes, taken } = await rows(`,name\n${start},A\n${start + 1},B\n`);
        expect(notes).toEqual(['Column A has no name and counts the rows: it was not read']);
        expect(taken).toHaveLength(2);
      }
      for (const cells of ['12.5,A\n13,B', '0,A\n2,B', '0,A\n,B']) {
        await expect(rows(`,name\n${cells}\n`)).rejects.toThrow(
          /Column A has no name, and \d of its cells are filled/,
        );
      }
      expect((await rows('name,,size\nA,,1\n')).notes).toEqual([]);
    });

    it('refuses a column that looks like one of its fields', async () => {
      await expect(rows('name,Unit Cost\nA,5\n')).rejects.toThrow(
        'The column "Unit Cost" looks like price and is not understood: name its field with --map "Unit Cost=price", or leave it out with --map "Unit Cost=".',
      );
    });
  });

  it('refuses a cell that is longer than any field before it reads it', async () => {
    const [longest, tooLong] = [64 * 1024, 64 * 1024 + 1].map((length) => 'x'.repeat(length));
    const { taken, refused } = await read(['name,size', `${longest},1`, `${tooLong},2`]);
    expect(taken).toEqual([[2, longest, '1', undefined]]);
    expect(refused).toEqual([{ line: 3, reason: 'name: is longer than 65536 characters' }]);
  });

  it('refuses a number of more than 250 characters, which does not decide how others are read', async () => {
    const rows = [`"0,${'5'.repeat(248)}"`, '"1,250"', `"${' '.repeat(248)}1,5"`];
    const content = Buffer.from(['name,size', ...rows.map((size) => `a,${size}`)].join('\n'));
    const known: ImportColumn[] = [
      { field: 'name', aliases: [] },
      { field: 'size', aliases: [], holds: 'number' },
    ];
    const taken: unknown[] = [];
    const { refused } = await readRows(content, known, {}, (_, cell) => {
      taken.push(cell('size'));
      return [];
    });
    expect(taken).toEqual([`0.${'5'.repeat(248)}`, '1.250']);
    expect(plain(refused)).toEqual([{ line: 4, reason: 'size: is longer than 250 characters' }]);
  });

  it('says of a refused cell its column and its value, and of all rows their cells', async () => {
    const content = Buffer.from('Name der Sache,size\nA,big\n');
    const known: ImportColumn[] = [
      { field: 'name', aliases: ['Name der Sache'] },
      { field: 'size', aliases: [] },
    ];
    const { refused, header, cells } = await readRows(content, known, {}, () => [
      { field: 'name', reason: 'is odd' },
      { reason: 'is odd' },
    ]);
    expect(refused[0]!.faults).toEqual([
      { field: 'name', column: 'Name der Sache', value: 'A', reason: 'is odd' },
      { reason: 'is odd' },
    ]);
    expect(header).toEqual(['Name der Sache', 'size']);
    expect(cells.get(2)).toEqual(['A', 'big']);
  });
});
