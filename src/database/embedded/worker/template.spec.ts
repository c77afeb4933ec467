import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTemplate, writeTemplate } from './template.cjs';

const ARCHIVE = new Uint8Array(5000).map((_, index) => index);

describe('the kept template', () => {
  let directory: string;
  let file: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'template-'));
    file = join(directory, 'cache', 'template.tar.gz');
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(directory, { recursive: true, force: true });
  });

  it('is read as it was written', async () => {
    expect(await readTemplate(file)).toBeUndefined();
    await writeTemplate(file, ARCHIVE);
    expect(await readTemplate(file)).toEqual(ARCHIVE);
    expect(readdirSync(join(directory, 'cache'))).toEqual(['template.tar.gz']);
  });

  it('appears under its name only when it is whole', async () => {
    const rename = jest.spyOn(fs, 'rename').mockRejectedValue(new Error('no'));
    const writeFile = jest.spyOn(fs, 'writeFile');
    await expect(writeTemplate(file, ARCHIVE)).rejects.toThrow('no');
    expect(rename).toHaveBeenCalledWith(writeFile.mock.calls[0]![0], file);
    expect(readdirSync(join(directory, 'cache'))).toEqual([]);
  });

  it('is none where something else has its name that cannot be removed', async () => {
    await fs.mkdir(join(file, 'folder'), { recursive: true });
    expect(await readTemplate(file)).toBeUndefined();
    expect(readdirSync(file)).toEqual(['folder']);
  });

  it('may be written by several at once', async () => {
    const writeFile = jest.spyOn(fs, 'writeFile');
    await Promise.all([1, 2, 3].map(() => writeTemplate(file, ARCHIVE)));
    expect(new Set(writeFile.mock.calls.map(([name]) => name)).size).toBe(3);
    expect(readdirSync(join(directory, 'cache'))).toEqual(['template.tar.gz']);
    expect(await readTemplate(file)).toEqual(ARCHIVE);
  });

  it.each([
    ['cut off', () => truncateSync(file, readFileSync(file).length - 5)],
    ['changed', () => writeFileSync(file, readFileSync(file).fill(7, 20, 22))],
    ['something else', () => writeFileSync(file, 'no archive')],
  ])('is removed when it is %s', async (_case, spoil) => {
    await writeTemplate(file, ARCHIVE);
    spoil();
    expect(await readTemplate(file)).toBeUndefined();
    expect(existsSync(file)).toBe(false);
  });
});
