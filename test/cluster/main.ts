/*
 * npm run cluster [-- --instances 3] [-- --port 8080]
 *
 * The topology of docker/compose.yaml without containers, on this machine only, until Ctrl-C; nothing of it
 * is kept. Settings of the service in the environment are for the instances.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Cluster, missingPrograms } from './cluster';

const ROOT = join(__dirname, '..', '..');

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { instances: { type: 'string', default: '3' }, port: { type: 'string' } },
  });
  const missing = missingPrograms();
  if (missing.length > 0) throw new Error(`Not installed here: ${missing.join(', ')}`);
  const stopped = new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, resolve);
  });
  const cluster = await Cluster.start({
    instances: Number(values.instances),
    build: ROOT,
    settings: process.env,
    port: values.port === undefined ? undefined : Number(values.port),
  });
  try {
    const { primary, standby, redis, instances, url, databaseUrl } = cluster;
    const servers = [primary, standby].map(({ server }) => server.url('formula', 'formula'));
    console.log(`PostgreSQL  ${servers[0]}, its standby ${servers[1]}
HAProxy     ${databaseUrl}, by way of PgBouncer
Redis       ${redis.url}
instances   ${instances.map((instance) => `${instance.url}/api`).join(', ')}
nginx       ${url}/api
Ctrl-C ends all of it.`);
    await stopped;
  } finally {
    await cluster.close();
  }
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
