import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Controller, HttpCode, Logger, Module, Post, Req, UploadedFile } from '@nestjs/common';
import type { Request } from 'express';
import {
  AcceptsFile,
  AppModule,
  describeRows,
  NumberField,
  readReceivedFile,
  type ReceivedFile,
  TextField,
} from '../../src';
import { ConcurrencyLimiter } from '../../src/platform/request-limits/concurrency-limiter';
import { expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';

const MAX_BYTES = 20 * 1024 * 1024;

class Box {
  @TextField({ max: 5 })
  name!: string;

  @NumberField({ min: 0, presence: 'optional' })
  size?: number | null;
}

const BOXES = describeRows(Box, [
  { field: 'name', aliases: ['名称'], required: true },
  { field: 'size', aliases: [], holds: 'number' },
]);

const paths: string[] = [];
const modes: number[] = [];
let holding: Promise<void> | undefined;

@Controller('ext/boxes')
class BoxesController {
  @Post()
  @HttpCode(200)
  @AcceptsFile()
  async read(@Req() { body }: Request, @UploadedFile() file?: ReceivedFile) {
    if (!file) return { body: body as unknown };
    paths.push(file.path);
    modes.push(statSync(file.path).mode & 0o777);
    await holding;
    return { size: file.size, charset: file.charset, content: readFileSync(file.path, 'latin1').slice(0, 9) };
  }

  @Post('rows')
  @HttpCode(200)
  @AcceptsFile({ json: true })
  async rows(@UploadedFile() file?: ReceivedFile) {
    const { drafts, refused } = await readReceivedFile(file, BOXES, { maxRows: 3 });
    return { drafts, refused };
  }
}

@Module({ controllers: [BoxesController] })
class BoxesModule {}

let app: TestApp;
let user: Account;

beforeAll(async () => {
  app = await bootApp({ module: { imports: [AppModule.register({ extensions: [BoxesModule] })] } });
  user = await app.register();
});
afterAll(() => app.close());

const post = (path = '/api/ext/boxes') => app.http.post(path).set('Authorization', `Bearer ${user.token}`);
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 10));
/** Names of the received files of this process. */
const uploads = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`formula-upload-${hostname()}-${process.pid}-`));
const csv = (content: string | Buffer, type = 'text/csv') =>
  post('/api/ext/boxes/rows').set('Content-Type', type).send(content);

/** Its files have gone. */
async function expectRemoved(): Promise<void> {
  expect(paths.length).toBeGreaterThan(0);
  while (paths.some((path) => existsSync(path))) await new Promise((resolve) => setTimeout(resolve, 10));
  paths.length = 0;
}

it.each(['text/csv', 'application/octet-stream', 'text/csv; charset=GBK'])(
  'the body is the file: %s',
  async (type) => {
    const answer = await post().set('Content-Type', type).send(Buffer.from('name\nX'));
    expect(answer.body).toEqual({
      size: 6,
      content: 'name\nX',
      ...(type.endsWith('GBK') && { charset: 'gbk' }),
    });
    await expectRemoved();
  },
);

it('the file is in the field of a form', async () => {
  const answer = await post().attach('file', Buffer.from('name\nX'), 'a.csv');
  expect(answer.body).toEqual({ size: 6, content: 'name\nX' });
  await expectRemoved();
});

it.each(['body', 'form'])('the file of a %s is readable only for the service', async (how) => {
  const before = modes.length;
  await (how === 'body'
    ? post().set('Content-Type', 'text/csv').send('name\nX')
    : post().attach('file', Buffer.from('name\nX'), 'a.csv'));
  expect(modes.slice(before)).toEqual([0o600]);
  await expectRemoved();
});

it('files of processes that were killed are removed at the next start, those of living ones are not', async () => {
  const own = `formula-upload-${hostname()}-`;
  const fileOf = (owner: string) => join(tmpdir(), `${owner}-test`);
  const killed = spawnSync(process.execPath, ['-e', '']).pid;
  const [abandoned, ...kept] = [
    fileOf(`${own}${killed}`),
    fileOf(`${own}${process.ppid}`),
    fileOf(`${own}${process.pid}`),
    fileOf(`formula-upload-elsewhere-${killed}`),
  ] as const;
  const predecessor = fileOf(`${own}${process.pid}-predecessor`);
  for (const path of [abandoned, predecessor, ...kept]) writeFileSync(path, '');
  utimesSync(predecessor, 0, 0);
  try {
    await (await bootApp()).close();
    expect([abandoned, predecessor].map((path) => existsSync(path))).toEqual([false, false]);
    expect(kept.map((path) => existsSync(path))).toEqual([true, true, true]);
  } finally {
    for (const path of [abandoned, predecessor, ...kept]) rmSync(path, { force: true });
  }
});

it('a form with another field is refused: its parameters would be ignored', async () => {
  const answer = await post().field('dryRun', 'true').attach('file', Buffer.from('name\nX'), 'a.csv');
  expectError(answer, 400, 'dryRun: 表单中只能有 file 字段,其他参数请写在查询字符串中');
});

it('a JSON body remains one, and a body of another kind is refused', async () => {
  expect((await post().send({ a: 1 })).body).toEqual({ body: { a: 1 } });
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'image/png']) {
    const refused = await post().set('Content-Type', type).send('name=X');
    expectError(refused, 415, '请求体必须是 CSV 或 XLSX 文件,或 file 字段为文件的表单');
  }
  const compressed = post().set('Content-Type', 'text/csv').set('Content-Encoding', 'gzip');
  expectError(await compressed.send(gzipSync('name\nX')), 415, '不支持的请求体编码');
});

