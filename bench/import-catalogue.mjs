/*
 * Imports a real ingredient file through the command line: on the embedded database, and on a server when
 * TEST_DATABASE_URL names one where databases may be created. Asserts what the reports say, that a second
 * import finds everything unchanged, that an export reads back unchanged, and that everyday names find the
 * ingredient that is called so first. Prints how long each command took.
 *
 *   node bench/import-catalogue.mjs FILE [rows records]
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { ensureBuilt, root } from '../scripts/built.mjs';
import { startServer } from './speed/processes.mjs';

const [file, rows = '6975', records = '6973'] = process.argv.slice(2);
if (!file) {
  console.error('usage: node bench/import-catalogue.mjs FILE [rows records]');
  process.exit(2);
}

function cli(settings, ...args) {
  const environment = { ...process.env };
  delete environment.DATABASE_URL;
  delete environment.DATA_DIR;
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'dist', 'cli', 'main.js'), ...args],
    {
      env: { ...environment, ...settings },
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    },
  );
  assert.equal(status, 0, `${args.join(' ')} failed:\n${stdout}\n${stderr}`);
  console.log(`  ${args.join(' ')}: ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return stdout;
}

function counts(report) {
  const found = [...report.matchAll(/^ +([\d,]+) {2}(\w+)/gm)];
  return Object.fromEntries(found.map(([, count, label]) => [label, Number(count.replaceAll(',', ''))]));
}

const EVERYDAY_NAMES = [
  ...['甘油', '水', '丁二醇', '丙二醇', '苯氧乙醇', '透明质酸钠', '烟酰胺', '泛醇', '角鲨烷', '氧化锌'],
  ...[
    '二氧化钛',
    '黄原胶',
    '卡波姆',
    '尿囊素',
    '香精',
    'glycerin',
    'water',
    'butylene glycol',
    'panthenol',
    'alcohol',
  ],
  ...['niacinamide', 'squalane', 'zinc oxide', 'titanium dioxide', 'xanthan gum', 'carbomer', 'allantoin'],
  ...['tocopherol', 'urea', 'citric acid'],
];

/** Asks the service as a client does. @returns how many names come first among their answers */
async function checkNames(settings) {
  const variables = { JWT_SECRET: 'of no consequence'.padEnd(32), LOG_LEVEL: 'error', ...settings };
  const service = await startServer('service', '../../dist/main.js', variables, 3995);
  const ask = async (path, token, body) => {
    const response = await fetch(`http://127.0.0.1:${service.port}/api/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: body && JSON.stringify(body),
    });
    assert.ok(response.ok, `${path}: ${response.status}`);
    return response.json();
  };
  try {
    const account = { username: 'bench', password: 'bench-secret' };
    await ask('auth/register', undefined, account);
    const { data: user } = await ask('auth/login', undefined, account);
    for (const name of EVERYDAY_NAMES) {
      const { data } = await ask(`ingredients?search=${encodeURIComponent(name)}&limit=5`, user.token);
      const names = [data[0]?.inciName, data[0]?.chineseName].map((one) => one?.toLowerCase());
      assert.ok(names.includes(name), `${name} finds ${names.join(', ')} first`);
    }
    console.log(`  ${EVERYDAY_NAMES.length} everyday names: each first among its answers`);
  } finally {
    await service.stop();
  }
}

async function check(settings, folder) {
  const total = Number(records);
  const replaced = Number(rows) - total;
  const nothing = { created: 0, updated: 0, unchanged: 0, replaced, refused: 0 };

  assert.deepEqual(counts(cli(settings, 'ingredients', 'import', file)), { ...nothing, created: total });
  assert.deepEqual(counts(cli(settings, 'ingredients', 'import', file)), { ...nothing, unchanged: total });

  const exported = join(folder, 'export.csv');
  cli(settings, 'ingredients', 'export', exported, '--force');
  assert.equal(parse(readFileSync(exported), { bom: true, columns: true }).length, total);
  assert.deepEqual(counts(cli(settings, 'ingredients', 'import', exported)), {
    ...nothing,
    replaced: 0,
    unchanged: total,
  });
  await checkNames(settings);
}

ensureBuilt();
const folder = mkdtempSync(join(tmpdir(), 'import-'));
try {
  console.log('embedded database');
  await check({ DATA_DIR: join(folder, 'data') }, folder);

  const server = process.env.TEST_DATABASE_URL;
  if (server) {
    console.log('database server');
    const name = `formula_import_${process.pid}`;
    const client = new pg.Client(server);
    await client.connect();
    try {
      await client.query(
        `CREATE DATABASE ${name} ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0`,
      );
      const url = new URL(server);
      url.pathname = `/${name}`;
      await check({ DATABASE_URL: url.toString() }, folder);
    } finally {
      await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await client.end();
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
