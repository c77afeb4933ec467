import fs from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { inEnglish } from '../../../test/support/reasons';
import { Inflating, overlapping, workbookParts, xlsxFile, zipFile } from '../../../test/support/zip-file';
import { renderReason } from '../import-report';
import { openTable, readFileContent } from './open-table';
import {
  megabytes,
  TABLE_LIMITS,
  TableError,
  type TableLimits,
  type TableOptions,
  type TableRow,
} from './table';

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
    const { header, rows } = await open(content, { limits: { ...TABLE_LIMITS, ...limits } });
    return { header, rows: rows.map(({ line, cells, fault }) => ({ line, cells, ...(fault && { fault }) })) };
  }

  async function open(content: string | Buffer, options: TableOptions = {}) {
    await writeFile(path, content);
    const table = await openTable(await readFileContent(path, options.limits), options);
    const rows: TableRow[] = [];
    for await (const row of table.rows) rows.push(row);
    return { ...table, notes: inEnglish(table.notes) as unknown, rows: inEnglish(rows) as TableRow[] };
  }
  const cells = async (content: string | Buffer) => (await read(content)).rows.map((row) => row.cells);

  describe('CSV', () => {
    const SAVE_AS = 'ave it as UTF-8 (in Excel: "CSV UTF-8 (comma delimited)") and try again.';

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
      ['comma, where there are as many semicolons', 'a;b,c\n1;2,3\n', [['1;2', '3']]],
      ['comma, where there are as many tabs', 'a\tb,c\n1\t2,3\n', [['1\t2', '3']]],
      ['semicolon, where there are as many tabs', 'a\tb;c\n1\t2;3\n', [['1\t2', '3']]],
      ['semicolon, where there are more', 'a,b;c;d\n1,2;3;4\n', [['1,2', '3', '4']]],
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

    /** `甘油` in GBK, which is a text in Big5 too. */
    const GLYCERIN = [0xb8, 0xca, 0xd3, 0xcd];
    const NOT_CERTAIN = 'It could be GBK (--encoding gbk) or Big5 (--encoding big5): say which.';

    it.each([
      [
        'two characters',
        Buffer.from([0x61, 0x0a, ...GLYCERIN, 0x0a]),
        `Line 2 is not UTF-8 text. ${NOT_CERTAIN} Or s${SAVE_AS}`,
      ],
      [
        'Latin-1',
        Buffer.concat([Buffer.from('a\nb\n'), Buffer.from([0x63, 0xe9, 0x20, 0x0a])]),
        'Line 3 is not UTF-8 text. It could be Windows-1252, the Western European one (--encoding windows-1252): ' +
          `say which. Or s${SAVE_AS}`,
      ],
      // "水" in GBK
      [
        'GBK that is UTF-8 by chance',
        Buffer.from([0x61, 0x0a, 0xcb, 0xae, 0x0a]),
        /^The file may be UTF-8 text by chance only\. It could be GBK/,
      ],
      ['nothing known', Buffer.from([0x61, 0x0a, 0xff, 0xff, 0x0a, 0x81]), /^Line 2 is not UTF-8 text\. /],
      [
        'UTF-16 without a mark and a known header',
        Buffer.from('a,b\n1,2', 'utf16le'),
        /^Line 1 holds NUL bytes: this is no text file, or it is UTF-16\. If so, say --encoding utf-16le or --encoding utf-16be/,
      ],
      [
        'half a character of UTF-16',
        Buffer.from('\ufeffa,b', 'utf16le').subarray(0, 7),
        /^The file begins as UTF-16/,
      ],
      ['binary', Buffer.from('a,b\n1,\u0000\n'), /^Line 2 holds NUL bytes/],
    ])('refuses what could be several encodings and says which: %s', async (_, content, message) => {
      await expect(read(content)).rejects.toThrow(message);
    });

    it.each(['windows-1252', 'latin1'])('reads all characters of %s', async (encoding) => {
      const content = Buffer.concat([
        Buffer.from('Preis '),
        Buffer.from([0x80, 0x2f, 0x96, 0xfc]),
        Buffer.from('\n1\n'),
      ]);
      expect((await open(content, { encoding })).header).toEqual(['Preis €/–ü']);
    });

    const names = (...known: string[]): TableOptions => ({
      knownNames: (row) => row.filter((cell) => known.includes(cell)),
    });

    it.each([
      [
        'a name of a column in GBK',
        [0xc3, 0xfb, 0xb3, 0xc6, 0x0a, ...GLYCERIN],
        names('名称'),
        '名称',
        '甘油',
        'Read as GBK',
      ],
      // "名稱" and "甘油" in Big5
      [
        'a name of a column in Big5',
        [0xa6, 0x57, 0xba, 0xd9, 0x0a, 0xa5, 0xcc, 0xaa, 0x6f],
        names('名稱'),
        '名稱',
        '甘油',
        'Read as Big5',
      ],
      // "透明质酸钠" in GBK
      [
        'enough characters in GBK',
        [0x61, 0x0a, 0xcd, 0xb8, 0xc3, 0xf7, 0xd6, 0xca, 0xcb, 0xe1, 0xc4, 0xc6],
        {},
        'a',
        '透明质酸钠',
        'Read as GBK',
      ],
      // "菸鹼醯胺甘油" in Big5
      [
        'enough characters in Big5',
        [0x61, 0x0a, 0xb5, 0xd2, 0xc6, 0x50, 0xc2, 0xcb, 0xd3, 0x69, 0xa5, 0xcc, 0xaa, 0x6f],
        {},
        'a',
        '菸鹼',
        'Read as Big5',
      ],
      [
        'the user’s word',
        [0x61, 0x0a, ...GLYCERIN],
        { encoding: 'gbk' },
        'a',
        '甘油',
        'Read as gbk, as told',
      ],
      ['the user’s word', [0x61, 0x0a, 0xe9], { encoding: 'latin1' }, 'a', 'é', 'Read as latin1, as told'],
    ] as [string, number[], TableOptions, string, string, string][])(
      'reads what is certain by %s',
      async (_, bytes, options, header, cell, note) => {
        const table = await open(Buffer.from(bytes), options);
        expect(table.header).toEqual([header]);
        expect(table.notes).toEqual([note]);
        expect(table.rows[0]?.cells[0]).toMatch(new RegExp(`^${cell}`));
      },
    );

    it('refuses what is not in the encoding that the user names', async () => {
      await expect(open(Buffer.from('甘油'), { encoding: 'utf-16le' })).resolves.toBeDefined();
      await expect(open(Buffer.from([0x61, 0xff]), { encoding: 'utf-8' })).rejects.toThrow(
        'The file is no utf-8 text. Name another encoding.',
      );
      await expect(open(xlsxFile([['a']]), { encoding: 'gbk' })).rejects.toThrow('no --encoding of its own');
      await expect(open('a\n1', { sheet: 'x' })).rejects.toThrow('no XLSX workbook');
    });

    it.each([
      ['with a mark', '\ufeff', {}],
      ['without one, by its header', '', names('a')],
    ])('reads UTF-16 %s', async (_, mark, options) => {
      const little = Buffer.from(`${mark}a\t中\n1\t一\n`, 'utf16le');
      for (const [bytes, order] of [
        [little, 'LE'],
        [Buffer.from(little).swap16(), 'BE'],
      ] as const) {
        const table = await open(bytes, options);
        expect(table).toMatchObject({ header: ['a', '中'], notes: [`Read as UTF-16 ${order}`] });
        expect(table.rows).toEqual([{ line: 2, cells: ['1', '一'] }]);
      }
    });

    it.each([
      // Korean and Japanese in two bytes a character: "글리세린 원료" and "グリセリン"
      [[0xb1, 0xdb, 0xb8, 0xae, 0xbc, 0xbc, 0xb8, 0xb0, 0xbf, 0xf8, 0xb7, 0xe1, 0xc7, 0xd1, 0xb1, 0xb9]],
      [[0xa5, 0xb0, 0xa5, 0xea, 0xa5, 0xbb, 0xa5, 0xea, 0xa5, 0xf3, 0xa4, 0xce, 0xb8, 0xb6, 0xce, 0xc1]],
    ])('does not take another language for Chinese', async (bytes) => {
      await expect(read(Buffer.from([0x61, 0x0a, ...bytes]))).rejects.toThrow('say which');
    });

    describe('with known names of columns', () => {
      const known = names('name', 'price');

      it.each([
        [
          'a title and blank lines',
          'Prices; of, 2026\n\nname,price\nA,1',
          3,
          ['Line 1, above the header, was not read'],
        ],
        [
          'lines of an instrument',
          'Serial;1\nDate;2\n;\nname;price\nA;1',
          4,
          ['Lines 1 to 2, above the header, were not read'],
        ],
        [
          'another separator above',
          'a,b,c,d,e\nname;price\nA;1',
          2,
          ['Line 1, above the header, was not read'],
        ],
        ['a line that names the separator', 'sep=;\nname;price\nA;1', 2, []],
        ['one in quotes', '"sep=,"\r\nname,price\r\nA,1', 2, []],
        ['one that names a bar', 'sep=|\nname|price\nA|1', 2, []],
        ['bars', 'name|price\nA|1', 1, []],
        [
          'a title of two lines in quotes',
          '"a\nb"\nname,price\nA,1',
          3,
          ['Line 1, above the header, was not read'],
        ],
        ['a title with a quote that is none', 'a "b" c\nname,price\nA,1', 2, undefined],
      ])('finds the header below %s', async (_, text, header, notes) => {
        if (notes === undefined) {
          await expect(open(text, known)).rejects.toThrow(/Broken quoting in line 1/);
          return;
        }
        const table = await open(text, known);
        expect(table).toMatchObject({ header: ['name', 'price'], notes });
        expect(table.rows).toEqual([{ line: header + 1, cells: ['A', '1'] }]);
      });

      it.each([
        ['commas', '"name,price"\r\n"""A, B"",1"\r\n', 'A, B', '1'],
        ['semicolons', '"name;price"\n"A;1,5"', 'A', '1,5'],
      ])('reads rows that are one quoted cell each: %s', async (_, text, name, price) => {
        const table = await open(text, known);
        expect(table).toMatchObject({ header: ['name', 'price'], rows: [{ line: 2, cells: [name, price] }] });
      });

      it.each([
        ['most rows', '"name,price"\n"A,1"\nB\nC,3\n"D,4"', 4],
        ['half of the rows', '"name,price"\n"A,1"\nB\nC,3\n', 0],
        ['rows beside one with a quoted cell', '"name,price"\n"A,1"\n"B",2\n"D,4"', 0],
        ['rows beside one with a quote', '"name,price"\n"A,1"\nB"",2\n"D,4"', undefined],
      ])('removes the quotes around %s only where they are most, and no others', async (_, text, count) => {
        if (count === undefined) return expect(open(text, known)).rejects.toThrow(/Broken quoting in line 3/);
        const { header, rows } = await open(text, known);
        expect(header).toEqual(count > 0 ? ['name', 'price'] : ['name,price']);
        if (count > 0)
          expect(rows.map(({ cells }) => cells)).toEqual([
            ['A', '1'],
            ['B', ''],
            ['C', '3'],
            ['D', '4'],
          ]);
      });

      it('keeps the quotes of a table of one column', async () => {
        const { header, rows } = await open('"name"\n"A,B"', known);
        expect([header, rows]).toEqual([['name'], [{ line: 2, cells: ['A,B'] }]]);
      });

      it('gives the cells above the header, without blank lines', async () => {
        const { above } = await open('Annex V,2026\n\nname,price\nA,1', known);
        expect(above).toEqual([['Annex V', '2026']]);
      });

      it('takes the first row for the header where none has known names within fifty', async () => {
        expect((await open('x,y\n1,2', known)).header).toEqual(['x', 'y']);
        expect((await open(`${'x,y\n'.repeat(49)}name,price`, known)).header).toEqual(['name', 'price']);
        expect((await open(`${'x,y\n'.repeat(50)}name,price`, known)).header).toEqual(['x', 'y']);
        expect((await open('sep=;\nx;y\n1;2', known)).rows).toEqual([{ line: 3, cells: ['1', '2'] }]);
        expect((await open('\n\nx;y\n1;2', known)).rows).toEqual([{ line: 4, cells: ['1', '2'] }]);
      });
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
      await expect(read(corner, { cells: 11 })).rejects.toThrow(
        'The sheet spans more than 11 cells (4 rows of 3): split it, or delete what stands below or right of the table.',
      );
      await expect(read(upwards)).rejects.toThrow('cannot be read: row 1 stands below row 4');
      const { reason } = (await read(upwards).catch((error: unknown) => error)) as TableError;
      expect(renderReason(reason, 'zh')).toBe('无法读取 XLSX 文件: 第1行位于第4行之后');
    });

    it('reads tags of 64 KB, and no longer ones', async () => {
      const tagged = (bytes: number) =>
        sheet(
          inline('a').replace('<row r="1"', `<row r="1" a="${'x'.repeat(bytes - '<row r="1" a=""'.length)}"`),
        );
      expect((await read(tagged(64 * 1024))).header).toEqual(['a']);
      await expect(read(tagged(64 * 1024 + 1))).rejects.toThrow('The XLSX file is damaged.');
    });

    it('checks the sheet wherever the workbook has it, and no part that is not read', async () => {
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
      expect((await read(zipFile({ ...parts, 'xl/far.xml': far }))).rows).toHaveLength(1);
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

    describe('of several sheets', () => {
      const cellsXml = (rows: string[][]) =>
        rows
          .map((row, at) => {
            const inner = row.map(
              (text, column) => `<c r="${'ABCD'[column]}${at + 1}" t="inlineStr"><is><t>${text}</t></is></c>`,
            );
            return `<row r="${at + 1}">${inner.join('')}</row>`;
          })
          .join('');

      /** A workbook of these sheets: name, state, and the XML of its rows. */
      function workbook(...sheets: [name: string, state: string, rows: string][]): Buffer {
        const parts = workbookParts([]);
        const tags = sheets.map(
          ([name, state], at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 11}"${state}/>`,
        );
        const relations = sheets.map(
          (_, at) =>
            `<Relationship Id="rId${at + 11}" Target="worksheets/s${at}.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/>`,
        );
        return zipFile({
          ...parts,
          'xl/workbook.xml': parts['xl/workbook.xml']!.replace(/<sheet .*?\/>/, tags.join('')),
          'xl/_rels/workbook.xml.rels': parts['xl/_rels/workbook.xml.rels']!.replace(
            '</Relationships>',
            `${relations.join('')}</Relationships>`,
          ),
          ...Object.fromEntries(
            sheets.map(([, , rows], at) => [
              `xl/worksheets/s${at}.xml`,
              rows.startsWith('<worksheet') ? rows : `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
            ]),
          ),
        });
      }
      const table = (price: string) =>
        cellsXml([
          ['name', 'price'],
          ['A', price],
        ]);
      const known: TableOptions = { knownNames: (row) => row.filter((cell) => cell === 'name') };

      it('reads the visible one with known names of columns, and says so', async () => {
        const file = workbook(
          ['old &amp; hidden', ' state="hidden"', table('1')],
          ['very', ' state="veryHidden"', table('2')],
          ['cover', '', cellsXml([['Price list'], ['2026']])],
          ['prices', ' state="visible"', cellsXml([['Prices'], [], ['name', 'price'], ['A', '99']])],
          ['other', '', table('5')],
        );
        const read = await open(file, known);
        expect(read.notes).toEqual([
          'Sheet "prices" was read, and not "old & hidden" (hidden), "very" (hidden), "cover", "other"',
          'Line 1, above the header, was not read',
        ]);
        expect(read.rows).toMatchObject([{ line: 4, cells: ['A', '99'] }]);
        expect((await open(file, { ...known, sheet: 'old & hidden' })).rows).toMatchObject([
          { cells: ['A', '1'] },
        ]);
        await expect(open(file, { sheet: 'none' })).rejects.toThrow(
          'The workbook has no sheet "none". Its sheets are "old & hidden", "very", "cover", "prices", "other".',
        );
      });

      it('names at most 50 of the other sheets', async () => {
        const sheets = Array.from({ length: 60 }, (_, index): [string, string, string] => [
          `s${index}`,
          '',
          table('1'),
        ]);
        expect((await open(workbook(...sheets), known)).notes).toContainEqual(
          expect.stringMatching(/"s50" and 9 more$/),
        );
        await expect(open(workbook(...sheets), { sheet: 'none' })).rejects.toThrow(/"s49" and 10 more\.$/);
      });

      it('reads a header in two rows, and gives what is above it', async () => {
        const rows = cellsXml([['List', '2026'], [], ['name', 'Values'], ['', 'price'], ['A', '9']]);
        const read = await open(workbook(['a', '', rows]), {
          knownNames: (row) => (row.includes('name') && row.includes('price') ? row : []),
        });
        expect(read).toMatchObject({
          header: ['name', 'price'],
          above: [
            ['List', '2026'],
            ['name', 'Values'],
          ],
        });
        expect(read.rows).toMatchObject([{ line: 5, cells: ['A', '9'] }]);
      });

      it('reads the first visible one that is not empty where none has known names', async () => {
        const file = workbook(['a', ' state="hidden"', table('1')], ['b', '', ''], ['c', '', table('2')]);
        expect((await open(file)).rows).toMatchObject([{ cells: ['A', '2'] }]);
      });

      it.each([
        [
          'hidden',
          workbook(['a', ' state="hidden"', table('1')]),
          'All sheets of the workbook are hidden: name one of "a" with --sheet.',
        ],
        ['empty', workbook(['a', '', ''], ['b', '', '']), 'All visible sheets are empty.'],
      ])('refuses a workbook whose sheets are all %s', async (_, file, message) => {
        await expect(open(file, known)).rejects.toThrow(message);
      });

      it('says which rows and columns are hidden, below the header', async () => {
        const rows = table('1')
          .replace('<row r="2"', '<row r="2" hidden="1"')
          .replace('<row r="1"', '<row r="1" hidden="true"');
        const xml = `<worksheet><cols><col min="2" max="300" hidden="1"/></cols><sheetData>${rows}</sheetData></worksheet>`;
        expect((await open(workbook(['a', '', xml]), known)).notes).toEqual([
          'Sheet "a" was read',
          'Hidden rows were read as the others: 2',
          'Hidden columns were read as the others: B',
        ]);
      });

      it('names each hidden column once, wherever a range begins', async () => {
        const ranges = '<col min="-5" max="2" hidden="1"/>'.repeat(2);
        const xml = `<worksheet><cols>${ranges}</cols><sheetData>${table('1')}</sheetData></worksheet>`;
        expect((await open(workbook(['a', '', xml]), known)).notes).toContain(
          'Hidden columns were read as the others: A, B',
        );
      });

      it('tells cells that hold an error, no result, or are covered by another', async () => {
        const head =
          '<row r="1"><c r="A1" t="inlineStr"><is><t>name</t></is></c><c r="B1" t="inlineStr"><is><t>price</t></is></c></row>';
        const name = (row: number) => `<c r="A${row}" t="inlineStr"><is><t>N${row}</t></is></c>`;
        const cells = [
          '<c r="B2" t="e"><f>1/0</f><v>#DIV/0!</v></c>',
          '<c r="B3"><f>SUM(C1)</f></c>',
          '<c r="B4"><f>SUM(C1)</f><v></v></c>',
          '<c r="B5" t="str"><f>""</f><v></v></c>',
          '<c r="B6"><f>1+1</f><v>2</v></c>',
          '<c r="B7"/>',
          '<c r="B8" t="str"><f>A1</f></c>',
        ];
        const rows = cells.map((cell, at) => `<row r="${at + 2}">${name(at + 2)}${cell}</row>`).join('');
        const last = '<row r="9"><c r="B9" t="e"><v>#N/A</v></c></row>';
        const merged =
          '<mergeCells><mergeCell ref="B6:B7"/><mergeCell ref="A20:C900000"/><mergeCell ref="A1:B1"/></mergeCells>';
        const xml = `<worksheet><sheetData>${head}${rows}${last}</sheetData>${merged}</worksheet>`;
        const read = await open(workbook(['a', '', xml]), known);
        const noResult = (cell: string) =>
          `cell ${cell} holds a formula without its result: open the file in Excel and save it`;
        expect(read.rows.map(({ line, cellFaults }) => [line, [...(cellFaults ?? [])]])).toEqual([
          [2, [[1, 'cell B2 holds the error #DIV/0!']]],
          [3, [[1, noResult('B3')]]],
          [4, [[1, noResult('B4')]]],
          [5, []],
          [6, []],
          [7, []],
          [8, [[1, noResult('B8')]]],
          [9, [[1, 'cell B9 holds the error #N/A']]],
        ]);
        expect(read.rows[4]).toMatchObject({ cells: ['N6', '2'], kinds: [undefined, 'number'] });
        expect(read.rows[5]!.merged).toEqual(new Map([[1, { into: 'B6', text: '2' }]]));
      });
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
      ['an escaped address', '<row r="1"><c r="&#88;FD1"><v>1</v></c></row>', /more than 256 columns/],
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
      ['an empty sheet', xlsxFile([]), 'The sheet "Sheet1" is empty.'],
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
    await expect(readFileContent(join(folder, name))).rejects.toThrow(new TableError(message));
  });

  it.each([
    ['EACCES', 'The file may not be read: permission denied.'],
    ['EPERM', 'The file may not be read: permission denied.'],
    ['EIO', undefined],
  ])('explains %s, if it can', async (code, message) => {
    const error = Object.assign(new Error('read'), { code });
    const failing = new Readable({ read: () => failing.destroy(error) });
    jest.spyOn(fs, 'createReadStream').mockReturnValueOnce(failing as fs.ReadStream);
    await expect(readFileContent(path)).rejects.toEqual(
      message === undefined ? error : new TableError(message),
    );
  });
});
