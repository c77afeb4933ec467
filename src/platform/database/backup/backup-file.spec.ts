import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { readBackup, refuseExisting, writeBackup } from './backup-file';
import { type Backup, BACKUP_FORMAT, type BackupHead, type RowBatch } from './backup';

const HEAD: BackupHead = {
  formulaBackup: BACKUP_FORMAT,
  migrations: ['One1'],
  readAt: '2026-01-02T03:04:05.678Z',
  encryptedSettings: {},
  tables: [
    { name: 'empty', columns: ['id'], rows: 0 },
    { name: 't', columns: ['id'], rows: 2 },
  ],
  sequences: [],
};
const ROWS = ['{"id":"1\\n"}', '{"id":"\u2028中😀"}'];

const backupOf = (batches: AsyncIterable<RowBatch>): Backup => ({ head: HEAD, batches });

// eslint-disable-next-line @typescript-eslint/require-await -- as from a database
async function* batches(): AsyncGenerator<RowBatch> {
  yield { table: 't', rows: ROWS };
}

const failure = (code: string) => Object.assign(new Error(code), { code });

// eslint-disable-next-line @typescript-eslint/require-await -- likewise
async function* endingWith(error: Error): AsyncGenerator<RowBatch> {
  yield { table: 't', rows: ROWS };
  throw error;
}

const HALF_WRITTEN = [expect.stringMatching(/^b\..*\.part$/)];

describe('a backup’s file', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'backup-file-'));
    path = join(folder, 'b');
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await rm(folder, { recursive: true });
  });

  const contents = async () => {
    const { head, batches: found } = await readBackup(path);
    const rows: string[] = [];
    for await (const batch of found) rows.push(...batch.rows);
    return { head, rows };
  };

  const writeLines = (...lines: object[]) =>
    writeFile(path, gzipSync(lines.map((line) => `${JSON.stringify(line)}\n`).join('')));

  it('is its owner’s alone, as big as is said, and read as it was written', async () => {
    const bytes = await writeBackup(path, backupOf(batches()));
    const { mode, size } = await stat(path);
    if (process.platform !== 'win32') expect(mode & 0o777).toBe(0o600);
    expect(size).toBe(bytes);
    expect(await contents()).toEqual({ head: HEAD, rows: ROWS });
    expect(await readdir(folder)).toEqual(['b']);
  });

  it('takes the place of another where that is wanted only', async () => {
    await expect(refuseExisting(path)).resolves.toBeUndefined();
    await writeFile(path, 'before');
    await expect(refuseExisting(path)).rejects.toThrow('exists already: --force replaces it');
    await expect(refuseExisting(path, true)).resolves.toBeUndefined();
    // Another file may have appeared since the check.
    await expect(writeBackup(path, backupOf(batches()))).rejects.toThrow('exists already');
    await writeBackup(path, backupOf(batches()), true);
    expect(await contents()).toEqual({ head: HEAD, rows: ROWS });
    expect(await readdir(folder)).toEqual(['b']);
  });

  it('takes the place of no directory', async () => {
    await mkdir(path);
    await expect(refuseExisting(path, true)).rejects.toThrow('is a directory');
  });

  it.each(['ENOSPC', 'EDQUOT', 'EIO', 'EFBIG'])(
    'at %s what was there before stays, and nothing else',
    async (code) => {
      await writeFile(path, 'before');
      await expect(writeBackup(path, backupOf(endingWith(failure(code))))).rejects.toThrow(
        `b cannot be written (${code})`,
      );
      expect(await readFile(path, 'utf8')).toBe('before');
      expect(await readdir(folder)).toEqual(['b']);
    },
  );

  it('leaves nothing behind an error of what is read, which is told as it is', async () => {
    const error = failure('57P01');
    await expect(writeBackup(path, backupOf(endingWith(error)))).rejects.toBe(error);
    expect(await readdir(folder)).toEqual([]);
  });

  it('is opened before anything is read: a failure at once finds what it removes', async () => {
    // eslint-disable-next-line @typescript-eslint/require-await, require-yield -- likewise
    async function* failing(): AsyncGenerator<RowBatch> {
      expect(readdirSync(folder)).toEqual(HALF_WRITTEN);
      throw new Error('at once');
    }
    await expect(writeBackup(path, backupOf(failing()))).rejects.toThrow('at once');
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['nowhere/b', 'ENOENT'],
    [`${'b'.repeat(240)}`, 'ENAMETOOLONG'],
  ])('that cannot be made is told: %s', async (name, code) => {
    await expect(writeBackup(join(folder, name), backupOf(batches()))).rejects.toThrow(
      `cannot be written (${code})`,
    );
  });

  it.each([
    ['is missing', () => Promise.resolve(), 'b cannot be read (ENOENT)'],
    ['is a directory', () => mkdir(path), 'b cannot be read (EISDIR)'],
    ['is another', () => writeFile(path, 'no backup'), 'b is no backup of this service, or damaged'],
    [
      'is another that is compressed',
      () => writeFile(path, gzipSync('no backup')),
      'no backup of this service',
    ],
    ['is empty', () => writeFile(path, ''), 'damaged'],
    ['has a former format', () => writeLines({ formulaBackup: 1 }), 'is a backup in format 1; this version'],
    ['has an unknown head', () => writeLines({ formulaBackup: BACKUP_FORMAT }), 'no backup of this service'],
    ['lacks a row', () => writeLines(HEAD, {}), 'b is damaged (rows are missing)'],
    ['has a row too many', () => writeLines(HEAD, {}, {}, {}), 'b is damaged (it has more rows than'],
  ])('that %s is told', async (_, make, told) => {
    await make();
    await expect(contents()).rejects.toThrow(told);
  });

  it('is refused wherever it is cut or a byte is another', async () => {
    await writeBackup(path, backupOf(batches()));
    const whole = await readFile(path);
    for (let at = 1; at < whole.length; at += 1) {
      await writeFile(path, whole.subarray(0, at));
      await expect(contents()).rejects.toThrow(/damaged/);
    }
    // Behind the ten bytes of gzip's own head, which says nothing of what is in it.
    for (let at = 10; at < whole.length; at += 1) {
      const spoilt = Buffer.from(whole);
      spoilt[at]! ^= 1;
      await writeFile(path, spoilt);
      await expect(contents()).rejects.toThrow(/damaged/);
    }
  });
});
