import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { coreMigrations } from '../../src/platform/database/migrations';

const FOLDER = join(__dirname, '..', '..', 'src', 'platform', 'database', 'migrations');

/** The newest commit says what time it has been already, where the clock of a machine is behind. */
function now(): number {
  const { stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: __dirname, encoding: 'utf8' });
  return Math.max(Date.now(), Number(stdout) * 1000);
}

it('Every migration file is in the list', () => {
  const files = readdirSync(FOLDER).filter((file) => /^\d/.test(file));
  const times = coreMigrations.map(({ name }) => name.slice(-13));
  expect(files.map((file) => file.slice(0, 13))).toEqual(times);
});

describe('The timestamps of migrations', () => {
  const timestamps = coreMigrations.map(({ name }) => Number(name.slice(-13)));

  it('are each later than the one before', () => {
    expect(timestamps).toEqual([...new Set(timestamps)].toSorted((a, b) => a - b));
  });

  it('are none of the future: whatever follows would have to be later still', () => {
    expect(timestamps.filter((timestamp) => timestamp > now())).toEqual([]);
  });
});
