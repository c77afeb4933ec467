import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { coreMigrations } from '../../src/database/find-migrations';
import { contractions } from '../support/migration-check';

const FOLDER = join(__dirname, '..', '..', 'src', 'database', 'migrations');
/** It makes the first schema: nothing runs beside it. */
const BASELINE = '1767225600000-baseline.ts';

/** The newest commit says what time it has been already, where the clock of a machine is behind. */
function now(): number {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: __dirname, encoding: 'utf8' });
  return Math.max(Date.now(), Number(stdout) * 1000);
}

describe('The timestamps of migrations', () => {
  const timestamps = coreMigrations.map(({ name }) => Number(name.slice(-13)));

  it('are each later than the one before', () => {
    expect(timestamps).toEqual([...new Set(timestamps)].toSorted((a, b) => a - b));
  });

  it('are none of the future: whatever follows would have to be later still', () => {
    expect(timestamps.filter((timestamp) => timestamp > now())).toEqual([]);
  });
});

describe('Migrations after the baseline', () => {
  const files = readdirSync(FOLDER, { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== BASELINE)
    .map(({ name }) => name);

  it('are found', () => expect(files).toContain('1795290600000-version-numbers.ts'));

  it.each(files)('%s leaves the version before it able to work', (file) => {
    expect(contractions(readFileSync(join(FOLDER, file), 'utf8'))).toEqual([]);
  });
});

describe('The check of migrations', () => {
  const up = (sql: string, down = '') => `
    export class X1 {
      async up(runner) { await runner.query(\`${sql}\`); }
      async down(runner) { await runner.query(\`${down}\`); }
    }`;

  it.each([
    'DROP TABLE users',
    'drop table if exists users',
    'ALTER TABLE users DROP COLUMN role',
    'ALTER TABLE users\n  DROP role',
    'ALTER TABLE users RENAME TO people',
    'ALTER TABLE users RENAME COLUMN role TO kind',
    'ALTER TABLE users ADD COLUMN kind text NOT NULL',
    'ALTER TABLE users ADD kind text NOT NULL, ADD other text DEFAULT 1',
    'ALTER TABLE users ALTER COLUMN kind SET NOT NULL',
    'ALTER TABLE users ALTER COLUMN kind TYPE integer',
  ])('finds %s', (sql) => {
    expect(contractions(up(sql))).toHaveLength(1);
    expect(contractions(up('SELECT 1', sql))).toEqual([]);
  });

  it.each([
    'ALTER TABLE users ADD COLUMN kind text',
    "ALTER TABLE users ADD COLUMN kind text NOT NULL DEFAULT 'a'",
    "ALTER TABLE users ADD COLUMN kind text DEFAULT 'a' NOT NULL",
    'ALTER TABLE users DROP CONSTRAINT ck_users_role',
    'DROP INDEX ix_users_role',
    'CREATE TABLE kinds (id uuid NOT NULL, name text NOT NULL)',
    'ALTER TABLE users ALTER COLUMN kind DROP NOT NULL',
    'ALTER TABLE users RENAME CONSTRAINT a TO b',
    'ALTER TABLE users ALTER COLUMN kind DROP DEFAULT',
  ])('lets %s pass', (sql) => {
    expect(contractions(up(sql))).toEqual([]);
  });

  it('finds each of several, also of statements in calls of their own', () => {
    expect(contractions(up('DROP TABLE a; ALTER TABLE b DROP COLUMN c'))).toHaveLength(2);
  });
});
