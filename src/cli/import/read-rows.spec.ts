import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { workbookParts, zipFile } from '../../../test/support/zip-file';
import type { ImportColumn } from '../../common/import/import-column';
import { CliIo } from '../cli-io';
import { CliError, UsageError } from '../cli-error';
import { addColumnChoice, readRows } from './read-rows';

class TestIo extends CliIo {
  readonly stdin = Readable.from([]);
  readonly stdout = new PassThrough();
  readonly stderr: PassThrough & { isTTY: boolean };

  constructor(isTTY: boolean) {
    super();
    this.stderr = Object.assign(new PassThrough(), { isTTY });
  }
}

describe('readRows', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'rows-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it('ends the line that says how far it is before it fails', async () => {
    const io = new TestIo(true);
    const path = join(folder, 'names.csv');
    writeFileSync(path, 'name\nUrea\nGlycerin\n');
    const reading = readRows({ io, path, columns: [{ field: 'name', aliases: [] }] }, (line) => {
      if (line === 3) throw new Error('no more');
      return [];
    });
    await expect(reading).rejects.toThrow('no more');
    expect(String(io.stderr.read())).toBe('\rReading rows 1\n');
  });

  const columns = [
    { field: 'name', aliases: [] },
    { field: 'size', aliases: [] },
    { field: 'note', aliases: [] },
  ];

  /** Reads a file of these lines; rows named `bad` are refused for two reasons. */
  async function read(lines: string[], ...maps: string[]) {
    const io = new TestIo(false);
    const path = join(folder, 'rows.csv');
    writeFileSync(path, lines.join('\n'));
    const taken: unknown[] = [];
    const choices = maps.reduce(
      (earlier: ReturnType<typeof addColumnChoice>, map) => addColumnChoice(map, earlier),
      [],
    );
    const reading = readRows({ io, path, columns, choices }, (line, cell) => {
      taken.push([line, ...columns.map(({ field }) => cell(field))]);
      return cell('name') === 'bad' ? ['too bad', 'too small'] : [];
    });
    const outcome = await reading.catch((error: Error) => error);
    const { refused, notes } = outcome instanceof Error ? { refused: outcome, notes: [] } : outcome;
    return { path, taken, refused, notes, told: String(io.stderr.read()) };
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
    const rows = Array.from({ length: 1200 }, (_, row) => `${row},1`);
    expect((await read(['name,size', ...rows])).told).toBe('Reading rows ...\n1,200 rows read\n');
    expect((await read(['name,b,a', '1,2,3'])).told).toBe(
      'Columns without a field, ignored: b, a\nReading rows ...\n1 rows read\n',
    );
  });

  it('takes one choice of a column after another', async () => {
    const { taken } = await read(['a,b,size', '1,2,3'], 'a=note', 'b=name', 'size=');
    expect(taken).toEqual([[2, '2', undefined, '1']]);
  });

  it('tells a fault of the file from one of the command line', async () => {
    const { path, refused } = await read(['name', '"x']);
    expect(refused).toEqual(
      new CliError(`${path}: Broken quoting in line 2: a quote is opened and never closed.`),
    );
    expect((await read(['name'], 'name=colour')).refused).toEqual(
      new UsageError('--map: there is no field "colour"; the fields are name, size, note'),
    );
    expect(() => addColumnChoice('x')).toThrow(new UsageError('--map: "x" is not of the form column=field'));
  });

  describe('of a file with numbers, prices and names', () => {
    const columns: ImportColumn[] = [
      { field: 'name', aliases: [], required: true, holds: 'name' },
      { field: 'price', aliases: [], holds: 'price', looksLike: /cost/ },
      { field: 'size', aliases: [], holds: 'number' },
      { field: 'note', aliases: [] },
    ];

    async function rows(content: string | Buffer) {
      const path = join(folder, 'rows');
      writeFileSync(path, content);
      const taken: unknown[] = [];
      const { refused, notes } = await readRows(
        { io: new TestIo(false), path, columns },
        (line, cell, nameOf) => {
          taken.push([
            line,
            ...['name', 'price', 'size', 'note'].map((field) => cell(field)),
            nameOf('price'),
          ]);
          return [];
        },
      );
      return { taken, refused, notes };
    }

    it('decides by the column which commas are decimal ones', async () => {
      const { taken } = await rows('Notes\nname;Price;size\nA;€ 12,50;1,250\nB;1.250;0,5\n');
      expect(taken).toEqual([
        [3, 'A', '12.50', '1.250', undefined, 'Price'],
        [4, 'B', '1250', '0.5', undefined, 'Price'],
      ]);
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
});
