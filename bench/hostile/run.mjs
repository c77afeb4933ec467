/*
 * npm run bench:hostile: what one rude client costs another. For each attack the service is started anew; a
 * user in a process of their own asks `/api/auth/me` and for a formula ten times a second, before, during and
 * after ten seconds of it. With --write the table replaces its predecessor in bench/RESULTS.md.
 *
 *   BENCH_EMBEDDED=1    on the embedded database (1 000 formulas) instead of PostgreSQL (20 000)
 *   BENCH_DEFAULT_LIMIT=1  at the rate limit that the service has by default
 *   BENCH_ONLY          attacks by parts of their names, comma-separated
 *   BENCH_SECONDS       length of an attack (10)
 *   BENCH_DIST          another build's directory (dist)
 *   BENCH_KEEP=1        keeps and reuses the seeded database
 */
import { fork } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sizes } from '../speed/data.mjs';
import {
  createDatabase,
  databaseExists,
  databaseUrl,
  dropDatabase,
  withClient,
} from '../speed/databases.mjs';
import { memoryOf, startServer } from '../speed/processes.mjs';
import { circumstances, writeSection } from '../speed/report.mjs';
import { migrate, seed } from '../speed/seed.mjs';
import { attacks } from './attacks.mjs';
import { formulaOf } from './formula-of.mjs';

const embedded = process.env.BENCH_EMBEDDED === '1';
const defaultLimit = process.env.BENCH_DEFAULT_LIMIT === '1';
const only = process.env.BENCH_ONLY?.split(',');
const seconds = Number(process.env.BENCH_SECONDS ?? 10);
const keep = process.env.BENCH_KEEP === '1';
const dist = process.env.BENCH_DIST ?? '../../dist';

/** To hold: see docs/speed.md. */
const P99_FACTOR = 10;
const P99_MS = 250;
const P99_MS_EMBEDDED_CREATIONS = 400;
const MEMORY_MB = embedded ? 750 : 600;
const LARGEST_ERROR = 64 * 1024;
const RECOVERY_MS = 5000;
/** At the default limit, 20 requests a second take several users, each from an address of their own. */
const USERS = 16;

