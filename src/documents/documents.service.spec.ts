import { parse } from 'csv-parse/sync';
import { unzipSync } from 'fflate';
import readXlsxFile from 'read-excel-file/node';
import type { LabDocument } from './document';
import { DocumentsService, dispositionOf } from './documents.service';

const service = new DocumentsService();

const documentOf = (overrides: Partial<LabDocument> = {}): LabDocument => ({
  title: '配料单',
  fileName: '面霜-v1',
  facts: [['批量', '25 kg']],
  tables: [
    {
      title: '称量',
      columns: [
        { title: '相', only: 'files' },
        { title: '成分' },
        { title: '称量值', isNumeric: true, decimals: 2 },
        { title: '批号', isBlank: true },
        { title: '页面', only: 'page' },
      ],
      rows: [
        { tone: 'heading', cells: ['水相'] },
        { cells: ['水相', '水', 0.0000001, null, 'P'] },
        { cells: ['水相', '甘油', 1250.5, null, 'P'] },
        { tone: 'sum', cells: [null, '合计', null, null, null] },
      ],
    },
  ],
  notes: [],
  ...overrides,
});

/** A document of one text, wherever a text can stand. */
const documentWith = (text: string) =>
  documentOf({
    title: text,
    lead: [text, text],
    facts: [[text, text]],
    handwritten: [text],
    tables: [
      {
        title: text,
        columns: [{ title: text }],
        rows: [{ tone: 'heading', cells: [text] }, { cells: [text] }],
      },
    ],
    notes: [text],
  });

