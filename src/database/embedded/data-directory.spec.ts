import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDataDirectory } from './data-directory';
import { EmbeddedDatabaseInUseError, EmbeddedDatabaseStartError } from './errors';

describe('claimDataDirectory', () => {
  let parent: string;
  let directory: string;

  beforeEach(() => {
    parent = mkdtempSync(join(tmpdir(), 'claim-'));
    directory = join(parent, 'below', 'data');
  });

  afterEach(() => rmSync(parent, { recursive: true, force: true }));

  it('makes a directory that nobody else may read, and holds it until it is released', () => {
    const { postgres, lock } = claimDataDirectory(directory);
    expect(postgres).toBe(join(directory, 'pgdata'));
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    expect(() => claimDataDirectory(directory)).toThrow(EmbeddedDatabaseInUseError);
    lock.release();
    claimDataDirectory(directory).lock.release();
  });

  it('lets go of a directory that it refuses', () => {
    const diary = join(directory, 'pgdata', 'diary.txt');
    mkdirSync(join(directory, 'pgdata'), { recursive: true });
    writeFileSync(diary, 'dear diary');
    expect(() => claimDataDirectory(directory)).toThrow(EmbeddedDatabaseStartError);
    rmSync(diary);
    claimDataDirectory(directory).lock.release();
  });

  it('takes away an empty directory where the database is to be made, and leaves a database', () => {
    const postgres = join(directory, 'pgdata');
    mkdirSync(postgres, { recursive: true });
    claimDataDirectory(directory).lock.release();
    expect(existsSync(postgres)).toBe(false);
    mkdirSync(postgres);
    writeFileSync(join(postgres, 'PG_VERSION'), '17\n');
    claimDataDirectory(directory).lock.release();
    expect(existsSync(postgres)).toBe(true);
  });
});
