/*
 * npm run bench:faults: what each fault does to the service, and how long it takes to be well again. Faults
 * are made on a PostgreSQL of its own, a PgBouncer, a cable that swallows, processes that are killed and
 * stopped, and damaged directories. With --write the table replaces its predecessor in bench/RESULTS.md.
 *
 *   BENCH_EMBEDDED=1  on the embedded database instead of PostgreSQL
 *   BENCH_BEFORE  another build's directory (its dist): what happened there is shown beside it
 *   BENCH_ONLY    faults by parts of their names, comma-separated
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withClient } from '../speed/databases.mjs';
import { circumstances, writeSection } from '../speed/report.mjs';
import { embeddedFaults } from './embedded-faults.mjs';
import { PostgresServer } from './programs.mjs';
import { serverFaults } from './server-faults.mjs';
import { Service } from './service.mjs';

const require = createRequire(import.meta.url);
const before = process.env.BENCH_BEFORE && resolve(process.env.BENCH_BEFORE);
const now = fileURLToPath(new URL('../../dist', import.meta.url));
const embedded = process.env.BENCH_EMBEDDED === '1';
const only = process.env.BENCH_ONLY?.split(',');

const log = (text) => process.stderr.write(`${text}\n`);

/** What one fault is given, and what it leaves to be cleaned up. */
class Bench {
  services = [];
  kept = [];

  constructor(dist) {
    this.dist = dist;
  }

  async start(settings) {
    const service = await Service.start(this.dist, { ...this.settings, ...settings });
    this.services.push(service);
    return service;
  }

  async keep(starting) {
    const kept = await starting;
    this.kept.push(kept);
    return kept;
  }

  async end() {
    for (const service of this.services.splice(0)) await service.kill();
    for (const kept of this.kept.splice(0)) await kept.close();
  }
}

/** A new, empty database. @returns its name */
async function createDatabase(cluster) {
  const name = `faults_${Date.now().toString(36)}`;
  await cluster.query(
    `CREATE DATABASE ${name} ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0`,
  );
  return name;
}

class ServerBench extends Bench {
  static async create(dist, cluster) {
    const bench = new ServerBench(dist);
    bench.cluster = cluster;
    bench.database = await createDatabase(cluster);
    bench.url = cluster.url(bench.database);
    bench.settings = { DATABASE_URL: bench.url };
    return bench;
  }

  query(text) {
    return this.cluster.query(text, this.database);
  }

  /** A setting of the whole server, for the sessions that are open, too. */
  async alterSystem(change) {
    await this.query(`ALTER SYSTEM ${change}`);
    await this.query('SELECT pg_reload_conf()');
  }

  /** The service's connections, as the server knows them. */
  async sessions() {
    return this.cluster.query(
      `SELECT pid FROM pg_stat_activity WHERE datname = '${this.database}' AND application_name <> ''`,
    );
  }

  endSessions() {
    return withClient(this.cluster.url(), (client) =>
      client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${this.database}'`,
      ),
    );
  }
}

class EmbeddedBench extends Bench {
  constructor(dist) {
    super(dist);
    this.home = mkdtempSync(join(tmpdir(), 'formula-faults-'));
    this.directory = join(this.home, 'data');
    this.settings = { DATA_DIR: this.directory };
  }

  /** A statement on the directory while no service has it. */
  async embedded(text) {
    const { EmbeddedPostgres } = require(join(this.dist, 'database', 'embedded', 'embedded-postgres.js'));
    const postgres = await EmbeddedPostgres.open({ dataDir: this.directory });
    const client = new postgres.driver.Client();
    await client.connect();
    await client.query(text);
    await client.end();
    await postgres.close();
  }

  async end() {
    await super.end();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}

async function observe(fault, bench) {
  try {
    const { text, recoveryMs, holds } = await fault(bench);
    return { text, recoveryMs, holds };
  } catch (error) {
    log(bench.services.map(({ output }) => output).join('\n'));
    return { text: `the measurement failed: ${error.message}`, holds: false };
  } finally {
    await bench.end();
  }
}

async function measure(faults, open) {
  const rows = [];
  for (const [name, fault] of Object.entries(faults)) {
    if (only && !only.some((part) => name.includes(part))) continue;
    const row = { name };
    if (before) row.before = await observe(fault, await open(before));
    row.after = await observe(fault, await open(now));
    log(JSON.stringify(row));
    rows.push(row);
  }
  return rows;
}

const recovery = ({ recoveryMs } = {}) => {
  if (recoveryMs === undefined) return '';
  return Number.isFinite(recoveryMs) ? (recoveryMs / 1000).toFixed(1) : 'never';
};
/** Nothing in a cell may end it, or name a directory of this machine. */
const cell = (text) => text.replaceAll('|', '\\|').replaceAll(/\/\S*formula-faults-[^/\s]*/g, '…');

function table(rows) {
  const compared = before !== undefined;
  const head = [
    'fault',
    ...(compared ? ['before', 's to recover'] : []),
    compared ? 'after' : 'what happens',
    's to recover',
    'holds',
  ];
  return [
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---|').join('')}`,
    ...rows.map((row) => {
      const cells = [row.name, ...(compared ? [cell(row.before.text), recovery(row.before)] : [])];
      return `| ${[...cells, cell(row.after.text), recovery(row.after), row.after.holds ? 'yes' : '**no**'].join(' | ')} |`;
    }),
  ];
}

async function onServer() {
  const cluster = await PostgresServer.create();
  try {
    return await measure(serverFaults, (dist) => ServerBench.create(dist, cluster));
  } finally {
    await cluster.close();
  }
}

const rows = await (embedded ? measure(embeddedFaults, (dist) => new EmbeddedBench(dist)) : onServer());
const held = rows.filter(({ after }) => after.holds).length;
const text = [
  `${circumstances()}; default settings, rate limit raised. ${held} of ${rows.length} hold.`,
  '',
  ...table(rows),
].join('\n');
const title = `Faults, ${embedded ? 'embedded database' : 'PostgreSQL'}`;
process.stdout.write(`## ${title}\n\n${text}\n`);
if (process.argv.includes('--write')) writeSection(title, text);
