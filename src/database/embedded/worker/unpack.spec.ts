import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import fs from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Header, pack } from 'tar-stream';
import { unpack } from './unpack.cjs';

const VITAL = ['PG_VERSION', 'global/pg_control', 'postgresql.conf'];

async function archiveWith(entries: Partial<Header>[]): Promise<Uint8Array> {
  const archive = pack();
  for (const entry of entries)
    archive.entry(entry as Header, `content of ${entry.name}`.slice(0, entry.size));
  archive.finalize();
  return buffer(archive);
}

const whole = (more: Partial<Header>[] = []) =>
  archiveWith([
    { name: '/global', type: 'directory', size: 0 },
    ...VITAL.map((name) => ({ name: `/${name}` })),
    ...more,
  ]);

describe('unpack', () => {
  let directory: string;
  let target: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'unpack-'));
    target = join(directory, 'pgdata');
  });

  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(directory, { recursive: true, force: true });
  });

  it('writes files and directories that nobody else may read, without the mark of a running database', async () => {
    const empty = { name: 'pg_wal/summaries', type: 'directory' as const, size: 0 };
    await unpack(await whole([empty, { name: 'postmaster.pid' }]), target);
    expect(readdirSync(target).sort()).toEqual(['PG_VERSION', 'global', 'pg_wal', 'postgresql.conf']);
    expect(readFileSync(join(target, 'global', 'pg_control'), 'utf8')).toBe('content of /global/pg_control');
    for (const name of ['.', 'global', 'pg_wal/summaries']) {
      expect(statSync(join(target, name)).mode & 0o777).toBe(0o700);
    }
    expect(statSync(join(target, 'PG_VERSION')).mode & 0o777).toBe(0o600);
  });

  it('forces every file and every directory to the disk', async () => {
    const open = fs.open;
    const synced: string[] = [];
    jest.spyOn(fs, 'open').mockImplementation(async (name, ...more) => {
      const file = await open(name, ...more);
      const sync = file.sync.bind(file);
      file.sync = async () => {
        synced.push(String(name));
        await sync();
      };
      return file;
    });
    await unpack(await whole(), target);
    const files = VITAL.map((name) => join(target, name)).sort();
    expect(synced.slice(0, 3).sort()).toEqual(files);
    expect(synced.slice(3)).toEqual([join(target, 'global'), target]);
  });

  it.each(VITAL)('refuses an archive without %s, and writes nothing', async (missing) => {
    const names = VITAL.filter((name) => name !== missing);
    const archive = await archiveWith(names.map((name) => ({ name })));
    await expect(unpack(archive, target)).rejects.toThrow(`not an archive of a database: ${missing} missing`);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('writes nothing more once it has failed', async () => {
    const many = Array.from({ length: 300 }, (_, i) => ({ name: `base/${i}` }));
    const base = { name: 'base', type: 'directory' as const, size: 0 };
    const archive = await whole([base, ...many, { name: 'base/0' }]);
    await expect(unpack(archive, target)).rejects.toThrow('EEXIST');
    expect(readdirSync(join(target, 'base'))).toHaveLength(300);
    expect(readFileSync(join(target, 'base', '299'), 'utf8')).toBe('content of base/299');
  });

  it('refuses names that point out of the directory', async () => {
    const archive = await whole([{ name: 'base/../../outside' }]);
    await expect(unpack(archive, target)).rejects.toThrow('outside of it');
    expect(readdirSync(directory)).toEqual([]);
  });

  it('refuses what is cut off or no archive', async () => {
    const archive = await whole();
    await expect(unpack(archive.subarray(0, 700), target)).rejects.toThrow();
    await expect(unpack(Buffer.alloc(2048, 'x'), target)).rejects.toThrow();
    await expect(unpack(Buffer.from('no database'), target)).rejects.toThrow();
    expect(readdirSync(directory)).toEqual([]);
  });
});
