/*
 * npm run bench: the service beside the floor server, on the same machine and the same data, in interleaved rounds.
 *
 *   BENCH_DATABASE_URL  a PostgreSQL server where databases may be created (default: postgres@127.0.0.1:5432)
 *   BENCH_SCALE         1 (50 000 formulas) or 10
 *   BENCH_ROUNDS, BENCH_SECONDS, BENCH_ONLY (names of scenarios, comma-separated)
 *   BENCH_EMBEDDED=1    the service on its embedded database instead; the floor server stays on PostgreSQL
 *   BENCH_KEEP=1        keeps and reuses the seeded database
 */
import { execSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { JWT_SECRET, scale, sizes, USER } from './data.mjs';
import { cpuOf, memoryOf, startLoad, startServer } from './processes.mjs';
import { scenarios } from './scenarios.mjs';
import { migrate, seed } from './seed.mjs';

const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const connections = 16;
const loginConnections = 8;
const embedded = process.env.BENCH_EMBEDDED === '1';
const keep = process.env.BENCH_KEEP === '1';
const only = process.env.BENCH_ONLY?.split(',');

const log = (text) => process.stderr.write(`${text}\n`);
const median = (values) => values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? 0;

async function withClient(url, work) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function prepareDatabase(name) {
  const url = new URL(server);
  url.pathname = `/${name}`;
  const exists = await withClient(server, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (keep && found.rowCount > 0) return true;
    await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await client.query(
      `CREATE DATABASE ${name} ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0`,
    );
    return false;
  });
  if (!exists) {
    await migrate({ kind: 'server', url: url.toString() });
    await withClient(url.toString(), async (client) => {
      await client.query("SET session_replication_role = 'replica'");
      await seed(
        (text, values) => client.query(text, values),
        (text) => log(`  ${text}`),
      );
    });
  }
  return url.toString();
}

async function seedEmbedded(dataDir) {
  const { EmbeddedPostgres } = await import('../../dist/database/embedded/embedded-postgres.js');
  await migrate({ kind: 'directory', dataDir });
  const database = await EmbeddedPostgres.open({ dataDir });
  const client = new pg.Client({ stream: () => database.connect() });
  await client.connect();
  await client.query("SET session_replication_role = 'replica'");
  await seed(
    (text, values) => client.query(text, values),
    (text) => log(`  ${text}`),
  );
  await client.end();
  await database.close();
}

const backends = (client) =>
  client
    .query('SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()')
    .then(({ rows }) => rows.map(({ pid }) => pid));

async function measure({ target, load, beside, name, token, client, from }) {
  const scenario = scenarios[name];
  const job = { port: target.port, scenario: name, token, connections, from };
  await load.run({ ...job, seconds: 0.5 });
  const pids = await backends(client);
  const node = cpuOf(target.pid);
  const postgres = pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  const flood = scenario.beside
    ? beside.run({ ...job, scenario: scenario.beside, connections: loginConnections, seconds: seconds + 0.2 })
    : undefined;
  const result = await load.run({ ...job, seconds, from: from + 1_000_000 });
  const cpuNode = cpuOf(target.pid) - node;
  const cpuPostgres = pids.reduce((sum, pid) => sum + cpuOf(pid), 0) - postgres;
  await flood;
  const wrong = Object.entries(result.statuses).filter(([status]) => Number(status) !== scenario.status);
  if (wrong.length > 0)
    log(`  ${target.name} ${name}: unexpected answers ${JSON.stringify(result.statuses)}`);
  return {
    perSecond: result.perSecond,
    p99: result.p99,
    node: cpuNode / result.requests,
    postgres: cpuPostgres / result.requests,
    wrong: wrong.length > 0,
  };
}

