/*
 * npm run bench:growth: what one client waits for at three sizes, each operation by turns at each of them.
 * With --write the table replaces its predecessor in bench/RESULTS.md.
 *
 *   BENCH_DATABASE_URL  a PostgreSQL server where databases may be created (default: postgres@127.0.0.1:5432)
 *   BENCH_FORMULAS      sizes, comma-separated (default: 1000,100000,1000000)
 *   BENCH_ROUNDS        (default 5), of BENCH_REQUESTS (default 20) each, after as many that do not count:
 *                       all sizes share the server's buffers, and each is to find its own pages there
 *   BENCH_ONLY          names of operations, comma-separated
 *   BENCH_EMBEDDED=1    the embedded database
 *   BENCH_KEEP=1        keeps and reuses the seeded databases
 */
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { JWT_SECRET, USER } from '../speed/data.mjs';
import {
  createDatabase,
  databaseExists,
  databaseUrl,
  dropDatabase,
  withClient,
} from '../speed/databases.mjs';
import { startServer } from '../speed/processes.mjs';
import { circumstances, writeSection } from '../speed/report.mjs';
import { migrate } from '../speed/seed.mjs';
import { operations } from './operations.mjs';
import { ingredientNames, seedFormulas, wordsOf } from './seed.mjs';

const sizes = (process.env.BENCH_FORMULAS ?? '1000,100000,1000000').split(',').map(Number);
const rounds = Number(process.env.BENCH_ROUNDS ?? 5);
const requests = Number(process.env.BENCH_REQUESTS ?? 20);
const only = process.env.BENCH_ONLY?.split(',');
const embedded = process.env.BENCH_EMBEDDED === '1';
const keep = process.env.BENCH_KEEP === '1';

const log = (text) => process.stderr.write(`${text}\n`);
const median = (values) => values.toSorted((x, y) => x - y)[values.length >> 1];
const names = ingredientNames(log);

async function seeded(query, formulas) {
  const started = performance.now();
  await seedFormulas(query, formulas, names);
  log(`${formulas} formulas seeded in ${((performance.now() - started) / 1000).toFixed(0)} s`);
}

async function preparedServer(formulas) {
  const name = `formula_growth_${formulas}`;
  const drop = () => (keep ? undefined : dropDatabase(name));
  if (keep && (await databaseExists(name))) return { place: { DATABASE_URL: databaseUrl(name) }, drop };
  const url = await createDatabase(name);
  await migrate({ kind: 'server', url });
  await withClient(url, (client) => seeded((text, values) => client.query(text, values), formulas));
  return { place: { DATABASE_URL: url }, drop };
}

async function preparedDirectory(formulas) {
  const kept = join(tmpdir(), `formula-growth-embedded-${formulas}`);
  const dataDir = mkdtempSync(join(tmpdir(), 'formula-growth-'));
  const prepared = {
    place: { DATABASE_URL: '', DATA_DIR: dataDir },
    drop: () => rmSync(dataDir, { recursive: true }),
  };
  if (keep && existsSync(kept)) {
    cpSync(kept, dataDir, { recursive: true });
    return prepared;
  }
  const { EmbeddedPostgres } = createRequire(import.meta.url)(
    '../../dist/platform/database/embedded/embedded-postgres.js',
  );
  await migrate({ kind: 'directory', dataDir });
  const postgres = await EmbeddedPostgres.open({ dataDir });
  const client = new postgres.driver.Client();
  await client.connect();
  await seeded((text, values) => client.query(text, values), formulas);
  await client.end();
  await postgres.close();
  if (keep) cpSync(dataDir, kept, { recursive: true });
  return prepared;
}

/** One client, one connection. @returns (asked) => { status, body, ms } */
function clientOf(port) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = ({ method, path, body }, token) =>
    new Promise((done, failed) => {
      const started = performance.now();
      const headers = {
        'Content-Type': 'application/json',
        ...(token && { Authorization: `Bearer ${token}` }),
      };
      const sent = httpRequest({ port, host: '127.0.0.1', method, path, agent, headers }, (response) => {
        const chunks = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          done({
            ms: performance.now() - started,
            status: response.statusCode,
            body: JSON.parse(Buffer.concat(chunks).toString()),
          }),
        );
      });
      sent.on('error', failed);
      sent.end(body && JSON.stringify(body));
    });
  return { ask, close: () => agent.destroy() };
}

