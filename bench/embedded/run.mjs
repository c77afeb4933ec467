/*
 * The embedded database by itself, through its pool: small answers, many at once, a large one, transactions,
 * starts.
 *
 *   node bench/embedded/run.mjs [--against <directory of another build's database/embedded>] [--rounds 15]
 *
 * Every task runs in turns with the other build's, so that a slow moment of the machine meets both; the ratio
 * is the median of the rounds' ratios, above 1 when this build is faster.
 */
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuilt, root } from '../../scripts/built.mjs';

const { values: options } = parseArgs({
  options: { against: { type: 'string' }, rounds: { type: 'string', default: '15' } },
});
const require = createRequire(import.meta.url);
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const times = (count, work) => Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const TASKS = {
  'ping, one client, 200': async ({ pool }) => {
    for (let index = 0; index < 200; index += 1) await pool.query('select 1 as one');
  },
  'prepared read, 16 at once, 400': ({ pool }) =>
    times(16, async (reader) => {
      for (let index = 0; index < 25; index += 1) {
        await pool.query({
          name: 'read',
          text: 'select * from items where id = $1',
          values: [reader * 25 + index],
        });
      }
    }),
  'JSON of 2 MB, 5': async ({ pool }) => {
    for (let index = 0; index < 5; index += 1) await pool.query('select document from documents');
  },
  '5 000 rows, 5': async ({ pool }) => {
    for (let index = 0; index < 5; index += 1) await pool.query('select * from items');
  },
  'transaction of 10 inserts, 4 at once, 20': ({ pool }) =>
    times(4, async () => {
      for (let index = 0; index < 5; index += 1) {
        const client = await pool.connect();
        await client.query('begin');
        for (let row = 0; row < 10; row += 1) {
          await client.query('insert into written (name, amount) values ($1, $2)', ['glycerol', row]);
        }
        await client.query('commit');
        client.release();
      }
    }),
  'start in memory, 1': async ({ EmbeddedPostgres }) => (await EmbeddedPostgres.open()).close(),
};

const TABLES = `
  create table items as select i as id, 'item ' || i as name, i * 1.5 as amount, now() as at
    from generate_series(0, 4999) as i;
  create unique index on items (id);
  create table documents as select jsonb_agg(jsonb_build_object('id', i, 'name', repeat('name', 10))) as document
    from generate_series(1, 30000) as i;
  create table written (id bigserial primary key, name text, amount numeric)`;

async function open(directory) {
  const { EmbeddedPostgres } = require(join(directory, 'embedded-postgres.js'));
  const embedded = await EmbeddedPostgres.open();
  const pool = new embedded.driver.Pool({ max: 4 });
  await pool.query(TABLES);
  return { EmbeddedPostgres, embedded, pool };
}

async function msOf(work, place) {
  const started = performance.now();
  await work(place);
  return performance.now() - started;
}

ensureBuilt();
const own = await open(join(root, 'dist', 'database', 'embedded'));
const other = options.against ? await open(resolve(options.against)) : undefined;
for (const [name, work] of Object.entries(TASKS)) {
  const rounds = [];
  for (let round = 0; round <= Number(options.rounds); round += 1) {
    const theirs = other && round % 2 ? await msOf(work, other) : undefined;
    const ours = await msOf(work, own);
    rounds.push({ ours, theirs: theirs ?? (other && (await msOf(work, other))) });
  }
  rounds.shift();
  const ratio = other ? median(rounds.map(({ ours, theirs }) => theirs / ours)).toFixed(2) : '';
  const ms = median(rounds.map(({ ours }) => ours)).toFixed(1);
  console.log(`${name.padEnd(42)} ${ms.padStart(9)} ms ${ratio.padStart(7)}`);
}
for (const place of [own, other]) {
  await place?.pool.end();
  await place?.embedded.close();
}
