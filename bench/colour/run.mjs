/*
 * Exact colour search against the obvious ways, at several table sizes, on PostgreSQL and on the embedded
 * database, at the repository and over HTTP. All of it is interleaved in short turns, and every answer is
 * compared with brute force while measuring.
 *
 * npm run bench:colour -- [--sizes 1000,100000,1000000] [--embedded 1000,100000] [--queries 100]
 *
 * BENCH_DATABASE_URL names a PostgreSQL server where databases may be created (default: the local one). They
 * are kept and used again by the next run: drop formula_bench_colour_<size> to be rid of them.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { execFileSync } from 'node:child_process';
import pg from 'pg';
import { ensureBuilt, root } from '../../scripts/built.mjs';
import { baselineServer } from './baseline-http.mjs';
import { orderBySqrt, readAllAndSort } from './baselines.mjs';
import { colours, farQueries, idOf, queries, rowOf, USER } from './data.mjs';

ensureBuilt();
const require = createRequire(import.meta.url);
const dist = (file) => require(join(root, 'dist', file));

const { values: options } = parseArgs({
  options: {
    sizes: { type: 'string', default: '1000,100000,1000000' },
    embedded: { type: 'string', default: '1000,100000' },
    queries: { type: 'string', default: '100' },
  },
});
const numbers = (text) => text.split(',').filter(Boolean).map(Number);
const SERVER = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const K = 5;
/**
 * Rows a slow method may read in the whole run: it is repeated as often as that allows, and at least once.
 */
const SLOW_BUDGET = { all: 2e6, sqrt: 2e7 };

process.env.LOG_LEVEL = 'error';
process.env.THROTTLE_LIMIT = '1000000000';
process.env.JWT_SECRET = 'bench-secret-of-no-consequence-at-all';

const note = (text) => process.stderr.write(`${text}\n`);

async function onServer(url, work) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function databaseFor(size) {
  const name = `formula_bench_colour_${size}`;
  const url = new URL(SERVER);
  url.pathname = `/${name}`;
  await onServer(SERVER, async (client) => {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0)
      await client.query(
        `CREATE DATABASE ${name} ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0`,
      );
  });
  return url.toString();
}

/** Opens the service on the given database; it does not listen yet. */
async function openService(settings) {
  const before = { ...process.env };
  delete process.env.DATABASE_URL;
  delete process.env.DATA_DIR;
  Object.assign(process.env, settings);
  try {
    require('reflect-metadata');
    const { NestFactory } = require('@nestjs/core');
    const { FastExpressAdapter } = dist('server/fast-express.adapter.js');
    const app = await NestFactory.create(dist('app.module.js').AppModule, new FastExpressAdapter(), {
      logger: ['error', 'warn'],
      abortOnError: false,
    });
    return await dist('app.factory.js').configureApp(app).init();
  } finally {
    process.env = before;
  }
}

async function load(context, stored) {
  const { DataSource } = require('typeorm');
  const source = context.get(DataSource);
  const [{ count, last }] = await source.query(
    'SELECT count(*) AS count, max(id::text) FILTER (WHERE id = $1) AS last FROM color_formulas',
    [idOf(stored.size - 1)],
  );
  if (Number(count) === stored.size && last) return;
  note(`  loading ${stored.size} colours`);
  await source.query('TRUNCATE color_formulas');
  await source.query(
    `INSERT INTO users (id, username, password_hash) VALUES ($1, $2, '') ON CONFLICT DO NOTHING`,
    [USER.id, USER.username],
  );
  await source.query('DROP INDEX ix_color_formulas_lab');
  for (let from = 0; from < stored.size; from += 10_000) {
    const rows = [];
    for (let n = from; n < Math.min(from + 10_000, stored.size); n++) rows.push(rowOf(stored, n));
    await source.query(
      `INSERT INTO color_formulas (id, name, l, a, b, delta_e, colorant_composition, created_by)
       SELECT id, name, l, a, b, delta_e, composition, $2 FROM json_to_recordset($1::json)
         AS color (id uuid, name text, l float8, a float8, b float8, delta_e float8, composition json)`,
      [JSON.stringify(rows), USER.id],
    );
  }
  const start = performance.now();
  await source.query(
    'CREATE INDEX ix_color_formulas_lab ON color_formulas (lab_cell(l, a, b)) INCLUDE (id, l, a, b)',
  );
  note(`  index built in ${((performance.now() - start) / 1000).toFixed(1)} s`);
  await source.query('VACUUM ANALYZE color_formulas');
}