async function bytesOf(content: LabDocument, format: 'html' | 'csv' | 'xlsx'): Promise<Buffer> {
  const file = await service.file(format, content, 'zh');
  const chunks: Buffer[] = [];
  for await (const chunk of file.getStream()) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const pageOf = async (content: LabDocument) => (await bytesOf(content, 'html')).toString();
const csvOf = async (content: LabDocument) => (await bytesOf(content, 'csv')).toString();
const sheetsOf = async (content: LabDocument) =>
  readXlsxFile(await bytesOf(content, 'xlsx'), { trim: false });
const xmlOf = async (content: LabDocument) =>
  Object.entries(unzipSync(await bytesOf(content, 'xlsx')))
    .map(([name, bytes]) => `${name}\n${Buffer.from(bytes).toString()}`)
    .join('\n');

describe('JSON', () => {
  it('is the data, and makes no document', async () => {
    const request = { query: { format: 'json' } } as never;
    const answer = await service.answer(request, 'zh', { a: 1 }, () => {
      throw new Error('made');
    });
    expect(answer).toEqual({ data: { a: 1 } });
  });
});

describe('a page', () => {
  it('has no text that is not escaped', async () => {
    const page = await pageOf(
      documentWith(`<script>alert("1")</script>' onload='x' </style> \${x} <%= 1 %>`),
    );
    expect(page).not.toContain('<script>');
    expect(page.match(/<\/style>/g)).toHaveLength(1);
    expect(page).not.toContain("' onload='");
    // Title, heading, lead with its label, fact, place to fill in, table, column, phase, cell, note.
    expect(page.match(/&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&#39;/g)).toHaveLength(12);
    expect(page).toContain('${x} &lt;%= 1 %&gt;');
  });

  it('has no string of CSS that ends before its end', async () => {
    const page = await pageOf(documentOf({ title: 'A"; } body { display: none }\\\n水 👩 \ud800' }));
    const [, content] = /content: ("[^\n]*"); width/.exec(page)!;
    expect(content).toMatch(/^"(?:[a-z0-9]|\\[0-9a-f]{1,6} )*"$/i);
    expect(content).toContain('\\6c34 ');
    expect(content).toContain('\\1f469 ');
    expect(content).toContain('\\fffd ');
  });

  it('shows the columns of pages, with their decimals and in full digits', async () => {
    const page = await pageOf(documentOf());
    expect(page).toContain('<html lang="zh-CN">');
    expect(page).toContain('<td class="number">1250.50</td>');
    expect(page).toContain('<td class="blank"></td>');
    expect(page).toContain('<td colspan="4">水相</td>');
    expect(page).toContain('>页面</th>');
    expect(page).not.toContain('>相</th>');
    expect(page).not.toContain('e-7');
  });

  it('has the lead large, breaks only long words, and only tall rows across pages', async () => {
    const cells = [
      'a'.repeat(27),
      'b'.repeat(28),
      Array(6).fill('c').join('\n'),
      Array(7).fill('d').join('\n'),
    ];
    const page = await pageOf(
      documentOf({
        lead: ['Label', 'Ingredients: Aqua'],
        tables: [{ title: 'T', columns: [{ title: 'C' }], rows: cells.map((cell) => ({ cells: [cell] })) }],
      }),
    );
    expect(page).toContain('<p class="lead" title="Label">Ingredients: Aqua</p>');
    expect(page).toContain(`<td class="text">${cells[0]}`);
    expect(page).toContain(`<td class="text long">${cells[1]}`);
    expect(page.match(/<tr class=" tall">/g)).toHaveLength(1);
  });

  it('loads nothing', async () => {
    expect(await pageOf(documentOf())).not.toMatch(/<(?:script|img|iframe|object)|https?:|@import|url\(/);
  });
});

describe('a CSV file', () => {
  const table = '相,成分,称量值,批号\n水相,水,0.0000001,\n水相,甘油,1250.5,\n,合计,,\n';
  const about = '配料单,\n批量,25 kg\n';

  it('begins with a byte order mark, is without headings and has numbers in full digits', async () => {
    expect(await csvOf(documentOf())).toBe(`\ufeff${table}\n${about}`);
    expect((await bytesOf(documentOf(), 'csv')).subarray(0, 3)).toEqual(Buffer.from([0xef, 0xbb, 0xbf]));
    expect(await csvOf(documentOf({ tables: [] }))).toBe(`\ufeff${about}`);
  });

  it('has all tables, facts and notes, as the workbook has them', async () => {
    const [main] = documentOf().tables;
    const notes = ['修约', '未检查: =1'];
    const whole = documentOf({ tables: [main!, { ...main!, title: '次表' }, main!], notes });
    expect(await csvOf(whole)).toBe(
      `\ufeff${table}\n次表\n${table}\n称量\n${table}\n${about}修约\n未检查: =1\n`,
    );
    const ofCsv = parse(await csvOf(whole), { bom: true, relax_column_count: true }).flat();
    const ofSheets = (await sheetsOf(whole)).flatMap(({ data }) => data.flat());
    for (const cell of ofSheets) if (typeof cell === 'string') expect(ofCsv).toContain(cell);
  });

  it('is one table where an import takes it back', async () => {
    const whole = documentOf({ notes: ['修约'], isTakenBack: true });
    expect(await csvOf(whole)).toBe(`\ufeff${table}`);
  });

  it('has dates as dates, unless an import would refuse them for names that a spreadsheet has changed', async () => {
    const dated = documentWith('2026-11-28');
    expect(await csvOf(dated)).not.toContain("'");
    expect(await csvOf({ ...dated, isTakenBack: true })).toBe("\ufeff'2026-11-28\n'2026-11-28\n");
  });

  it.each([
    ['=cmd|calc', "'=cmd|calc"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['＝1', "'＝1"],
    ['\t=1', "'\t'=1"],
    ['a,"b"', '"a,""b"""'],
    ['a\nb', '"a\nb"'],
    ['\ud800', '\ufffd'],
  ])('has %j as %j', async (text, written) => {
    const table = { title: '', columns: [{ title: text }, { title: 'n' }], rows: [{ cells: [text, -1] }] };
    const content = documentOf({ tables: [table], facts: [], notes: [text] });
    expect(await csvOf(content)).toBe(`\ufeff${written},n\n${written},-1\n\n配料单,\n${written}\n`);
  });
});

describe('a workbook', () => {
  it('has numbers as numbers and texts as texts, without headings', async () => {
    const [weighing, about] = await sheetsOf(documentOf({ notes: ['修约'] }));
    expect(weighing).toEqual({
      sheet: '1 称量',
      data: [
        ['相', '成分', '称量值', '批号'],
        ['水相', '水', 0.0000001, null],
        ['水相', '甘油', 1250.5, null],
        [null, '合计', null, null],
      ],
    });
    expect(about).toEqual({
      sheet: '2 配料单',
      data: [
        ['配料单', null],
        ['批量', '25 kg'],
        ['修约', null],
      ],
    });
  });

  it.each(['=1+1', '+1', '@x', '<b>&amp;"\'', '1e5', '007', ' a ', '_x0041_', '水\n甘油', 'TRUE'])(
    'reads back %j, which is no formula',
    async (text) => {
      const [sheet] = await sheetsOf(documentWith(text));
      expect(sheet!.data).toEqual([[text], [text]]);
      expect(await xmlOf(documentWith(text))).not.toMatch(/<f[ >]/);
    },
  );

  it('has nothing that XML cannot hold', async () => {
    const text = 'a\u0000\u0001\u000b\u001f\ufffe\uffffb\ud800c\udc00';
    const [sheet] = await sheetsOf(documentWith(text));
    expect(sheet!.data).toEqual([['a□□□□□□b□c□'], ['a□□□□□□b□c□']]);
    expect(await xmlOf(documentWith(text))).not.toMatch(/(?![\t\n\r])\p{Cc}|[\ufffd-\uffff]/u);
  });

  it('cuts what Excel does not open', async () => {
    const [sheet] = await sheetsOf(documentWith('长'.repeat(40_000)));
    expect(String(sheet!.data[1]![0])).toHaveLength(32_767);
    expect(sheet!.sheet).toBe(`1 ${'长'.repeat(29)}`);
  });

  it.each([
    ["[a]:b*c?d/e\\f'", '1  a  b c d e f '],
    [`${'a'.repeat(28)}👩b`, `1 ${'a'.repeat(28)} `],
    ['\u0000\n', '1   '],
    ['<"&>', '1 <"&>'],
    ['', '1 '],
  ])('names the sheet of %j %j', async (title, name) => {
    const table = { title, columns: [{ title: 'x' }], rows: [] };
    const sheets = await sheetsOf(documentOf({ tables: [table, table] }));
    expect(sheets[0]!.sheet.trim()).toBe(name.trim());
    expect(new Set(sheets.map(({ sheet }) => sheet.toLowerCase())).size).toBe(3);
  });
});

describe('many rows', () => {
  const [table] = documentOf().tables;
  const rows = Array.from({ length: 20_000 }, (_, index) => ({
    cells: ['水相', `成分 ${index}`, index, null, 'P'],
  }));
  const large = documentOf({ tables: [{ ...table!, rows }] });

  it.each(['html', 'csv'] as const)('of %s leave turns of the event loop to others', async (format) => {
    let [turns, isDone] = [0, false];
    const turn = () => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const answer = await service.file(format, large, 'zh');
    isDone = true;
    expect(turns).toBeGreaterThan(3);
    expect(answer.getStream().read().toString()).toContain('成分 19999');
  });
});

describe('Content-Disposition', () => {
  it('shows a page and saves a file under its name', () => {
    expect(dispositionOf('html', '面霜')).toBe('inline');
    expect(dispositionOf('csv', '保湿霜 v1')).toBe(
      'attachment; filename="____v1.csv"; filename*=UTF-8\'\'%E4%BF%9D%E6%B9%BF%E9%9C%9C%20v1.csv',
    );
  });

  it.each(['a"b\r\nX: y', '../../etc/passwd', "it's (1)*", '\ud800', '👩'.repeat(300)])(
    'is safe for %j',
    (name) => {
      const value = dispositionOf('xlsx', name);
      expect(value).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.~!%-]+$/);
      expect(value).not.toMatch(/%2F|%0[AD]|%22/i);
      expect(value.length).toBeLessThan(1200);
    },
  );
});
