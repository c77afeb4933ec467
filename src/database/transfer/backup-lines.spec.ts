import { createHash } from 'node:crypto';
import { DatabaseSetupError } from '../database-setup-error';
import { backupLines, partsOfBackup } from './backup-lines';
import type { TransferPart } from './transfer-parts';

const HEAD: TransferPart = {
  kind: 'head',
  migrations: ['One1', 'Two2'],
  readAt: '2026-01-02T03:04:05.678Z',
  sealed: { alphaKey: 'v1:AAAA' },
};
const PARTS: TransferPart[] = [
  HEAD,
  { kind: 'table', name: 'empty', columns: ['id'] },
  { kind: 'table', name: 'words', columns: ['id', 'text'] },
  { kind: 'rows', rows: ['["1","a\\nb\\u0001"]', '["2",null]'] },
  { kind: 'rows', rows: [] },
  { kind: 'rows', rows: ['["3","甘油 \u2028 😀"]'] },
  { kind: 'table', name: 'no columns', columns: [] },
  { kind: 'rows', rows: ['[]', '[]'] },
  { kind: 'sequences', sequences: [{ name: 'ids', value: '9223372036854775807', isCalled: true }] },
];

// eslint-disable-next-line @typescript-eslint/require-await -- what is read comes in time, as from a file
async function* inTime<T>(items: Iterable<T>): AsyncGenerator<T> {
  yield* items;
}

const textOf = async (parts: readonly TransferPart[]): Promise<string> => {
  const pieces: Buffer[] = [];
  for await (const piece of backupLines(inTime(parts))) pieces.push(piece);
  return Buffer.concat(pieces).toString();
};

async function read(text: string | Buffer, chunkBytes = 1e9): Promise<TransferPart[]> {
  const bytes = Buffer.from(text as string);
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) chunks.push(bytes.subarray(at, at + chunkBytes));
  const parts: TransferPart[] = [];
  for await (const part of partsOfBackup(inTime(chunks))) parts.push(part);
  return parts;
}

/** The same with another line, and the checksum at the end that fits it. */
function withLine(text: string, number: number, line: string): string {
  const lines = text.split('\n').slice(0, -2);
  lines[number - 1] = line;
  const before = `${lines.join('\n')}\n`;
  const sha256 = createHash('sha256').update(before).digest('hex');
  return `${before}${JSON.stringify({ complete: true, sha256 })}\n`;
}