/** The definition of both answers: every colour looked at. */
function bruteForce({ size, L, a, b }, query, ciede2000) {
  const best = { match: [], recommend: [] };
  const offer = (list, id, distance) => {
    const last = list[K - 1];
    if (last && (distance > last.distance || (distance === last.distance && id > last.id))) return;
    list.push({ id, distance });
    list.sort((x, y) => x.distance - y.distance || (x.id < y.id ? -1 : 1));
    if (list.length > K) list.pop();
  };
  const worst = (list) => (list.length < K ? Infinity : list[K - 1].distance);
  const colour = { L: 0, a: 0, b: 0 };
  for (let n = 0; n < size; n++) {
    colour.L = L[n];
    colour.a = a[n];
    colour.b = b[n];
    const difference = ciede2000(query, colour);
    if (difference <= worst(best.match)) offer(best.match, idOf(n), difference);
    const straight = Math.sqrt((query.L - L[n]) ** 2 + (query.a - a[n]) ** 2 + (query.b - b[n]) ** 2);
    if (straight <= worst(best.recommend)) offer(best.recommend, idOf(n), straight);
  }
  return { match: best.match.map(({ id }) => id), recommend: best.recommend.map(({ id }) => id) };
}

async function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

/** One request on a kept connection; the answer as JSON. */
function call(port, method, path, { token, body } = {}) {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const headers = {
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
      ...(text ? { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) } : {}),
    };
    const sent = httpRequest({ host: '127.0.0.1', port, method, path, headers, agent }, (response) => {
      const parts = [];
      response.on('data', (part) => parts.push(part));
      response.on('end', () => {
        const answer = Buffer.concat(parts).toString();
        if (response.statusCode >= 300)
          reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`));
        else resolve(JSON.parse(answer));
      });
      response.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(text);
  });
}

async function startProcess(script, settings, ready) {
  const port = await freePort();
  const environment = { ...process.env, PORT: String(port), ...settings };
  for (const name of ['DATABASE_URL', 'DATA_DIR']) if (!(name in settings)) delete environment[name];
  const child = spawn(process.execPath, ['--max-old-space-size=8192', script], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let tries = 0; ; tries++) {
    try {
      await call(port, 'GET', ready);
      return { port, child };
    } catch (error) {
      if (tries > 300 || child.exitCode !== null) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

const stop = (child) =>
  new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill('SIGTERM');
  });

/** The service and the baselines, each in a process of its own. */
async function listenBeside(settings, close) {
  const main = await startProcess(join(root, 'dist', 'main.js'), settings, '/api/health');
  const bare = await startProcess(
    join(root, 'bench', 'colour', 'baseline-server.mjs'),
    settings,
    '/sqrt?L=0&a=0&b=0',
  );
  close.push(
    () => stop(main.child),
    () => stop(bare.child),
  );
  return { main, bare };
}

/** The same in this process: an embedded database belongs to one. */
async function listenHere(app, pool, close) {
  await app.listen(0, '127.0.0.1');
  const bare = baselineServer(pool).listen(0, '127.0.0.1');
  await once(bare, 'listening');
  close.push(() => {
    bare.close();
    bare.closeAllConnections();
  });
  return { main: { port: app.getHttpServer().address().port }, bare: { port: bare.address().port } };
}

const idsOf = (rows) => rows.map(({ id }) => id);

/**
 * The ways to ask one database, each as a function of the query that gives the ids it found.
 * `answers` says which brute-force list is right for it; `budget` how many rows it may read in the whole run.
 */
async function methodsAt(size, settings, stored) {
  const context = await openService(settings);
  await load(context, stored);
  const { ColorService } = dist('color/color.service.js');
  const { ColorFormulasRepository } = dist('color/color-formulas.repository.js');
  const { ciede2000 } = dist('color/matching/index.js');
  const { EVERYTHING } = dist('database/row-filter.js').RowFilter;
  const service = context.get(ColorService);
  const repository = context.get(ColorFormulasRepository);
  const { DataSource } = require('typeorm');
  const pool = context.get(DataSource).driver.master;
  const methods = [
    {
      where: 'repository',
      name: 'match (exact CIEDE2000)',
      answers: 'match',
      run: async (query) => idsOf(await service.match(EVERYTHING, query, K)),
    },
    {
      where: 'repository',
      name: 'match, far outside of what is stored',
      asked: 'far',
      answers: 'match',
      run: async (query) => idsOf(await service.match(EVERYTHING, query, K)),
    },
    {
      where: 'repository',
      name: 'recommend: nearest 5',
      answers: 'recommend',
      run: async (query) =>
        idsOf(await repository.findRanked(EVERYTHING, await repository.nearest(EVERYTHING, query, K))),
    },
    {
      where: 'repository',
      name: '(a) read all rows and sort',
      answers: 'match',
      budget: SLOW_BUDGET.all,
      run: async (query) => idsOf(await readAllAndSort(pool, ciede2000, query, K)),
    },
    {
      where: 'repository',
      name: '(b) ORDER BY sqrt(…) LIMIT',
      answers: 'recommend',
      budget: SLOW_BUDGET.sqrt,
      run: async (query) => idsOf(await orderBySqrt(pool, query, K)),
    },
  ];
  const close = [() => context.close()];

  const { main, bare } = await (settings.DATABASE_URL
    ? listenBeside(settings, close)
    : listenHere(context, pool, close));
  const account = { username: `bench-${Date.now()}`, password: 'bench-secret' };
  const { data } = await call(main.port, 'POST', '/api/auth/register', { body: account });
  const text = ({ L, a, b }) => `L=${L}&a=${a}&b=${b}`;
  const http = { where: 'HTTP' };
  methods.push(
    {
      ...http,
      name: 'GET /api/color/formulas/match',
      answers: 'match',
      run: async (query) =>
        idsOf(
          (await call(main.port, 'GET', `/api/color/formulas/match?${text(query)}`, { token: data.token }))
            .data,
        ),
    },
    {
      ...http,
      name: 'POST /api/color/recommend',
      answers: 'recommend',
      run: async (query) => {
        const answer = { token: data.token, body: { targetLab: query } };
        return idsOf((await call(main.port, 'POST', '/api/color/recommend', answer)).matchedFormulas);
      },
    },
    {
      ...http,
      name: '(a) read all rows and sort',
      answers: 'match',
      budget: SLOW_BUDGET.all,
      run: async (query) => idsOf((await call(bare.port, 'GET', `/all?${text(query)}`)).data),
    },
    {
      ...http,
      name: '(b) ORDER BY sqrt(…) LIMIT',
      answers: 'recommend',
      budget: SLOW_BUDGET.sqrt,
      run: async (query) => idsOf((await call(bare.port, 'GET', `/sqrt?${text(query)}`)).data),
    },
  );
  return {
    size,
    stored,
    methods: methods.map((method) => ({ ...method, times: [], wrong: 0 })),
    close: async () => {
      for (const step of close.reverse()) await step();
    },
  };
}

function quantile(times, share) {
  const sorted = [...times].sort((x, y) => x - y);
  return sorted.length === 0 ? NaN : sorted[Math.floor(sorted.length * share)];
}

const median = (times) => quantile(times, 0.5);

/** Queries that one method answers before it is the next one's turn. */
const TURN = 10;

/**
 * All databases and methods take turns, ten queries at a time, the slow ones last. What a neighbour's turn
 * left in caches and heap is not charged to anybody: each turn of a fast method begins with as many other
 * queries that are not counted. Every counted answer is compared with brute force, computed before the
 * measurement.
 */
async function measure(places, count) {
  const { ciede2000 } = dist('color/matching/index.js');
  note('  brute force');
  const [{ stored: known }] = places;
  const asked = { usual: queries(count + TURN, known), far: farQueries(count + TURN) };
  const warmUp = { usual: asked.usual.splice(count), far: asked.far.splice(count) };
  const answersOf = ({ stored }, kind) => asked[kind].map((query) => bruteForce(stored, query, ciede2000));
  const right = places.map((place) => ({ usual: answersOf(place, 'usual'), far: answersOf(place, 'far') }));
  for (let from = 0; from < count; from += TURN) {
    for (const [index, { size, methods }] of places.entries()) {
      for (const method of methods.toSorted((x, y) => (x.budget ? 1 : 0) - (y.budget ? 1 : 0))) {
        const kind = method.asked ?? 'usual';
        if (!method.budget) for (const query of warmUp[kind]) await method.run(query);
        for (const [offset, query] of asked[kind].slice(from, from + TURN).entries()) {
          const i = from + offset;
          if (method.budget && i >= Math.max(1, Math.floor(method.budget / size))) continue;
          const start = performance.now();
          const found = await method.run(query);
          method.times.push(performance.now() - start);
          if (found.join() !== right[index][kind][i][method.answers].join()) method.wrong++;
        }
      }
    }
    note(`  ${Math.min(from + TURN, count)} of ${count} queries`);
  }
}

const shown = (milliseconds) =>
  Number.isNaN(milliseconds) ? '–' : milliseconds >= 100 ? milliseconds.toFixed(0) : milliseconds.toFixed(2);

function table(title, places) {
  const names = new Map(places[0].methods.map((method) => [`${method.where}: ${method.name}`, method]));
  const lines = [
    `### ${title}: milliseconds of one answer, median / 95th percentile (answers compared with brute force, wrong ones)`,
    '',
    `| | ${places.map(({ size }) => size.toLocaleString('en')).join(' | ')} |`,
    `|---|${places.map(() => '---:').join('|')}|`,
  ];
  for (const key of names.keys()) {
    const cells = places.map(({ methods }) => {
      const method = methods.find(({ where, name }) => `${where}: ${name}` === key);
      const [middle, high] = [median(method.times), quantile(method.times, 0.95)];
      return `${shown(middle)} / ${shown(high)} (${method.times.length}, ${method.wrong})`;
    });
    lines.push(`| ${key} | ${cells.join(' | ')} |`);
  }
  return lines.join('\n');
}

function ratios(places) {
  const at = (place, name, where = 'repository') =>
    median(place.methods.find((method) => method.where === where && method.name.startsWith(name)).times);
  const [small, large] = [places[0], places[places.length - 1]];
  const times = (number) => `${number >= 10 ? number.toFixed(0) : number.toFixed(2)} ×`;
  return [
    `- match at ${large.size.toLocaleString('en')} takes ${times(at(large, 'match') / at(small, 'match'))} its time at ${small.size.toLocaleString('en')} (repository), ` +
      `${times(at(large, 'GET', 'HTTP') / at(small, 'GET', 'HTTP'))} over HTTP`,
    `- at ${large.size.toLocaleString('en')} (repository): (a) takes ${times(at(large, '(a)') / at(large, 'match'))} the time of match, ` +
      `(b) ${times(at(large, '(b)') / at(large, 'match'))} that of match and ${times(at(large, '(b)') / at(large, 'recommend'))} that of recommend's search`,
  ].join('\n');
}

function commit() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

async function run() {
  const count = Number(options.queries);
  const output = [];
  let wrong = 0;

  const onServerPlaces = [];
  let directory;
  const embedded = [];
  try {
    for (const size of numbers(options.sizes)) {
      note(`PostgreSQL, ${size} colours`);
      const url = await databaseFor(size);
      onServerPlaces.push(await methodsAt(size, { DATABASE_URL: url }, colours(size)));
    }
    if (onServerPlaces.length > 0) {
      await measure(onServerPlaces, count);
      const [{ version }] = await onServer(SERVER, async (client) =>
        (await client.query('SHOW server_version')).rows.map((row) => ({ version: row.server_version })),
      );
      output.push(table(`PostgreSQL ${version}`, onServerPlaces), ratios(onServerPlaces));
    }

    directory = mkdtempSync(join(tmpdir(), 'formula-bench-colour-'));
    for (const size of numbers(options.embedded)) {
      note(`embedded, ${size} colours`);
      embedded.push(await methodsAt(size, { DATA_DIR: join(directory, String(size)) }, colours(size)));
    }
    if (embedded.length > 0) {
      await measure(embedded, count);
      output.push(table('Embedded PostgreSQL', embedded));
    }
  } finally {
    for (const place of [...onServerPlaces, ...embedded]) await place.close();
    if (directory) rmSync(directory, { recursive: true, force: true });
    agent.destroy();
  }
  for (const { methods } of [...onServerPlaces, ...embedded])
    for (const method of methods) wrong += method.wrong;
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'unknown'}, Node ${process.version}`;
  output.push(
    `${new Date().toISOString().slice(0, 10)}, ${commit()}, ${machine}; k = ${K}; wrong answers: ${wrong}`,
  );
  process.stdout.write(`${output.join('\n\n')}\n`);
  if (wrong > 0) process.exitCode = 1;
}

await run();
