/*
 * npm run bench:instances: requests a second of three instances and of one of them, and what of the processor
 * they use for each, by turns, each behind an nginx of its own, on one PostgreSQL with a synchronous standby,
 * PgBouncer and Redis (the topology of `npm run cluster`). All of it and the load share this machine. With
 * --write the table replaces its predecessor.
 *
 *   BENCH_ROUNDS  interleaved rounds (3)      BENCH_SECONDS  of each (3)
 */
import { createRequire } from 'node:module';
import { ensureBuilt, root } from '../../scripts/built.mjs';

process.env.BENCH_SCALE ??= 'small';
const { withClient } = await import('../speed/databases.mjs');
const { USER } = await import('../speed/data.mjs');
const { cpuOf, startLoad } = await import('../speed/processes.mjs');
const { circumstances, writeSection } = await import('../speed/report.mjs');
const { scenarios } = await import('../speed/scenarios.mjs');
const { seed } = await import('../speed/seed.mjs');

const require = createRequire(import.meta.url);
require('../../scripts/typescript.cjs');
const { Cluster } = require('../../test/cluster/cluster.ts');
const { startOurNginx } = require('../../test/support/nginx.ts');

const MEASURED = [
  'health',
  'me',
  'formula',
  'formulas',
  'searchFormulas',
  'createFormula',
  'revise',
  'login',
];
const CONNECTIONS = 16;
/** Over all instances ten logins of one account from one address are looked at at once. */
const LOGIN_CONNECTIONS = 8;
const rounds = Number(process.env.BENCH_ROUNDS ?? 3);
const seconds = Number(process.env.BENCH_SECONDS ?? 3);

const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

/** A token of the seeded user. */
async function signIn(url) {
  const { username, password } = USER;
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password }),
  });
  return (await answer.json()).data.token;
}

/** Requests a second, and milliseconds of the processor that the instances have used for each. */
async function measure(cluster, single) {
  const token = await signIn(cluster.url);
  const load = startLoad();
  const rows = [];
  const cpu = () => cluster.instances.reduce((sum, { pid }) => sum + cpuOf(pid), 0);
  let from = 0;
  const run = async (port, scenario) => {
    const before = cpu();
    const connections = scenario === 'login' ? LOGIN_CONNECTIONS : CONNECTIONS;
    const result = await load.run({ port, scenario, token, connections, seconds, from });
    from += 1_000_000;
    const wrong = Object.keys(result.statuses).filter((status) => +status !== scenarios[scenario].status);
    if (wrong.length > 0) throw new Error(`${scenario}: ${JSON.stringify(result.statuses)}`);
    return { perSecond: result.perSecond, ms: (cpu() - before) / result.requests };
  };
  const of = (runs, what) => median(runs.map((each) => each[what]));
  try {
    for (const scenario of MEASURED) {
      const [ones, threes] = [[], []];
      await run(single.port, scenario);
      await run(cluster.nginx.port, scenario);
      for (let round = 0; round < rounds; round += 1) {
        ones.push(await run(single.port, scenario));
        threes.push(await run(cluster.nginx.port, scenario));
      }
      const [one, three] = [of(ones, 'perSecond'), of(threes, 'perSecond')];
      rows.push([
        scenarios[scenario].title,
        one.toFixed(0),
        three.toFixed(0),
        `**${(three / one).toFixed(2)}**`,
        of(ones, 'ms').toFixed(2),
        of(threes, 'ms').toFixed(2),
      ]);
      process.stderr.write(`${rows.at(-1).join('  ')}\n`);
    }
  } finally {
    load.stop();
  }
  return rows;
}

ensureBuilt();
const cluster = await Cluster.start({
  instances: 3,
  build: root,
  settings: { THROTTLE_LIMIT: '1000000000', CLIENT_CONCURRENCY: '64', LOG_LEVEL: 'warn' },
});
let rows;
try {
  await withClient(cluster.primary.server.url('formula'), (client) =>
    seed((text, values) => client.query(text, values)),
  );
  const single = await startOurNginx([cluster.instances[0].port]);
  try {
    rows = await measure(cluster, single);
  } finally {
    await single.close();
  }
} finally {
  await cluster.close();
}
const table = [
  `${circumstances()}; ${CONNECTIONS} connections (logins: ${LOGIN_CONNECTIONS}), ${rounds} interleaved rounds of ${seconds} s, medians of requests a second. nginx, ` +
    'the instances, PgBouncer, PostgreSQL, its standby, Redis and the load share the machine: what three can do on machines of their own it does not show. ' +
    'CPU is what the instances use for a request, in ms.',
  '',
  '| endpoint | 1 instance | 3 instances | ratio | CPU of 1 | CPU of 3 |',
  '|---|---|---|---|---|---|',
  ...rows.map((row) => `| ${row.join(' | ')} |`),
].join('\n');
console.log(table);
if (process.argv.includes('--write'))
  writeSection('Three instances against one (`npm run bench:instances`)', table);
