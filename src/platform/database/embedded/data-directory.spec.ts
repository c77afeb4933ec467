import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
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

  it('names the whole path of one that was given from here', () => {
    const { postgres, lock } = claimDataDirectory(relative(process.cwd(), directory));
    expect(postgres).toBe(join(directory, 'pgdata'));
    lock.release();
  });

  it('lets go of a directory that it refuses', () => {
    const diary = join(directory, 'pgdata', 'diary.txt');
    mkdirSync(join(directory, 'pgdata'), { recursive: true });
    writeFileSync(diary, 'dear diary');
    expect(() => claimDataDirectory(directory)).toThrow(EmbeddedDatabaseStartError);
    rmSync(diary);
    claimDataDirectory(directory).lock.release();
  });

  // Under jest an error of Node's is none of the test's own class: its kind is shown as well.
  const elsewhere = 'Choose another with DATA_DIR';

  it.each([
    [
      'a file in its place',
      (at: string) => writeFileSync(at, ''),
      (at: string) => `${at} is a file, but the data directory must be a directory. ${elsewhere}.`,
    ],
    [
      'a file above it',
      (at: string) => {
        rmSync(dirname(at), { recursive: true });
        writeFileSync(dirname(at), '');
      },
      (at: string) =>
        new RegExp(
          `the data directory ${at} cannot be made \\((?:Error: )?ENOTDIR: [^)]*\\). ${elsewhere}\\.$`,
        ),
    ],
    [
      'the files of a PostgreSQL server',
      (at: string) => {
        mkdirSync(at);
        writeFileSync(join(at, 'PG_VERSION'), '15\n');
      },
      (at: string) =>
        `${at} is the directory of a PostgreSQL server, not of this service. ${elsewhere}, or use that server with ` +
        'DATABASE_URL.',
    ],
    [
      'a lock that cannot be written',
      (at: string) => mkdirSync(join(at, 'lock'), { recursive: true }),
      (at: string) =>
        new RegExp(
          `the data directory ${at} cannot be written or locked \\((?:Error: )?EISDIR: [^)]*\\)\\. Give this user the right to ` +
            'write there, or choose another directory on a local disk with DATA_DIR\\.$',
        ),
    ],
    [
      'a file where the database is to be',
      (at: string) => {
        mkdirSync(at);
        writeFileSync(join(at, 'pgdata'), '');
      },
      (at: string) =>
        `${join(at, 'pgdata')} holds something else than a database of this service. Move it away, or choose another ` +
        'data directory with DATA_DIR.',
    ],
  ])('refuses %s, and says what to do', (_, prepare, message) => {
    mkdirSync(join(parent, 'above'));
    const at = join(parent, 'above', 'data');
    prepare(at);
    const claim = () => claimDataDirectory(at);
    expect(claim).toThrow(EmbeddedDatabaseStartError);
    expect(claim).toThrow(message(at));
  });

  it('writes nothing into the directory of a PostgreSQL server', () => {
    writeFileSync(join(parent, 'PG_VERSION'), '15\n');
    expect(() => claimDataDirectory(parent)).toThrow('is the directory of a PostgreSQL server');
    expect(readdirSync(parent)).toEqual(['PG_VERSION']);
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
