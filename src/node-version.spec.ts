import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { engines } from '../package.json';

const ROOT = join(__dirname, '..');

/** Loads the check in a process that says it is this version. */
function loadOn(version: string) {
  const script = `
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } });
    require(${JSON.stringify(join(__dirname, 'node-version.cjs'))});
    process.stdout.write('loaded');`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['-e', script], { encoding: 'utf8' });
  return { status, stdout, stderr };
}

describe('the version of Node', () => {
  it.each(['9.11.2', '18.20.8', '20.0.0', '20.18.3'])('%s is refused in one line', (version) => {
    const [, oldest] = /^>=(\d+\.\d+)$/.exec(engines.node)!;
    const stderr = `Node.js ${oldest} or later is needed, and this is ${version} (${process.execPath})\n`;
    expect(loadOn(version)).toEqual({ status: 1, stdout: '', stderr });
  });

  it.each(['20.19.0', '20.100.1', '21.0.0', '22.1.0', '100.0.0-nightly'])('%s is let through', (version) => {
    expect(loadOn(version)).toEqual({ status: 0, stdout: 'loaded', stderr: '' });
  });

  it.each(['src/main.ts', 'src/cli/main.ts', 'scripts/start.mjs', 'scripts/cli.mjs'])(
    'is looked at before anything else by %s',
    (file) => {
      const [, first] = /^import .*$/m.exec(readFileSync(join(ROOT, file), 'utf8'))![0].split("'");
      expect(join(ROOT, file, '..', first!)).toBe(join(__dirname, 'node-version.cjs'));
    },
  );

  it.each(['src/node-version.cjs', 'scripts/start.mjs', 'scripts/cli.mjs', 'scripts/built.mjs'])(
    'is known before an old one stumbles over the syntax of %s',
    (file) => expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(/\?\?|\?\.|\|\|=|&&=|#\w+\(/),
  );
});