describe('a backup’s lines', () => {
  let text: string;

  beforeAll(async () => {
    text = await textOf(PARTS);
  });

  it.each([1, 7, 1e9])('are read as what was written, in chunks of %i bytes', async (chunkBytes) => {
    const parts = await read(text, chunkBytes);
    expect(parts).toEqual([
      HEAD,
      PARTS[1],
      PARTS[2],
      { kind: 'rows', rows: ['["1","a\\nb\\u0001"]', '["2",null]', '["3","甘油 \u2028 😀"]'] },
      PARTS[6],
      { kind: 'rows', rows: ['[]', '[]'] },
      PARTS[8],
    ]);
    expect(await textOf(parts)).toBe(text);
  });

  it('stay as they are: what was written once is read by every later version', () => {
    expect(text.replaceAll('\u2028', '(2028)')).toMatchInlineSnapshot(`
      "{"formulaBackup":1,"readAt":"2026-01-02T03:04:05.678Z","migrations":["One1","Two2"],"sealed":{"alphaKey":"v1:AAAA"}}
      {"table":"empty","columns":["id"]}
      {"rows":0,"checksum":"0"}
      {"table":"words","columns":["id","text"]}
      ["1","a\\nb\\u0001"]
      ["2",null]
      ["3","甘油 (2028) 😀"]
      {"rows":3,"checksum":"7214498731909159155"}
      {"table":"no columns","columns":[]}
      []
      []
      {"rows":2,"checksum":"-5862874781045424858"}
      {"sequences":[{"name":"ids","value":"9223372036854775807","isCalled":true}]}
      {"complete":true,"sha256":"837cd57612d9b97bc63845dc7497e1c986c50f8f9f5d7d13c911e6133596dde2"}
      "
    `);
  });

  it('give rows in pieces, by number and by size', async () => {
    const many = Array.from({ length: 4001 }, (_, id) => `["${id}"]`);
    const long = Array.from({ length: 3 }, () => JSON.stringify(['x'.repeat(600_000)]));
    const table: TransferPart = { kind: 'table', name: 't', columns: ['id'] };
    const written = await textOf([
      HEAD,
      table,
      { kind: 'rows', rows: many },
      { ...table, name: 'u' },
      { kind: 'rows', rows: long },
      { kind: 'sequences', sequences: [] },
    ]);
    const rows = (await read(written, 65_536)).flatMap((part) => (part.kind === 'rows' ? [part.rows] : []));
    expect(rows.map(({ length }) => length)).toEqual([2000, 2000, 1, 2, 1]);
    expect(rows.slice(0, 3).flat()).toEqual(many);
  });

  it.each([
    ['the head', '2026-01-02', '2026-01-03'],
    ['a table’s name', '"table":"words"', '"table":"wordz"'],
    ['a column', '"text"', '"test"'],
    ['a sequence', '9223372036854775807', '9223372036854775806'],
    ['a row', '甘油', '甘草'],
    ['a count', '"rows":3', '"rows":2'],
    ['the order of tables', '{"table":"empty","columns":["id"]}\n{"rows":0,"checksum":"0"}\n', ''],
    ['the end', '"sha256":"', '"sha256":"0'],
    ['what follows the end', /$/, '["4","x"]\n'],
    ['what follows it unended', /$/, '{'],
  ])('are refused when %s is another', async (_, from, to) => {
    const spoilt = text.replace(from, to);
    expect(spoilt).not.toBe(text);
    await expect(read(spoilt)).rejects.toThrow(DatabaseSetupError);
    await expect(read(spoilt)).rejects.toThrow('is damaged');
  });

  it('are refused when rows have changed places between tables of the same columns', async () => {
    const table = (name: string): TransferPart => ({ kind: 'table', name, columns: ['id'] });
    const rows: TransferPart = { kind: 'rows', rows: ['["1"]'] };
    const both = await textOf([HEAD, table('a'), rows, table('b')]);
    await expect(read(both.replace('["1"]\n', '').replace(/("b".*\n)/, '$1["1"]\n'))).rejects.toThrow(
      'is damaged',
    );
  });

  it('are refused wherever they are cut', async () => {
    const bytes = Buffer.from(text);
    // The last line end says nothing: without it all is there.
    for (let length = 0; length < bytes.length - 1; length += 1) {
      await expect(read(bytes.subarray(0, length))).rejects.toThrow(DatabaseSetupError);
    }
    await expect(read(bytes.subarray(0, -1))).resolves.toHaveLength(7);
  });

  it.each([
    ['a byte that is no UTF-8', Buffer.from([0xff])],
    ['one that becomes the sign for that', Buffer.from('\ufffd')],
  ])('are refused with %s in place of another', async (_, byte) => {
    const at = Buffer.from(text).indexOf('alphaKey');
    const spoilt = Buffer.concat([
      Buffer.from(text).subarray(0, at),
      byte,
      Buffer.from(text).subarray(at + 1),
    ]);
    await expect(read(spoilt)).rejects.toThrow('is damaged');
  });

  // A file that somebody has made: its checksums fit.
  it.each([
    [2, '{"table":"words"}'],
    [2, '{"table":7,"columns":["id"]}'],
    [2, '{"table":"empty","columns":[1]}'],
    [2, '{"unheard":1}'],
    [2, 'null'],
    [2, '"text"'],
    [2, '["1"]'],
    [2, '{"formulaBackup":1,"readAt":"","migrations":[],"sealed":{}}'],
    [3, '["1","2"]'],
    [3, '[1]'],
    [3, '[["1"]]'],
    [3, '{"table":"words","columns":["id"]}'],
    [1, '{"formulaBackup":1}'],
    [1, '{"formulaBackup":0,"readAt":"","migrations":[],"sealed":{}}'],
    [1, '{"formulaBackup":"x","readAt":"","migrations":[],"sealed":{}}'],
    [1, '{"formulaBackup":1,"readAt":"","migrations":"One1","sealed":{}}'],
    [1, '{"formulaBackup":1,"readAt":"","migrations":[],"sealed":{"alphaKey":1}}'],
    [7, '["3","another"]'],
    [8, '{"rows":3,"checksum":"1"}'],
    [13, '{"sequences":{}}'],
    [13, '{"sequences":[{"name":"ids","value":"1; DROP","isCalled":true}]}'],
  ])('are refused where line %i is %s', async (number, line) => {
    await expect(read(withLine(text, number, line))).rejects.toThrow(DatabaseSetupError);
  });

  it.each(['', 'no backup', '{}', '[]', '{"complete":true,"sha256":""}', '{"table":"t","columns":[]}'])(
    '%j is no backup',
    async (other) => {
      await expect(read(other)).rejects.toThrow(DatabaseSetupError);
      if (other !== '') await expect(read(other)).rejects.toThrow('no backup of this service');
    },
  );

  it('are refused where a line is longer than a row may be, before it is read to its end', async () => {
    const chunk = Buffer.alloc(1_000_000, 'x');
    let given = 0;
    // eslint-disable-next-line @typescript-eslint/require-await -- as from a file
    async function* endless() {
      for (; ; given += 1) yield chunk;
    }
    await expect(partsOfBackup(endless()).next()).rejects.toThrow('a line has no end');
    expect(given).toBe(250);
  });

  it('of a later format say so, whatever else they hold', async () => {
    await expect(read('{"formulaBackup":2,"tables":"elsewhere"}\n')).rejects.toThrow(
      'made by a later version of the service (format 2)',
    );
  });
});
