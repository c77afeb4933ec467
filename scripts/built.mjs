import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Time of the newest file below a path, in milliseconds. */
function newest(path) {
  const status = statSync(path);
  if (!status.isDirectory()) return status.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** True when there is no build, or a source is newer than it. */
function isStale() {
  const entry = join(root, 'dist', 'main.js');
  // An image or a package may hold the build alone.
  if (!existsSync(join(root, 'src'))) return false;
  if (!existsSync(entry)) return true;
  const sources = ['src', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json', 'package-lock.json'];
  return Math.max(...sources.map((name) => newest(join(root, name)))) > statSync(entry).mtimeMs;
}

/** Builds when `dist` is missing or stale. */
export function ensureBuilt() {
  if (!isStale()) return;
  process.stderr.write('Building the service (only when sources have changed) ...\n');
  const nest = createRequire(import.meta.url).resolve('@nestjs/cli/bin/nest.js');
  const { status } = spawnSync(process.execPath, [nest, 'build'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0) process.exit(status === null ? 1 : status);
}