it('a JSON body is a file where the route says so, even above the limit of other bodies', async () => {
  const rows = csv(
    JSON.stringify([{ name: 'A', size: 2 }]) + ' '.repeat(2 * 1024 * 1024),
    'application/json',
  );
  expect((await rows).body).toMatchObject({ drafts: [{ name: 'A', size: 2 }], refused: [] });
  expect((await csv('', 'application/json')).status).toBe(400);
});

it('a route that does not say so takes no file', async () => {
  const answer = await post('/api/projects').set('Content-Type', 'text/csv').send('name\nX');
  expectError(answer, 415, '请求体必须是 JSON');
});

it('without a token nothing is read', async () => {
  const answer = await app.http
    .post('/api/ext/boxes')
    .set('Content-Type', 'text/csv')
    .send(Buffer.alloc(MAX_BYTES));
  expectError(answer, 401, '未登录或登录已过期');
  expect(paths).toEqual([]);
});

it('20 MB are taken and one byte more is refused, however it comes', async () => {
  const largest = await post().set('Content-Type', 'text/csv').send(Buffer.alloc(MAX_BYTES, 'x'));
  expect(largest.body).toMatchObject({ size: MAX_BYTES });
  const more = Buffer.alloc(MAX_BYTES + 1, 'x');
  expectError(
    await post().set('Content-Type', 'text/csv').send(more),
    413,
    '文件超过 20 MB,请分批发送(例如按项目分别导出),或在服务器上用命令导入',
  );
  expectError(
    await post().attach('file', more, 'a.csv'),
    413,
    '文件超过 20 MB,请分批发送(例如按项目分别导出),或在服务器上用命令导入',
  );
  await expectRemoved();
});

it('a form without the file, and one that is cut off, are refused', async () => {
  expectError(await post().field('note', 'x'), 400, 'file: 必须提供文件');
  expectError(await post().attach('other', Buffer.from('x'), 'a.csv'), 400, 'file: 必须提供文件');
  const cut = post().set('Content-Type', 'multipart/form-data; boundary=x').send('--x\r\nContent-Disp');
  expectError(await cut, 400, '请求格式错误');
  expectError(await post().set('Content-Type', 'multipart/form-data').send('x'), 400, '请求格式错误');
});

it('a client has one file in work at a time', async () => {
  let release!: () => void;
  holding = new Promise((resolve) => (release = resolve));
  const answers = [1, 2, 3].map(() => post().set('Content-Type', 'text/csv').send('name\nX').then());
  while (paths.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(paths).toHaveLength(1);
  release();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200]);
  holding = undefined;
  await expectRemoved();
});

/** Sends the head and the beginning of a file, and no more. */
function beginUpload({ token }: Account, localAddress: string) {
  const { port } = (app.app.getHttpServer() as Server).address() as { port: number };
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/ext/boxes HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n` +
      'Content-Type: text/csv\r\nContent-Length: 1000\r\n\r\nname',
  );
  return socket;
}

it('uploads that stall leave places to other addresses, and all of them when their clients vanish', async () => {
  const stalled = await Promise.all(
    Array.from({ length: 40 }, async () => beginUpload(await app.register(), '127.0.0.2')),
  );
  const { receiving } = app.app.get(ConcurrencyLimiter).lanes;
  while (receiving.running < 16) await aWhile();
  const begun = uploads();
  expect(begun.length).toBeGreaterThan(0);
  expect((await post().set('Content-Type', 'text/csv').send('name\nX')).status).toBe(200);
  for (const socket of stalled) socket.resetAndDestroy();
  while (receiving.running > 0 || uploads().some((name) => begun.includes(name))) await aWhile();
  await expectRemoved();
});

it('a client that leaves halfway leaves nothing behind, and its place to the next file', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error');
  const socket = beginUpload(user, '127.0.0.1');
  await new Promise((resolve) => setTimeout(resolve, 100));
  socket.destroy();
  expect((await post().set('Content-Type', 'text/csv').send('name\nX')).status).toBe(200);
  await expectRemoved();
  expect(logged).not.toHaveBeenCalled();
});

describe('rows of a file', () => {
  it('are checked as the fields of a request are, and faults name the line', async () => {
    const { body } = await csv('名称,size\nA,1\ntoo long,x\n\nB,\n');
    expect(body).toEqual({
      drafts: [
        { line: 2, name: 'A', size: 1 },
        { line: 5, name: 'B' },
      ],
      refused: [
        {
          line: 3,
          reason: 'name: 不能超过5个字符; size: 必须是数字',
          faults: [
            {
              field: 'name',
              column: '名称',
              value: 'too long',
              reason: { code: 'field.text-too-long', values: { max: 5 } },
            },
            { field: 'size', column: 'size', value: 'x', reason: { code: 'field.not-a-number' } },
          ],
        },
      ],
    });
  });

  it('of a file in another encoding are read as well', async () => {
    const gbk = Buffer.from([0xc3, 0xfb, 0xb3, 0xc6, 0x0a, 0x41, 0x0a]);
    expect((await csv(gbk, 'text/csv; charset=gbk')).body).toMatchObject({ drafts: [{ name: 'A' }] });
  });

  it.each([
    ['', 'file: 必须提供文件'],
    ['size\n1\n', 'file: 无法读取: '],
    ['name\nA\nB\nC\nD\n', 'file: 无法读取: 文件超过3行,请拆分'],
    ['PK\x03\x04 no archive', 'file: 无法读取: XLSX 文件已损坏'],
  ])('cannot be read: %j', async (content, error) => {
    const { status, body } = content ? await csv(content) : await post('/api/ext/boxes/rows');
    expect([status, body.error]).toEqual([400, expect.stringContaining(error)]);
  });
});
