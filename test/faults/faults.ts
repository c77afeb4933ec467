import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { type Cluster } from '../cluster/cluster';
import type { Workload } from './workload';

/** What a fault is made on. */
export interface Scene {
  readonly cluster: Cluster;
  readonly workload: Workload;
  /** How often this fault was made before. */
  readonly round: number;
}

/**
 * Does something to the service; resolves when what it depends on is back.
 * @returns what is left to be done when all is well again
 */
type Fault = (scene: Scene) => Promise<void | (() => Promise<void>)>;

/** How long something is away, in milliseconds. */
const AWAY_MS = 1500;
const LONG_AWAY_MS = 3000;
/** Longer than a request waits for a lock by default (`DATABASE_LOCK_TIMEOUT`). */
const LOCKED_SECONDS = 4;
/** Requests at once of each account while the tables are locked: more than there are connections. */
const BURST = 40;
/** Of waiting for a transaction to be under way. */
const PATIENCE_MS = 10_000;

const TABLES = 'users, ingredients, projects, formulas, color_formulas';

/** The cable to the database, at a moment when a transaction is under way on it. */
async function cableInTransaction({ cluster }: Scene) {
  const { cable } = cluster.primary;
  if (!cable) throw new Error('The cluster has no cables');
  const isLate = Symbol('late');
  const first = await Promise.race([cable.writing(), pause(PATIENCE_MS, isLate, { ref: false })]);
  if (first === isLate) throw new Error('No transaction came by');
  return cable;
}

async function lockTables({ cluster }: Scene): Promise<void> {
  const client = new Client(cluster.primary.server.url('formula'));
  await client.connect();
  try {
    while (!(await locksTables(client))) await client.query('ROLLBACK');
    await client.query(`SELECT pg_sleep(${LOCKED_SECONDS}); COMMIT`);
  } finally {
    await client.end();
  }
}

/** False where somebody had one of them and waited for another: this transaction is the one to give way. */
async function locksTables(client: Client): Promise<boolean> {
  try {
    await client.query(`BEGIN; LOCK TABLE ${TABLES}`);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === '40P01') return false;
    throw error;
  }
}

/** Faults that leave the instances' processes alone, by name. */
export const STEADY_FAULTS: Readonly<Record<string, Fault>> = {
  'PostgreSQL restarted': async ({ cluster }) => {
    const { server } = cluster.primary;
    await server.stop();
    await server.start();
  },
  'PostgreSQL killed': async ({ cluster }) => {
    const { server } = cluster.primary;
    await server.kill();
    await pause(AWAY_MS);
    await server.start();
  },
  'Redis restarted': async ({ cluster }) => {
    await cluster.redis.stop();
    await cluster.redis.start();
  },
  'Redis gone for 3 s': async ({ cluster }) => {
    await cluster.redis.stop();
    await pause(LONG_AWAY_MS);
    await cluster.redis.start();
  },
  'PgBouncer restarted': async ({ cluster }) => {
    await cluster.primary.bouncer.restart();
  },
  'connections cut in mid-transaction': async (scene) => {
    const cable = await cableInTransaction(scene);
    // Before, while or after it is done.
    await pause(2 * scene.round);
    cable.sever();
  },
  'connections frozen in mid-transaction for 3 s': async (scene) => {
    const cable = await cableInTransaction(scene);
    cable.freeze();
    await pause(LONG_AWAY_MS);
    cable.thaw();
  },
  'pool exhausted: every table locked for 4 s': async (scene) => {
    const locked = lockTables(scene);
    await pause(200);
    await Promise.all([locked, scene.workload.burst('/projects', BURST)]);
  },
  'clock stepped an hour ahead, to 50 s behind, to the truth': async ({ cluster }) => {
    for (let step = 0; step < 3; step += 1) {
      for (const instance of cluster.instances) instance.signal('SIGUSR2');
      await pause(AWAY_MS / 2);
    }
  },
};

/** All of them. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  'instances restarted one after the other': async ({ cluster }) => {
    for (const instance of cluster.instances) {
      await instance.stop();
      await instance.start();
    }
  },
  'an instance killed': async ({ cluster, round }) => {
    const instance = cluster.instances[round % cluster.instances.length]!;
    await instance.kill();
    await pause(AWAY_MS);
    await instance.start();
  },
  'replica promoted': async ({ cluster }) => {
    await cluster.failOver();
    return () => cluster.attachStandby();
  },
  ...STEADY_FAULTS,
};
