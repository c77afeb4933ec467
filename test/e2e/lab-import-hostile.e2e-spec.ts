import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { sampled } from '../support/random-numbers';
import { Inflating, zipFile } from '../support/zip-file';

/*
 * The worst file of each kind is refused as a file that cannot be read, and the next one is read. How long a file may
 * take is bounded by the thread that reads it (src/files/reading).
 */

let service: TestApp;
let user: Account;
beforeAll(async () => {
  service = await bootApp();
  user = await service.register();
});
afterAll(() => service.close());

const HEADER = 'formula,inciName,chineseName,name,L,a,b,percentage\n';

const FILES: Readonly<Record<string, () => Buffer>> = {
  'a zip bomb': () =>
    zipFile({
      'xl/workbook.xml': '<workbook/>',
      'xl/worksheets/sheet1.xml': new Inflating(256 * 1024 * 1024),
    }),
  'a million columns': () => Buffer.from(Array.from({ length: 1_000_000 }, (_, n) => `c${n}`).join(',')),
  'an endless line': () => Buffer.from(HEADER + 'x'.repeat(5_000_000)),
  'one cell': () => Buffer.from(`${HEADER}"${'x'.repeat(5_000_000)}"`),
  'an open quote': () => Buffer.from(`${HEADER}"${'a\n'.repeat(500_000)}`),
  'a million rows': () => Buffer.from(HEADER + 'a,,,,,,,\n'.repeat(1_000_000)),
  'deep JSON': () => Buffer.from(`[{"name":${'['.repeat(5_000_000)}`),
  'one text of JSON': () =>
    Buffer.from(`[{"name":"${'x'.repeat(5_000_000)}","inciName":"${'x'.repeat(5_000_000)}"}]`),
  'a million records': () => Buffer.from(`[${'{"name":1,"inciName":1},'.repeat(300_000)}{}]`),
};

const KINDS = ['formulas', 'ingredients', 'colors'];

/** What is refused before a row is read is refused for all kinds in one place: one of them tries every file. */
const filesOf = (kind: string) =>
  kind === 'formulas' ? Object.keys(FILES) : sampled(Object.keys(FILES), KINDS.indexOf(kind));

describe.each(KINDS)('POST /api/ext/import/%s', (kind) => {
  it.each(filesOf(kind))('refuses %s', async (name) => {
    const answer = await user
      .post(`/api/ext/import/${kind}?dryRun=true`)
      .type('application/octet-stream')
      .send(FILES[name]!());
    expectError(answer, 400, expect.stringMatching(/^file: 无法读取: [^\n]{1,250}$/));
    expect(answer.text).toMatch(/\p{Script=Han}{2,}/u);
  });

  it('says how to go on with a file above 20 MB', async () => {
    const answer = await user
      .post(`/api/ext/import/${kind}`)
      .type('text/csv')
      .send(Buffer.alloc(20 * 1024 * 1024 + 1, 'a'));
    expectError(answer, 413, expect.stringContaining('文件超过 20 MB,请分批发送'));
  });
});

describe('many refused rows', () => {
  const importing = (kind: string, rows: string[]) =>
    user
      .post(`/api/ext/import/${kind}?dryRun=true`)
      .set('X-Language', 'en')
      .type('text/csv')
      .send(rows.join('\n'));

  it.each([10_000, 10_001])('are listed up to 10,000 (%i)', async (count) => {
    const rows = Array.from({ length: count }, (_, at) => `unknown ${at},1`);
    const { body } = await importing('ingredients', ['INCI,=1+1', ...rows]);
    expect(body.data).toMatchObject({ refused: count });
    const { text } = await user.get(body.data.refusedRows.path as string);
    const [header, ...lines] = text.trim().split('\r\n');
    expect(header).toBe("INCI,'=1+1,row,reason");
    expect(lines.slice(10_000)).toEqual(count > 10_000 ? [',,,and 1 more rows'] : []);
  });

  it('of one formula are refused as such', async () => {
    const rows = Array.from({ length: 150_000 }, (_, at) => `F,unknown ${at % 10},0.0005`);
    const { status, body } = await importing('formulas', ['formula,INCI,percentage', ...rows]);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ applied: false, refused: 150_000 });
  }, 120_000);
});
