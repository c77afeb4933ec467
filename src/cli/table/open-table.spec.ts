import fs from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Inflating, overlapping, workbookParts, xlsxFile, zipFile } from '../../../test/support/zip-file';
import { openTable } from './open-table';
import { megabytes, TABLE_LIMITS, TableError, type TableLimits, type TableRow } from './table';

const MEGABYTE = 1024 * 1024;
const GIGABYTE = 1024 * MEGABYTE;

describe('openTable', () => {
  let folder: string;
  let path: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'table-'));
    path = join(folder, 'file');
  });
  afterEach(() => jest.restoreAllMocks());
  afterAll(() => rm(folder, { recursive: true }));

  async function read(content: string | Buffer, limits: Partial<TableLimits> = {}) {
    await writeFile(path, content);
    const table = await openTable(path, { ...TABLE_LIMITS, ...limits });
    const rows: TableRow[] = [];
    for await (const row of table.rows) rows.push(row);
    return { header: table.header, rows };
  }
  const cells = async (content: string | Buffer) => (await read(content)).rows.map((row) => row.cells);

  describe('CSV', () => {
    const SAVE_AS = 'Save it as UTF-8 (in Excel: "CSV UTF-8 (comma delimited)") and try again.';

    it('gives header, cells and the line where each row starts', async () => {
      const table = await read('a, b \n1,2\n\n"x\ny",3\r\n,\n4,"say ""hi"", ok"');
      expect(table).toEqual({
        header: ['a', 'b'],
        rows: [
          { line: 2, cells: ['1', '2'] },
          { line: 4, cells: ['x\ny', '3'] },
          { line: 7, cells: ['4', 'say "hi", ok'] },
        ],
      });
    });

    it('counts lines with CRLF, also inside quotes', async () => {
      const { rows } = await read('a,b\r\n"x\r\ny",1\r\n2,3\r\n');
      expect(rows).toEqual([
        { line: 2, cells: ['x\r\ny', '1'] },
        { line: 4, cells: ['2', '3'] },
      ]);
    });

    it('takes UTF-8 with a byte order mark', async () => {
      expect((await read('\ufeffinciName,中文\nGlycerin,甘油\n')).header).toEqual(['inciName', '中文']);
    });

    it.each([
      [';', 'name;price\n"a;b";1,5\n', [['a;b', '1,5']]],
      ['tab', 'name\tprice\na,b\t2\n', [['a,b', '2']]],
      ['comma, where there is none', 'name\n"a,b"\n', [['a,b']]],
      ['comma, where others are below only', 'a,b\n1;2;3;4,5\n', [['1;2;3;4', '5']]],
      ['tab, whatever others are quoted', '"a;,b"\t";;"\tc\n1\t2\t3\n', [['1', '2', '3']]],
      ['comma, although a quoted name has semicolons', '"a;b;c",d\n1,2\n', [['1', '2']]],
    ])('recognises the separator: %s', async (_, text, expected) => {
      expect(await cells(text)).toEqual(expected);
    });

    it('fills missing cells, drops surplus empty ones and marks rows that do not fit', async () => {
      const { rows } = await read('a,b\n1\n1,2,,\n1,2,3\n');
      expect(rows[0]).toEqual({ line: 2, cells: ['1', ''] });
      expect(rows[1]).toEqual({ line: 3, cells: ['1', '2'] });
      expect(rows[2]).toEqual({
        line: 4,
        cells: ['1', '2'],
        fault: 'has 3 cells, the header has 2 (is a cell that contains the separator not in quotes?)',
      });
    });

    it('drops columns without a name at the right end only', async () => {
      expect(await read('a,,b, ,\n1,2,3,,\n')).toEqual({
        header: ['a', '', 'b'],
        rows: [{ line: 2, cells: ['1', '2', '3'] }],
      });
    });

    it('takes single carriage returns for ends of lines, and skips rows of blanks', async () => {
      expect(await read('a;b\r1;2\r ; \r3;4\r')).toEqual({
        header: ['a', 'b'],
        rows: [
          { line: 2, cells: ['1', '2'] },
          { line: 4, cells: ['3', '4'] },
        ],
      });
    });

    it.each([
      ['never closed', 'a,b\n1,2\n1,"2\n3,4\n5,6\n', /row that starts in line 3.*never closed/],
      [
        'quote inside an unquoted cell',
        'a,b\n1,2\n1,x"2\n',
        /^Broken quoting in line 3: a quote stands inside an unquoted cell\. Put the whole cell in quotes and write the quote inside twice \(""\)\.$/,
      ],
      [
        'text after a closing quote',
        'a,b\n1,"x"2\n',
        /^Broken quoting in line 2: text follows a closing quote\. A quote inside a quoted cell is written twice \(""\)\.$/,
      ],
      ['closed far below', 'a,b\n1,2\n1,"x,2\n3,"4"\n', /row that starts in line 3: text follows/],
    ])('tells the line of broken quoting: %s', async (_, text, message) => {
      await expect(read(text)).rejects.toThrow(message);
    });

    it('gives up on a quote that swallows the rest of a large file', async () => {
      const text = `a,b\n1,"2\n${'3,4\n'.repeat(200_000)}`;
      await expect(read(text)).rejects.toThrow(
        'Broken quoting in the row that starts in line 2: the row does not end; is a quote opened there and never closed?',
      );
    });

    it('reads rows of a quarter of a million characters, and none that are much longer', async () => {
      const row = (characters: number) => `a\n"${'x'.repeat(characters)}"\n`;
      expect((await read(row(260_000))).rows[0]?.cells[0]).toHaveLength(260_000);
      await expect(read(row(264_000))).rejects.toThrow(/line 2: the row does not end/);
    });

    it.each([
      // "名称\n甘油" in GBK
      [
        'GBK',
        Buffer.from([0xc3, 0xfb, 0xb3, 0xc6, 0x0a, 0xb8, 0xca, 0xd3, 0xcd, 0x0a]),
        `Line 1 is not UTF-8 text. It looks like GBK/GB18030, which Excel writes as plain "CSV". ${SAVE_AS}`,
      ],
      [
        'Latin-1',
        Buffer.concat([Buffer.from('a\nb\n'), Buffer.from([0x63, 0xe9, 0x20, 0x0a])]),
        `Line 3 is not UTF-8 text. ${SAVE_AS}`,
      ],
      [
        'UTF-16 with a mark',
        Buffer.from('\ufeffa,b\n1,2', 'utf16le'),
        `The file is UTF-16 text ("Unicode text" in Excel). ${SAVE_AS}`,
      ],
      [
        'UTF-16 with its bytes swapped',
        Buffer.from('\ufeffa,b\n1,2', 'utf16le').swap16(),
        /^The file is UTF-16/,
      ],
      [
        'UTF-16 without',
        Buffer.from('a,b\n1,2', 'utf16le'),
        `Line 1 holds NUL bytes: this is no text file, or it is UTF-16. ${SAVE_AS}`,
      ],
      ['binary', Buffer.from('a,b\n1,\u0000\n'), /^Line 2 holds NUL bytes/],
    ])('refuses %s and says so', async (_, content, message) => {
      await expect(read(content)).rejects.toThrow(message);
    });

    it('finds invalid UTF-8 at the very end', async () => {
      await expect(read(Buffer.concat([Buffer.from('a\nb'), Buffer.from([0xe7, 0x94])]))).rejects.toThrow(
        /Line 2/,
      );
    });

    it.each([
      ['an empty file', '', 'The file is empty.'],
      ['a byte order mark alone', '\ufeff', 'The file is empty.'],
      ['a header of nothing', ',,\n1,2,3', 'The file has no header row with column names.'],
    ])('refuses %s', async (_, content, message) => {
      await expect(read(content)).rejects.toThrow(message);
    });

    it('keeps within its limits', async () => {
      const refuses = async (text: string, limits: Partial<TableLimits>, message: string) =>
        expect(read(text, limits)).rejects.toThrow(message);
      await refuses('a\n1\n2\n3\n', { rows: 2 }, 'The file has more than 2 rows: split it.');
      expect((await read('a\n1\n\n\n2\n\n', { rows: 2 })).rows).toHaveLength(2);
      await refuses(`a\n${'1\n'.repeat(1001)}`, { rows: 1000 }, 'more than 1,000 rows');
      await refuses('a,b,c\n', { columns: 2 }, 'The header has 3 columns, more than 2.');
      expect((await read('a,b,\n', { columns: 2 })).header).toEqual(['a', 'b']);
      const tooLarge = 'The file is larger than 0 MB: split it and import the parts one by one.';
      await refuses('a\n123456789\n', { fileBytes: 11 }, tooLarge);
      await expect(read('a\n123456789\n', { fileBytes: 12 })).resolves.toBeDefined();
    });

    it('reads many rows in order over all slices', async () => {
      const text = `n,t\n${Array.from({ length: 20_000 }, (_, n) => `${n},"甘油, ${n}"`).join('\n')}`;
      const { rows } = await read(text);
      expect(rows).toHaveLength(20_000);
      expect(
        rows.every(({ line, cells: [n, t] }, at) => line === at + 2 && n === `${at}` && t === `甘油, ${at}`),
      ).toBe(true);
    });
  });

  describe('XLSX', () => {
    it('gives the first sheet, with the sheet’s row numbers', async () => {
      const table = await read(
        xlsxFile([
          [],
          [' inciName ', 'price', 'x'],
          ['Glycerin\nUSP', 12.5, true],
          [' ', null, '  '],
          ['甘油 & <b>', 0.1, null],
          ['x', 1e21, false],
        ]),
      );
      expect(table).toEqual({
        header: ['inciName', 'price', 'x'],
        rows: [
          { line: 3, cells: ['Glycerin\nUSP', '12.5', 'TRUE'] },
          { line: 5, cells: ['甘油 & <b>', '0.1', ''] },
          { line: 6, cells: ['x', '1e+21', 'FALSE'] },
        ],
      });
    });

    const sheet = (xml: string) =>
      zipFile(workbookParts([], `<worksheet><sheetData>${xml}</sheetData></worksheet>`));

    it('does not unpack a bomb, whatever size the archive claims', async () => {
      const bomb = {
        ...workbookParts([['a']]),
        'xl/sharedStrings.xml': Buffer.alloc(80 * 1024 * 1024, 0x20),
      };
      for (const claimedBytes of [undefined, 10]) {
        await expect(read(zipFile(bomb, { claimedBytes }))).rejects.toThrow(/unpacks to more than 64 MB/);
      }
    });

    it('does not unpack parts that together are too large', async () => {
      const parts = {
        ...workbookParts([['a']]),
        'xl/a.xml': Buffer.alloc(600),
        'xl/b.xml': Buffer.alloc(600),
      };
      await expect(read(zipFile(parts), { unpackedBytes: 3000 })).resolves.toBeDefined();
      await expect(read(zipFile(parts), { unpackedBytes: 2500 })).rejects.toThrow(/unpacks to more/);
    });

    it('reads parts that are not compressed, and counts them', async () => {
      const parts: Record<string, string | Buffer> = workbookParts([['a'], ['b']]);
      parts['xl/a.xml'] = Buffer.alloc(600);
      expect((await read(zipFile(parts, { method: 0 }))).rows).toEqual([{ line: 2, cells: ['b'] }]);
      const { '_rels/.rels': _, ...counted } = parts;
      const unpackedBytes = Object.values(counted).reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      await expect(read(zipFile(parts, { method: 0 }), { unpackedBytes })).resolves.toBeDefined();
      await expect(read(zipFile(parts, { method: 0 }), { unpackedBytes: unpackedBytes - 1 })).rejects.toThrow(
        'The XLSX file unpacks to more than 0 MB: split it, or save it as CSV.',
      );
    });

    it('unpacks as much as the limit says, and then no other part', async () => {
      // This one is not XML by its name: it is not unpacked.
      const { '_rels/.rels': _, ...parts } = workbookParts([['a'], ['b']]);
      const unpackedBytes = Object.values(parts).reduce((sum, part) => sum + Buffer.byteLength(part), 0);
      expect((await read(zipFile(parts), { unpackedBytes })).rows).toHaveLength(1);
      const picture = zipFile({ 'xl/media/a.png': Buffer.alloc(9999), ...parts });
      expect((await read(picture, { unpackedBytes })).rows).toHaveLength(1);
      const one = zipFile({ ...parts, 'xl/a.xml': 'x' });
      await expect(read(one, { unpackedBytes })).rejects.toThrow(/unpacks to more/);
      await expect(read(zipFile(parts), { unpackedBytes: unpackedBytes - 1 })).rejects.toThrow(/unpacks to/);
    });

    it('gives up on a bomb of a gigabyte while its first part is inflated, with little memory', async () => {
      const bomb = zipFile({
        ...workbookParts([['a']]),
        'xl/sharedStrings.xml': new Inflating(GIGABYTE),
      });
      expect(bomb.length).toBeLessThan(2 * MEGABYTE);
      const before = process.resourceUsage().maxRSS;
      await expect(read(bomb)).rejects.toThrow(/unpacks to more than 64 MB/);
      const grown = (process.resourceUsage().maxRSS - before) * 1024;
      expect(grown).toBeLessThan(GIGABYTE / 4);
    });

    it('counts a bomb of parts that lie over each other as often as it is named', async () => {
      const name = (part: number) => `xl/theme/theme${part}.xml`;
      const names = Array.from({ length: 900 }, (_, part) => name(part));
      const bomb = overlapping(workbookParts([['a']]), names, Buffer.alloc(MEGABYTE));
      expect(bomb.length).toBeLessThan(100_000);
      await expect(read(bomb)).rejects.toThrow(/unpacks to more than 64 MB/);
    });

    it('takes names with a leading slash or backslashes, as some programs write them', async () => {
      const parts = Object.entries(workbookParts([['a'], ['b']]));
      const named = (rename: (name: string) => string) =>
        zipFile(Object.fromEntries(parts.map(([name, content]) => [rename(name), content])));
      for (const file of [named((name) => `/${name}`), named((name) => name.replaceAll('/', '\\'))]) {
        expect((await read(file)).rows).toEqual([{ line: 2, cells: ['b'] }]);
      }
    });

    const inline = (text: string) => `<row r="1"><c r="A1" t="inlineStr"><is><t>${text}</t></is></c></row>`;

    it('reads the longest text, and as many cells as the limit says, whatever they hold', async () => {
      const longest = 'x'.repeat(32_767);
      expect((await read(sheet(inline(longest)))).header).toEqual([longest]);
      const corner = sheet('<row r="1"><c r="A1"><v>1</v></c></row><row r="4"><c r="C4"><v>2</v></c></row>');
      expect((await read(corner, { cells: 12 })).rows).toEqual([
        { line: 4, cells: ['', '', '2'].slice(0, 1), fault: expect.stringContaining('has 3 cells') },
      ]);
      const upwards = sheet('<row r="4"><c r="C4"><v>2</v></c></row><row r="1"><c r="A1"><v>1</v></c></row>');
      for (const content of [corner, upwards]) {
        await expect(read(content, { cells: 11 })).rejects.toThrow(
          'The sheet spans more than 11 cells (4 rows of 3): split it, or delete what stands below or right of the table.',
        );
      }
    });

    it('reads tags of 64 KB, and no longer ones', async () => {
      const tagged = (bytes: number) =>
        sheet(
          inline('a').replace('<row r="1"', `<row r="1" a="${'x'.repeat(bytes - '<row r="1" a=""'.length)}"`),
        );
      expect((await read(tagged(64 * 1024))).header).toEqual(['a']);
      await expect(read(tagged(64 * 1024 + 1))).rejects.toThrow('The XLSX file is damaged.');
      const open = { ...workbookParts([['a']]), 'xl/a.xml': `<${'x'.repeat(65_537)}` };
      await expect(read(zipFile(open))).rejects.toThrow('The XLSX file is damaged.');
    });

    it('minds no cell outside of rows that has no address', async () => {
      const parts = { ...workbookParts([['a'], ['b']]), 'xl/a.xml': '<x><c/></x>' };
      expect((await read(zipFile(parts))).rows).toHaveLength(1);
    });

    it('checks the sheet wherever the workbook has it, and no list of formulas', async () => {
      const far = '<worksheet><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData></worksheet>';
      const parts = workbookParts([['a'], ['b']]);
      const elsewhere = {
        ...parts,
        'xl/_rels/workbook.xml.rels': parts['xl/_rels/workbook.xml.rels']!.replace(
          'worksheets/sheet1.xml',
          'far.xml',
        ),
        'xl/far.xml': far,
      };
      await expect(read(zipFile(elsewhere))).rejects.toThrow(/more than 256 columns/);
      const formulas = { ...parts, 'xl/calcChain.xml': '<calcChain><c r="XFD1" i="2"/></calcChain>' };
      expect((await read(zipFile(formulas))).rows).toHaveLength(1);
    });

    it('refuses more parts than a workbook has', async () => {
      const many = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, part) => [`media/${part}.png`, '']));
      const parts = workbookParts([['a']]);
      const free = 1000 - Object.keys(parts).length;
      await expect(read(zipFile({ ...parts, ...many(free) }))).resolves.toBeDefined();
      await expect(read(zipFile({ ...parts, ...many(free + 1) }))).rejects.toThrow(
        'The XLSX file holds more than 1000 parts.',
      );
    });

    it('reads as many rows and columns as the limits say', async () => {
      const wide = Array.from({ length: 28 }, (_, column) => `c${column}`);
      const file = xlsxFile([wide, wide, wide]);
      expect((await read(file, { rows: 2, columns: 28 })).rows).toHaveLength(2);
      await expect(read(file, { rows: 1, columns: 28 })).rejects.toThrow(/more than 1 rows/);
      await expect(read(file, { rows: 2, columns: 27 })).rejects.toThrow(/more than 27 columns \(cell AB1\)/);
    });

    it('gives dates as ISO texts, and keeps white space around a text', async () => {
      const parts = {
        ...workbookParts(
          [],
          '<worksheet><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>day</t></is></c>' +
            '<c r="B1" t="inlineStr"><is><t>text</t></is></c></row><row r="2"><c r="A2" s="1"><v>46027</v></c>' +
            '<c r="B2" t="inlineStr"><is><t xml:space="preserve"> x </t></is></c></row></sheetData></worksheet>',
        ),
        'xl/styles.xml': '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
      };
      expect((await read(zipFile(parts))).rows).toEqual([
        { line: 2, cells: ['2026-01-05T00:00:00.000Z', ' x '] },
      ]);
    });

    it.each([
      [
        'a far row',
        '<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="A1048576"><v>1</v></c></row>',
        'The sheet has more than 200,000 rows (a cell in row 1048576): split it, or delete empty rows below the table.',
      ],
      [
        'a far column',
        '<row r="1"><c r="XFD1"><v>1</v></c></row>',
        'The sheet has more than 256 columns (cell XFD1): delete what stands right of the table.',
      ],
      ['a column without a row', '<row r="1"><c r="A"><v>1</v></c></row>', /damaged/],
      ['an address in small letters', '<row r="1"><c r="a1"><v>1</v></c></row>', /damaged/],
      ["an address in ' '", "<row r='1'><c t='n' r = 'XFD1'><v>1</v></c></row>", /columns/],
      ['a prefixed element', '<x:row r="999999"></x:row>', /rows/],
      ['a row before the first', '<row r="0"></row>', /damaged/],
      ['a row after the last of any sheet', '<row r="1048577"></row>', /damaged/],
      ['an impossible row', '<row r="99999999999"></row>', /damaged/],
      ['an escaped address', '<row r="1"><c r="&#88;FD1"><v>1</v></c></row>', /damaged/],
      ['an address with a prefix', '<row r="1"><c x:r="XFD1"><v>1</v></c></row>', /more than 256 columns/],
      ['an address after a >', '<row r="1"><c s=">" r="XFD1"><v>1</v></c></row>', /more than 256 columns/],
      ['an address after what is none', '<row r="1"><c s="1"t="n" r="XFD1"><v>1</v></c></row>', /damaged/],
      [
        'the far corner',
        '<row r="200001"><c r="IV200001"><v>1</v></c></row>',
        /spans more than 5,000,000 cells/,
      ],
      [
        'too many rows without a number',
        '<row/>'.repeat(200_002),
        /more than 200,000 rows \(a cell in row 200002\)/,
      ],
      [
        'too many cells without an address',
        `<row>${'<c/>'.repeat(257)}</row>`,
        /more than 256 columns \(cell in column 257\)/,
      ],
      [
        'a text that no cell holds',
        inline('x'.repeat(32_768)),
        'The XLSX file cannot be read: a cell has more than 32767 characters',
      ],
      ['a tag of many attributes', `<row ${'a="" '.repeat(13_200)}></row>`, /damaged/],
    ])('does not fill the gap before %s', async (_, xml, message) => {
      await expect(read(sheet(xml))).rejects.toThrow(message);
    });

    it.each([
      [
        'an archive that is no workbook',
        zipFile({ 'a.xml': 'x' }),
        'The file is a ZIP archive, but no XLSX workbook.',
      ],
      ['a truncated file', xlsxFile([['a'], ['b']]).subarray(0, 400), 'The XLSX file is damaged.'],
      ...[1, 0x41].map((flags): [string, Buffer, string] => [
        `an encrypted archive (${flags})`,
        zipFile(workbookParts([['a']]), { flags }),
        'The XLSX file is encrypted: save it without a password.',
      ]),
      ['an unknown compression', zipFile(workbookParts([['a']]), { method: 12 }), /damaged/],
      ['an empty sheet', xlsxFile([]), 'The first sheet of the workbook is empty.'],
      [
        'an old workbook',
        Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]),
        'The file is an old Excel workbook (XLS) or password-protected: save it as XLSX or CSV.',
      ],
      ['broken XML', sheet('<row r="1"><c r="A1"><v>1</v></row>'), /cannot be read/],
    ])('refuses %s', async (_, content, message) => {
      await expect(read(content)).rejects.toThrow(message);
    });

    it('survives any single damaged byte', async () => {
      const good = xlsxFile([['inciName'], ['Glycerin']]);
      for (let at = 4; at < good.length; at += 3) {
        const bad = Buffer.from(good);
        bad[at] = (bad[at] ?? 0) ^ 0xff;
        // Either it is read or it is refused as a table: never another kind of error.
        await read(bad).catch((error: Error) => expect(error.name).toBe('TableError'));
      }
    });
  });

  it('counts a file over all the pieces it is read in', async () => {
    const text = `a\n${'1\n'.repeat(MEGABYTE)}`;
    await expect(read(text, { fileBytes: 2 * MEGABYTE })).rejects.toThrow(/larger than 2 MB/);
  });

  it('says sizes in whole megabytes', () => {
    expect([0.5, 1.49, 2000].map((size) => megabytes(size * MEGABYTE))).toEqual(['1 MB', '1 MB', '2,000 MB']);
  });

  it.each([
    ['a missing file', 'missing', 'There is no such file.'],
    ['a directory', '.', 'This is a directory, not a file.'],
  ])('refuses %s', async (_, name, message) => {
    await expect(openTable(join(folder, name))).rejects.toThrow(new TableError(message));
  });

  it.each([
    ['EACCES', 'The file may not be read: permission denied.'],
    ['EPERM', 'The file may not be read: permission denied.'],
    ['EIO', undefined],
  ])('explains %s, if it can', async (code, message) => {
    const error = Object.assign(new Error('read'), { code });
    const failing = new Readable({ read: () => failing.destroy(error) });
    jest.spyOn(fs, 'createReadStream').mockReturnValueOnce(failing as fs.ReadStream);
    await expect(openTable(path)).rejects.toEqual(message === undefined ? error : new TableError(message));
  });
});
