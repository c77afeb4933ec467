/*
 * npm run bench: the service beside the floor server, on the same machine and the same data, in interleaved
 * rounds. With --write the tables replace their predecessors in bench/RESULTS.md.
 *
 *   BENCH_DATABASE_URL  a PostgreSQL server where databases may be created (default: postgres@127.0.0.1:5432)
 *   BENCH_SCALE         1 (50 000 formulas), 10 or small (4 000)
 *   BENCH_ROUNDS, BENCH_SECONDS, BENCH_WARM_UP (seconds per scenario), BENCH_STARTS, BENCH_ONLY (names of
 * scenarios, comma-separated)
 *   BENCH_EMBEDDED=1    the service on its embedded database instead; the floor server stays on PostgreSQL
 *   BENCH_KEEP=1        keeps and reuses the seeded databases
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { JWT_SECRET, scale, sizes, USER } from './data.mjs';
import { createDatabase, databaseExists, databaseUrl, dropDatabase, withClient } from './databases.mjs';
import { cpuOf, memoryOf, startLoad, startServer } from './processes.mjs';
import { comparisonReport, writeSection } from './report.mjs';
import { differences } from './same-answers.mjs';
import { scenarios } from './scenarios.mjs';
import { migrate, seed } from './seed.mjs';

const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);
const warmUpSeconds = Number(process.env.BENCH_WARM_UP ?? 3);
const connections = 16;
const loginConnections = 8;
const starts = Number(process.env.BENCH_STARTS ?? 5);
const embedded = process.env.BENCH_EMBEDDED === '1';
const keep = process.env.BENCH_KEEP === '1';
const only = process.env.BENCH_ONLY?.split(',');
const database = `formula_bench_${scale}x`;
const keptDirectory = join(tmpdir(), `formula-bench-embedded-${scale}x`);

const log = (text) => process.stderr.write(`${text}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const median = (values) => values.toSorted((x, y) => x - y)[Math.floor(values.length / 2)] ?? 0;

async function prepareDatabase() {
  if (keep && (await databaseExists(database))) return databaseUrl(database);
  log(`Seeding ${sizes.formulas} formulas ...`);
  const started = performance.now();
  const url = await createDatabase(database);
  await migrate({ kind: 'server', url });
  await withClient(url, (client) =>
    seed(
      (text, values) => client.query(text, values),
      (text) => log(`  ${text}`),
    ),
  );
  log(`  ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return url;
}

/** A directory that the service may write to: with BENCH_KEEP a copy of the one seeded first. */
async function prepareDirectory() {
  const dataDir = mkdtempSync(join(tmpdir(), 'formula-bench-'));
  if (keep && existsSync(keptDirectory)) {
    cpSync(keptDirectory, dataDir, { recursive: true });
    return dataDir;
  }
  log('Seeding the embedded database ...');
  const { EmbeddedPostgres } = await import('../../dist/platform/database/embedded/embedded-postgres.js');
  await migrate({ kind: 'directory', dataDir });
  const postgres = await EmbeddedPostgres.open({ dataDir });
  const client = new postgres.driver.Client();
  await client.connect();
  await seed(
    (text, values) => client.query(text, values),
    (text) => log(`  ${text}`),
  );
  await client.end();
  await postgres.close();
  if (keep) cpSync(dataDir, keptDirectory, { recursive: true });
  return dataDir;
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
  const before = await target.diagnose('reset');
  const node = cpuOf(target.pid);
  const postgres = pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
  const flood = scenario.beside
    ? beside.run({ ...job, scenario: scenario.beside, connections: loginConnections, seconds: seconds + 0.2 })
    : undefined;
  const result = await load.run({ ...job, seconds, from: from + 1_000_000 });
  const cpuNode = cpuOf(target.pid) - node;
  const cpuPostgres = pids.reduce((sum, pid) => sum + cpuOf(pid), 0) - postgres;
  const after = await target.diagnose();
  await flood;
  const wrong = Object.entries(result.statuses).filter(([status]) => Number(status) !== scenario.status);
  if (wrong.length > 0)
    log(`  ${target.name} ${name}: unexpected answers ${JSON.stringify(result.statuses)}`);
  const cpuWorkers = after.workersMs - before.workersMs;
  return {
    perSecond: result.perSecond,
    p50: result.p50,
    p99: result.p99,
    node: (cpuNode - cpuWorkers) / result.requests,
    worker: cpuWorkers / result.requests,
    postgres: cpuPostgres / result.requests,
    longestBlock: after.longestBlockMs,
    wrong: wrong.length > 0,
  };
}

