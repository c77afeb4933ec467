import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');
const SCRIPT = join('scripts', 'reference-colors.mjs');
const TARGET = join('src', 'platform', 'database', 'migrations', 'baseline', 'reference-colors.json');

const run = (folder: string, ...parameters: string[]) =>
  spawnSync(process.execPath, [join(folder, SCRIPT), ...parameters], { encoding: 'utf8' });

it('the named colours in the migration are what their packages give', () => {
  expect(run(ROOT, '--check')).toMatchObject({ status: 0, stdout: '', stderr: '' });
});

it('the script refuses another file, and writes this one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'colors-'));
  try {
    for (const name of [SCRIPT, TARGET]) mkdirSync(dirname(join(folder, name)), { recursive: true });
    copyFileSync(join(ROOT, SCRIPT), join(folder, SCRIPT));
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'dir');
    const committed = readFileSync(join(ROOT, TARGET), 'utf8');
    writeFileSync(join(folder, TARGET), `${committed}\n`);
    expect(run(folder, '--check')).toMatchObject({
      status: 1,
      stdout: '',
      stderr: 'reference-colors.json is not what this script writes from the installed packages\n',
    });

    const { sources } = JSON.parse(committed) as { sources: { colors: unknown[] }[] };
    const [chinese, english] = sources.map(({ colors }) => colors.length);
    expect(run(folder)).toMatchObject({
      status: 0,
      stdout: `${chinese} Chinese and ${english} English colour names\n`,
    });
    expect(readFileSync(join(folder, TARGET), 'utf8')).toBe(committed);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