const log = (text) => process.stderr.write(`${text}\n`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const text = (ms) => (ms >= 1000 ? `${(ms / 1000).toFixed(1)} s` : `${ms.toFixed(0)} ms`);

sizes.formulas = embedded ? 1000 : 20_000;
sizes.colors = 5000;
const TEMPLATE = 'formula_hostile_template';
const DATABASE = 'formula_hostile';

/** Descriptions as long as they may be, of words that are all different: what a search has most work with. */
const LONG_DESCRIPTIONS = `
  UPDATE formulas SET description = left((SELECT string_agg(substr(md5(formulas.id::text || n), 1, 4 + n % 9), ' ')
    FROM generate_series(1, 240) AS n), 2000)`;

async function fill(query) {
  await seed(query);
  await query(LONG_DESCRIPTIONS);
  await query('VACUUM ANALYZE formulas');
}

async function seedDirectory(dataDir) {
  const { EmbeddedPostgres } = await import('../../dist/platform/database/embedded/embedded-postgres.js');
  await migrate({ kind: 'directory', dataDir });
  const postgres = await EmbeddedPostgres.open({ dataDir });
  const client = new postgres.driver.Client();
  await client.connect();
  await fill((sql, values) => client.query(sql, values));
  await client.end();
  await postgres.close();
}

/** Seeds once. @returns what makes a fresh copy of it: settings of the service, and how to take it away */
async function prepare() {
  if (!embedded) {
    if (!keep || !(await databaseExists(TEMPLATE))) {
      const url = await createDatabase(TEMPLATE);
      await migrate({ kind: 'server', url });
      await withClient(url, (client) => fill((sql, values) => client.query(sql, values)));
    }
    const copy = async () => {
      await dropDatabase(DATABASE);
      await withClient(databaseUrl('postgres'), (client) =>
        client.query(`CREATE DATABASE ${DATABASE} TEMPLATE ${TEMPLATE}`),
      );
      return { DATABASE_URL: databaseUrl(DATABASE) };
    };
    const remove = async () => {
      await dropDatabase(DATABASE);
      if (!keep) await dropDatabase(TEMPLATE);
    };
    return { copy, remove };
  }
  const home = mkdtempSync(join(tmpdir(), 'formula-hostile-'));
  const seeded = keep ? join(tmpdir(), 'formula-hostile-seeded') : join(home, 'seeded');
  if (!existsSync(seeded)) await seedDirectory(seeded);
  let copies = 0;
  const copy = () => {
    const dataDir = join(home, String(copies++));
    cpSync(seeded, dataDir, { recursive: true });
    return { DATA_DIR: dataDir, DATABASE_URL: '' };
  };
  return { copy, remove: () => rmSync(home, { recursive: true, force: true }) };
}

function child(file) {
  const process = fork(fileURLToPath(new URL(file, import.meta.url)));
  const run = (job) =>
    new Promise((resolve, reject) => {
      process.once('message', ({ result, error }) => (error ? reject(new Error(error)) : resolve(result)));
      process.send(job);
    });
  return { run, stop: () => process.kill() };
}

async function call(port, path, { token, body } = {}) {
  const response = await fetch(`http://127.0.0.1:${port}/api${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) },
    body: body && JSON.stringify(body),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(answer).slice(0, 200)}`);
  return answer.data;
}

/** Accounts of both sides, and what the attacks need to name. */
async function settle(port) {
  const register = (username) => call(port, '/auth/register', { body: { username, password: 'secret' } });
  const users = [];
  for (let n = 0; n < (defaultLimit ? USERS : 1); n += 1) {
    const { token } = await register(`probe-${n}`);
    users.push({ token, address: `127.0.1.${n + 1}` });
  }
  const { token } = await register('hostile');
  const items = await call(port, '/ingredients?limit=100', { token });
  const formulas = await call(port, '/formulas?limit=1', { token });
  const ingredients = items.map(({ id }) => id);
  const create = (lines) => call(port, '/formulas', { token, body: formulaOf(lines, ingredients) });
  // A build without the bound of 1 000 lines takes as many as fit into a body.
  const most = await create(8000).then(
    ({ id }) => ({ id, lines: 8000 }),
    async () => ({ id: (await create(1000)).id, lines: 1000 }),
  );
  return {
    probe: { port, users, formulaId: formulas[0].id },
    attacker: {
      port,
      token,
      address: '127.0.2.1',
      ids: { ingredients, largest: most.id, mostLines: most.lines },
    },
  };
}

async function measure(name, database) {
  const port = 20_000 + Math.floor(Math.random() * 10_000);
  const service = await startServer(
    'service',
    `${dist}/main.js`.replace(/^\.\.\//, '../'),
    {
      ...(await database.copy()),
      JWT_SECRET: 'bench-secret-of-no-consequence-32-bytes',
      LOG_LEVEL: 'fatal',
      ...(!defaultLimit && { THROTTLE_LIMIT: '10000000' }),
    },
    port,
  );
  const probe = child('probe.mjs');
  const attacker = child('attacks.mjs');
  try {
    const sides = await settle(port);
    const idle = await probe.run({ ...sides.probe, seconds: 5 });
    let memory = 0;
    const watch = setInterval(() => (memory = Math.max(memory, memoryOf(service.pid))), 50);
    const underAttack = probe.run({ ...sides.probe, seconds });
    const attack = await attacker.run({ ...sides.attacker, attack: name, seconds });
    const during = await underAttack;
    await pause(RECOVERY_MS - 3000);
    const after = await probe.run({ ...sides.probe, seconds: 3 });
    clearInterval(watch);
    const bound = embedded && name.startsWith('200 creations') ? P99_MS_EMBEDDED_CREATIONS : P99_MS;
    const allowed = Math.max(P99_FACTOR * idle.p99, bound);
    const holds =
      during.bad === 0 &&
      during.p99 <= allowed &&
      during.newP99 <= allowed &&
      memory <= MEMORY_MB &&
      attack.largestError <= LARGEST_ERROR &&
      after.bad === 0 &&
      after.p99 <= allowed;
    log(`${name}: ${JSON.stringify({ idle, during, after, memory, attack, holds })}`);
    return { name, idle, during, after, memory, attack, holds };
  } finally {
    probe.stop();
    attacker.stop();
    await Promise.race([service.stop(), pause(15_000)]);
    try {
      process.kill(service.pid, 'SIGKILL');
    } catch {
      // It has ended by itself, as it should.
    }
  }
}

function report(rows) {
  return [
    `${circumstances()}; ${embedded ? '1,000' : '20,000'} formulas, ${seconds} s each, ` +
      `${defaultLimit ? 'at the default rate limit' : 'rate limit raised'}. ${rows.filter(({ holds }) => holds).length} of ${rows.length} hold.`,
    '',
    '| attack | p50, p99 before | p50, p99 during | p99 of new connections | not 200 | p99 after | memory MB | largest error | its answers | holds |',
    '|---|---|---|---|---|---|---|---|---|---|',
    ...rows.map(({ name, idle, during, after, memory, attack, holds }) =>
      [
        '',
        name,
        `${text(idle.p50)}, ${text(idle.p99)}`,
        `${text(during.p50)}, ${text(during.p99)}`,
        text(during.newP99),
        `${during.bad} of ${during.asked}`,
        text(after.p99),
        memory.toFixed(0),
        attack.largestError,
        Object.entries(attack.answers)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', '),
        holds ? 'yes' : '**no**',
        '',
      ]
        .join(' | ')
        .trim(),
    ),
    '',
  ].join('\n');
}

const database = await prepare();
const rows = [];
try {
  for (const name of Object.keys(attacks)) {
    if (only && !only.some((part) => name.includes(part))) continue;
    rows.push(await measure(name, database));
  }
} finally {
  await database.remove();
}
const title = `Hostile clients, ${embedded ? 'embedded database' : 'PostgreSQL'}${defaultLimit ? ', default limit' : ''}`;
const table = report(rows);
process.stdout.write(`### ${title}\n\n${table}\n`);
if (process.argv.includes('--write')) writeSection(title, table);