async function login(port) {
  const response = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username: USER.username, password: USER.password }),
  });
  return (await response.json()).data.token;
}

/** Starts each server by turns, stops all but the last, and says how long each took. */
async function startBoth(launch) {
  const times = { floor: [], service: [] };
  for (let round = 1; ; round++) {
    const floor = await launch.floor();
    const service = await launch.service();
    times.floor.push(floor.startMs);
    times.service.push(service.startMs);
    if (round === starts)
      return { floor, service, start: { floor: median(times.floor), service: median(times.service) } };
    await Promise.all([floor.stop(), service.stop()]);
  }
}

async function main() {
  const url = await prepareDatabase();
  const dataDir = embedded ? await prepareDirectory() : undefined;
  // As the image sets them (docker/Dockerfile), for both.
  const malloc = { MALLOC_ARENA_MAX: '2', MALLOC_TRIM_THRESHOLD_: '131072' };
  const common = { DATABASE_URL: url, JWT_SECRET, NODE_ENV: 'production', ...malloc };
  // All connections are one client's: the floor server knows no shares.
  const quiet = { THROTTLE_LIMIT: '1000000000', CLIENT_CONCURRENCY: '64', LOG_LEVEL: 'error' };
  const place = embedded ? { DATABASE_URL: '', DATA_DIR: dataDir } : {};
  const { floor, service, start } = await startBoth({
    floor: () => startServer('floor', 'floor-server.mjs', common, 3981),
    service: () => startServer('service', '../../dist/main.js', { ...common, ...quiet, ...place }, 3982),
  });
  await pause(2000);
  const idle = { floor: memoryOf(floor.pid), service: memoryOf(service.pid) };
  const token = await login(floor.port);

  const names = Object.keys(scenarios).filter((name) => !only || only.includes(name));
  for (const difference of await differences({ floor, service, names, token })) log(`  ${difference}`);

  const load = startLoad();
  const beside = startLoad();
  log('Warming up ...');
  // Frameworks are a lot of code: both servers run everything until it is compiled.
  for (const name of names.filter((scenario) => !scenarios[scenario].beside)) {
    for (const target of [floor, service])
      await load.run({
        port: target.port,
        scenario: name,
        token,
        connections,
        from: 0,
        seconds: warmUpSeconds,
      });
  }
  const client = new pg.Client(url);
  await client.connect();
  const rows = [];
  let from = 0;
  for (const name of names) {
    const taken = { floor: [], service: [] };
    for (let round = 0; round < rounds; round++) {
      for (const target of [floor, service]) {
        from += 10_000_000;
        taken[target.name].push(await measure({ target, load, beside, name, token, client, from }));
      }
    }
    const of = (target, field) => median(taken[target].map((result) => result[field]));
    const row = {
      title: scenarios[name].title,
      ratio: median(taken.service.map((result, i) => result.perSecond / taken.floor[i].perSecond)),
      p99Ratio: median(taken.service.map((result, i) => result.p99 / taken.floor[i].p99)),
      longestBlock: Math.max(...taken.service.map(({ longestBlock }) => longestBlock)),
      wrong: [...taken.service, ...taken.floor].some((result) => result.wrong),
      floor: Object.fromEntries(
        ['perSecond', 'p50', 'node', 'postgres'].map((field) => [field, of('floor', field)]),
      ),
      service: Object.fromEntries(
        ['perSecond', 'p50', 'node', 'worker', 'postgres'].map((field) => [field, of('service', field)]),
      ),
    };
    rows.push(row);
    log(
      `  ${row.title}: ${row.ratio.toFixed(2)}, p99 ${row.p99Ratio.toFixed(2)}, Node ` +
        `${row.service.node.toFixed(3)} (${row.floor.node.toFixed(3)})${row.wrong ? ' WRONG ANSWERS' : ''}`,
    );
  }
  const loaded = { floor: memoryOf(floor.pid), service: memoryOf(service.pid) };
  await Promise.all([floor.stop(), service.stop()]);
  load.stop();
  beside.stop();
  await client.end();
  if (dataDir) rmSync(dataDir, { recursive: true });
  if (!keep) await dropDatabase(database);

  const title = `${embedded ? 'Embedded database' : 'PostgreSQL'}, ${sizes.formulas.toLocaleString('en')} formulas`;
  const report = comparisonReport({ rows, idle, loaded, start, embedded, connections, rounds, seconds });
  process.stdout.write(`### ${title}\n\n${report}\n`);
  if (process.argv.includes('--write')) writeSection(title, report);
}

await main();