async function startAt(formulas, index) {
  const { place, drop } = await (embedded ? preparedDirectory : preparedServer)(formulas);
  const quiet = { THROTTLE_LIMIT: '1000000000', CLIENT_CONCURRENCY: '64', LOG_LEVEL: 'error' };
  const variables = { JWT_SECRET, NODE_ENV: 'production', ...quiet, ...place };
  const service = await startServer('service', '../../dist/main.js', variables, 3990 + index);
  const client = clientOf(service.port);
  const login = {
    method: 'POST',
    path: '/api/auth/login',
    body: { username: USER.username, password: USER.password },
  };
  const { body } = await client.ask(login);
  const { token } = body.data;
  const page = await client.ask({ method: 'GET', path: '/api/ingredients?limit=100' }, token);
  const known = {
    formulas,
    words: wordsOf(names),
    made: [],
    ingredientIds: page.body.data.map(({ id }) => id),
  };
  const ask = async (operation, number) => {
    const answer = await client.ask(operation.request(number, known), token);
    if (answer.status >= 300) throw new Error(`${operation.title}: ${JSON.stringify(answer)}`);
    if (answer.status === 201) known.made.push(answer.body.data.id);
    return answer.ms;
  };
  const stop = async () => {
    client.close();
    await service.stop();
    await drop();
  };
  return { ask, stop };
}

async function measured(operation, places) {
  const taken = places.map(() => []);
  // Nothing that was asked for is asked for again.
  let number = 0;
  for (let round = 0; round < rounds; round++) {
    for (const [index, place] of places.entries()) {
      const turn = [];
      for (let n = 0; n < 2 * requests; n++) turn.push(await place.ask(operation, number + n));
      taken[index].push(...turn.slice(requests));
    }
    number += 2 * requests;
  }
  return taken.map(median);
}

const aimed = (value, aim) => (aim === undefined ? '' : ` (${value <= aim ? '≤' : 'not ≤'} ${aim})`);

/** The growth that `aims` bound, as a multiple of the first size. */
const AIMED_AT = [100];

function report(rows) {
  const larger = sizes.slice(1).map((size) => size / sizes[0]);
  const heads = [...sizes.map((size) => size.toLocaleString('en')), ...larger.map((times) => `× ${times}`)];
  return [
    `${circumstances()}. Milliseconds of one client over HTTP, medians of ${rounds} rounds of ${requests} requests, by turns at ` +
      `each size; growth from ${sizes[0].toLocaleString('en')} formulas, and what it may be at most.`,
    '',
    `| operation | ${heads.join(' | ')} |`,
    `|---|${heads.map(() => '---|').join('')}`,
    ...rows.map(({ operation: { title, aims = [] }, medians }) => {
      const growth = medians.slice(1).map((ms) => ms / medians[0]);
      const cells = [
        ...medians.map((ms) => ms.toFixed(1)),
        ...growth.map(
          (times, at) => `${times.toFixed(2)}${aimed(times, aims[AIMED_AT.indexOf(larger[at])])}`,
        ),
      ];
      return `| ${title} | ${cells.join(' | ')} |`;
    }),
  ].join('\n');
}

const places = [];
for (const [index, size] of sizes.entries()) places.push(await startAt(size, index));
const rows = [];
for (const [name, operation] of Object.entries(operations)) {
  if (only && !only.includes(name)) continue;
  const medians = await measured(operation, places);
  rows.push({ operation, medians });
  log(`${operation.title}: ${medians.map((ms) => ms.toFixed(1)).join(', ')}`);
}
for (const place of places) await place.stop();
const title = `Growth, ${embedded ? 'embedded database' : 'PostgreSQL'}`;
process.stdout.write(`### ${title}\n\n${report(rows)}\n`);
if (process.argv.includes('--write')) writeSection(title, report(rows));