async function main() {
  const suffix = `${scale}x`;
  log(`Preparing the database (${sizes.formulas} formulas) ...`);
  const url = await prepareDatabase(`formula_bench_${suffix}`);
  const common = { DATABASE_URL: url, JWT_SECRET, NODE_ENV: 'production' };
  let dataDir;
  if (embedded) {
    dataDir = mkdtempSync(join(tmpdir(), 'formula-bench-'));
    log('Preparing the embedded database ...');
    await seedEmbedded(dataDir);
  }
  const floor = await startServer('floor', 'floor-server.mjs', common, 3981);
  const service = await startServer(
    'service',
    '../../dist/main.js',
    {
      ...common,
      ...(embedded ? { DATABASE_URL: '', DATA_DIR: dataDir } : {}),
      THROTTLE_LIMIT: '1000000000',
      LOG_LEVEL: 'error',
    },
    3982,
  );
  const idle = { floor: memoryOf(floor.pid), service: memoryOf(service.pid) };
  const login = await fetch(`http://127.0.0.1:${floor.port}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: USER.username, password: USER.password }),
  });
  const { token } = (await login.json()).data;
  const load = startLoad();
  const beside = startLoad();
  const client = new pg.Client(url);
  await client.connect();

  const rows = [];
  let from = 0;
  for (const name of Object.keys(scenarios).filter((name) => !only || only.includes(name))) {
    const taken = { floor: [], service: [] };
    for (let round = 0; round < rounds; round++) {
      for (const target of [floor, service]) {
        from += 10_000_000;
        taken[target.name].push(await measure({ target, load, beside, name, token, client, from }));
      }
    }
    const of = (target, field) => median(taken[target].map((result) => result[field]));
    const wrong = taken.service.some((result) => result.wrong) || taken.floor.some((result) => result.wrong);
    const row = {
      title: scenarios[name].title,
      floor: of('floor', 'perSecond'),
      service: of('service', 'perSecond'),
      ratio: median(taken.service.map((result, i) => result.perSecond / taken.floor[i].perSecond)),
      p99: of('service', 'p99') / of('floor', 'p99'),
      aim: scenarios[name].aim,
      node: of('service', 'node'),
      nodeFloor: of('floor', 'node'),
      postgres: of('service', 'postgres'),
      postgresFloor: of('floor', 'postgres'),
      wrong,
    };
    rows.push(row);
    log(
      `  ${row.title}: ${row.ratio.toFixed(2)} (aim ${row.aim}), p99 ${row.p99.toFixed(2)}${wrong ? ' WRONG ANSWERS' : ''}`,
    );
  }
  const loaded = { floor: memoryOf(floor.pid), service: memoryOf(service.pid) };
  await Promise.all([floor.stop(), service.stop()]);
  load.stop();
  beside.stop();
  await client.end();
  if (dataDir) rmSync(dataDir, { recursive: true });
  if (!keep)
    await withClient(server, (c) => c.query(`DROP DATABASE IF EXISTS formula_bench_${suffix} WITH (FORCE)`));
  print(rows, { idle, loaded, start: { floor: floor.startMs, service: service.startMs } });
}

function print(rows, { idle, loaded, start }) {
  const commit = execSync('git rev-parse --short HEAD').toString().trim();
  const version = process.version;
  const number = (value, digits = 2) => value.toFixed(digits);
  const out = [
    `### ${embedded ? 'Embedded database' : 'PostgreSQL'}, ${sizes.formulas.toLocaleString('en')} formulas`,
    '',
    `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ` +
      `${Math.round(totalmem() / 2 ** 30)} GB, Node ${version}, commit ${commit}; ${connections} connections, ` +
      `${rounds} interleaved rounds of ${seconds} s, medians.`,
    '',
    '| endpoint | floor req/s | service req/s | ratio | aim | p99 ratio | Node ms/req (floor) | PostgreSQL ms/req (floor) |',
    '|---|---|---|---|---|---|---|---|',
    ...rows.map(
      (row) =>
        `| ${row.title}${row.wrong ? ' (wrong answers!)' : ''} | ${number(row.floor, 0)} | ${number(row.service, 0)} | ` +
        `**${number(row.ratio)}** | ${row.aim} | ${number(row.p99)} | ${number(row.node, 3)} (${number(row.nodeFloor, 3)}) | ` +
        `${embedded ? 'in Node' : number(row.postgres, 3)} (${number(row.postgresFloor, 3)}) |`,
    ),
    '',
    `Geometric mean of the ratios: ${number(Math.exp(rows.reduce((sum, row) => sum + Math.log(row.ratio), 0) / rows.length))}. ` +
      `Start to first health: service ${number(start.service, 0)} ms, floor ${number(start.floor, 0)} ms ` +
      `(${number(start.service / start.floor, 1)} times). Memory idle: ${number(idle.service, 0)} MB, floor ` +
      `${number(idle.floor, 0)} MB (${number(idle.service / idle.floor, 1)} times); after the load: ` +
      `${number(loaded.service, 0)} MB, floor ${number(loaded.floor, 0)} MB.`,
    '',
  ];
  process.stdout.write(`${out.join('\n')}\n`);
}

await main();
