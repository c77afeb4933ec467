/*
 * What must hold before a change is sent, in about a minute: everything that .ci/run does but the end-to-end
 * tests, the installations, and the unit tests that try tens of thousands of cases. `npm run check --
 * NAME...` runs only these.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { root } from './built.mjs';

/** Slow for what they find in everyday work; `npm test` and CI run them. */
const SLOW_TESTS = [
  'src/colors/difference/',
  'src/platform/database/embedded/',
  'test/architecture/schema.spec.ts',
];

/** What did not change since the last run is not looked at again; CI has no such memory. */
const CACHE = 'node_modules/.cache/check';

/** Commands by name, the longest first: they run side by side. */
const CHECKS = {
  lint: [
    'npx',
    'eslint',
    '.',
    '--cache',
    '--cache-strategy',
    'content',
    '--cache-location',
    `${CACHE}/eslint`,
  ],
  tests: [
    'npx',
    'jest',
    '--selectProjects',
    'unit',
    'architecture',
    '--testPathIgnorePatterns',
    ...SLOW_TESTS,
  ],
  types: ['npx', 'tsc', '--noEmit', '--incremental', '--tsBuildInfoFile', `${CACHE}/types.tsbuildinfo`],
  surface: ['npm', 'run', '--silent', 'surface:check'],
  examples: ['npm', 'run', '--silent', 'examples:check'],
  openapi: ['npm', 'run', '--silent', 'openapi:check'],
  unused: ['npm', 'run', '--silent', 'check:unused'],
  format: ['npm', 'run', '--silent', 'format:check'],
  layers: ['npm', 'run', '--silent', 'check:layers'],
  colors: ['npm', 'run', '--silent', 'check:colors'],
  size: ['npm', 'run', '--silent', 'check:size'],
};

/** Runs a command; its output is shown when it fails. */
async function run(name, [command, ...args]) {
  const begun = performance.now();
  const output = [];
  const child = spawn(command, args, { cwd: root, shell: process.platform === 'win32' });
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(text));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  if (code !== 0) process.stdout.write(`\n${Buffer.concat(output).toString()}\n`);
  console.log(`${code === 0 ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
  // The size is worth knowing before it is too large.
  if (code === 0 && name === 'size') process.stdout.write(Buffer.concat(output));
  return code === 0;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(CHECKS, name));
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}: ${Object.keys(CHECKS).join(', ')}`);
  process.exit(2);
}
const pending = Object.entries(CHECKS).filter(([name]) => asked.length === 0 || asked.includes(name));
const failed = [];
async function work() {
  for (let next = pending.shift(); next; next = pending.shift()) {
    if (!(await run(...next))) failed.push(next[0]);
  }
}
await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, work));
if (failed.length > 0) {
  console.log(`\nFailed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
