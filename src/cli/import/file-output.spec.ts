import files, { type FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { CliError } from '../cli-io';
import { FileOutput } from './file-output';

const { mkdtemp, readdir, readFile, rm, writeFile } = files;

describe('FileOutput', () => {
  let folder: string;
  let path: string;
  const stdout = new PassThrough();
  const open = (force = false) => FileOutput.open(path, { force, stdout });

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'output-'));
    path = join(folder, 'a.csv');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  it('leaves standard output open', async () => {
    const output = await FileOutput.open(undefined, { stdout });
    await output.write('a');
    await output.write(Buffer.from('b'));
    expect(String(stdout.read())).toBe('ab');
    await output.close();
    await output.discard();
    expect(stdout.writableEnded).toBe(false);
  });

  it('waits until standard output has room', async () => {
    let taken: () => void = () => undefined;
    const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => (taken = done) });
    const output = await FileOutput.open(undefined, { stdout: slow });
    const written = jest.fn();
    const writing = output.write('a').then(written);
    await new Promise((resolve) => setImmediate(resolve));
    expect(written).not.toHaveBeenCalled();
    taken();
    await writing;
  });

  it('takes the name at once, and puts the file there when it is complete', async () => {
    const output = await open();
    const part = `a.csv.${process.pid}.part`;
    await output.write('a');
    expect(await readFile(path, 'utf8')).toBe('');
    expect((await readdir(folder)).toSorted()).toEqual(['a.csv', part]);
    await expect(open()).rejects.toEqual(
      new CliError(`${path} exists: choose another name, or --force to replace it.`),
    );
    await output.close();
    expect([await readFile(path, 'utf8'), await readdir(folder)]).toEqual(['a', ['a.csv']]);
  });

  it('has the file on the disk before it takes the place of another', async () => {
    await writeFile(path, 'before');
    const opened = jest.spyOn(files, 'open');
    const output = await open(true);
    const handle = (await opened.mock.results.at(-1)?.value) as FileHandle;
    await output.write('a');
    const steps = [
      jest.spyOn(handle, 'sync'),
      jest.spyOn(handle, 'close'),
      jest.spyOn(files, 'rename').mockImplementationOnce(async (from, to) => {
        expect(await readFile(path, 'utf8')).toBe('before');
        await files.copyFile(from, to);
        await rm(from);
      }),
    ];
    await output.close();
    const order = steps.map(({ mock }) => mock.invocationCallOrder[0]!);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(await readFile(path, 'utf8')).toBe('a');
  });

  it.each([
    [false, [], undefined],
    [true, ['a.csv'], 'before'],
  ])('discards what it began, and nothing that was there: force %p', async (force, left, content) => {
    if (force) await writeFile(path, 'before');
    const output = await open(force);
    await output.write('a');
    await output.discard();
    expect(await readdir(folder)).toEqual(left);
    expect(await readFile(path, 'utf8').catch(() => undefined)).toBe(content);
    // The file is closed.
    await expect(output.write('b')).rejects.toThrow();
  });

  it.each([
    ['EEXIST', 'exists: choose another name, or --force to replace it.'],
    ['ENOENT', ': there is no such directory.'],
    ['ENOTDIR', ': there is no such directory.'],
    ['EISDIR', 'is a directory.'],
    ['EACCES', ': permission denied.'],
    ['EPERM', ': permission denied.'],
    ['EROFS', ': permission denied.'],
  ])('explains %s', async (code, text) => {
    jest.spyOn(files, 'open').mockRejectedValueOnce(Object.assign(new Error('open'), { code }));
    const message = `${path}${text.startsWith(':') ? '' : ' '}${text}`;
    await expect(open()).rejects.toEqual(new CliError(message));
  });

  it('passes on what it cannot explain', async () => {
    const error = Object.assign(new Error('open'), { code: 'EMFILE' });
    jest.spyOn(files, 'open').mockRejectedValueOnce(error);
    await expect(open()).rejects.toBe(error);
  });
});
