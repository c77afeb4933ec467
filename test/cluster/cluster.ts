import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HAPROXY, type RunningHaproxy, startHaproxy } from '../support/haproxy';
import { NGINX, type RunningNginx, startOurNginx } from '../support/nginx';
import { PGBOUNCER, type RunningPgBouncer, startPgBouncer } from '../support/pgbouncer';
import { POSTGRES_PROGRAMS, PostgresServer } from '../support/postgres-server';
import { freePort } from '../support/programs';
import { REDIS, RunningRedis } from '../support/redis';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy';
import { Instance, type InstanceBuild } from './instance';

/** The role that owns the database and is no superuser, as in docker/create-role.sh; and the database. */
const OWNER = 'formula';

export interface ClusterOptions {
  readonly instances: number;
  /** A directory with a build (`dist`) and its packages. */
  readonly build: string;
  /** Of the instances, beside what the cluster says; they have no others. */
  readonly settings?: NodeJS.ProcessEnv;
  /** nginx listens here; else on a port that is free. */
  readonly port?: number;
  /** Whether there are cables that can be cut between the instances and what is before their database. */
  readonly hasCables?: boolean;
}

/** A PostgreSQL server with the PgBouncer in front of it. */
export interface DatabaseNode {
  readonly server: PostgresServer;
  readonly bouncer: RunningPgBouncer;
  readonly cable: TcpProxy | undefined;
}

/** Programs that a cluster takes and that are not installed here. */
export function missingPrograms(): string[] {
  const programs = {
    nginx: NGINX,
    PostgreSQL: POSTGRES_PROGRAMS,
    HAProxy: HAPROXY,
    PgBouncer: PGBOUNCER,
    Redis: REDIS,
  };
  return Object.entries(programs).flatMap(([name, found]) => (found ? [] : [name]));
}

/**
 * The topology of docker/compose.yaml without containers, all of it on this machine and of its own: instances
 * behind nginx, PostgreSQL with a synchronous standby, a PgBouncer before each of both and an HAProxy that
 * leads to the primary's, Redis.
 */
export class Cluster {
  primary!: DatabaseNode;
  standby!: DatabaseNode;
  haproxy!: RunningHaproxy;
  redis!: RunningRedis;
  nginx!: RunningNginx;
  readonly instances: Instance[] = [];
  private readonly cleanUps: (() => unknown)[] = [];

  private constructor(private readonly options: ClusterOptions) {}

  /** Resolves when all is ready; what has been started is ended where one does not start. */
  static async start(options: ClusterOptions): Promise<Cluster> {
    const cluster = new Cluster(options);
    try {
      await cluster.open();
      return cluster;
    } catch (error) {
      await cluster.close();
      throw error;
    }
  }

  /** Where clients ask. */
  get url(): string {
    return `http://127.0.0.1:${this.nginx.port}`;
  }

  /** The primary's, by way of HAProxy and PgBouncer. */
  get databaseUrl(): string {
    return `postgres://${OWNER}@127.0.0.1:${this.haproxy.port}/${OWNER}`;
  }

  /** How an instance of this or another build is run here. */
  instanceBuild(directory: string, settings: NodeJS.ProcessEnv = {}): InstanceBuild {
    return {
      directory,
      settings: {
        PATH: process.env.PATH,
        NODE_ENV: 'production',
        TRUST_PROXY: '1',
        DATABASE_URL: this.databaseUrl,
        REDIS_URL: this.redis.url,
        JWT_SECRET: this.secret,
        ...this.options.settings,
        ...settings,
      },
    };
  }

  /** The primary ends without a word, and the standby takes its place. */
  async failOver(): Promise<void> {
    await this.primary.server.kill();
    await this.standby.server.promote();
    [this.primary, this.standby] = [this.standby, this.primary];
  }

  /** The other server becomes the standby of the one that takes writes, which waits for it from then on. */
  async attachStandby(): Promise<void> {
    await this.standby.server.follow(this.primary.server);
    await this.waitForStandby();
  }

  /** Everything ends, in the order in which nobody misses anybody; nothing is kept. */
  async close(): Promise<void> {
    for (const cleanUp of this.cleanUps.splice(0).reverse()) await cleanUp();
  }

  private readonly secret = randomBytes(32).toString('hex');

  private async open(): Promise<void> {
    const { build, instances, port, hasCables = false } = this.options;
    this.redis = await RunningRedis.start('of-a-cluster');
    this.cleanUps.push(() => this.redis.stop());
    const server = await this.keep(PostgresServer.create());
    await server.query(`CREATE ROLE ${OWNER} LOGIN`);
    await server.query(`CREATE DATABASE ${OWNER} OWNER ${OWNER}`);
    const standby = await this.keep(server.createStandby());
    this.primary = await this.nodeOf(server, hasCables);
    this.standby = await this.nodeOf(standby, hasCables);
    await this.waitForStandby();
    const nodes = [this.primary, this.standby].map(({ server: node, bouncer, cable }) => ({
      server: node,
      port: Number(new URL((cable ?? bouncer).url).port),
    }));
    this.haproxy = await this.keep(startHaproxy(nodes));

    const home = mkdtempSync(join(tmpdir(), 'instances-'));
    this.cleanUps.push(() => rmSync(home, { recursive: true, force: true }));
    for (let number = 0; number < instances; number += 1) {
      this.instances.push(new Instance(await freePort(), home, this.instanceBuild(build)));
    }
    this.cleanUps.push(() => Promise.all(this.instances.map((instance) => instance.stop())));
    await allOf(this.instances.map((instance) => instance.start()));
    const ports = this.instances.map((instance) => instance.port);
    this.nginx = await this.keep(startOurNginx(ports, port));
  }

  private async keep<T extends { close(): unknown }>(starting: Promise<T>): Promise<T> {
    const kept = await starting;
    this.cleanUps.push(() => kept.close());
    return kept;
  }

  private async nodeOf(server: PostgresServer, hasCable: boolean): Promise<DatabaseNode> {
    const bouncer = await this.keep(startPgBouncer(server.url(OWNER, OWNER)));
    return {
      server,
      bouncer,
      cable: hasCable ? await this.keep(startTcpProxy(bouncer.url)) : undefined,
    };
  }

  /** What is acknowledged is on both servers: else a failover loses what the standby had not yet got. */
  private async waitForStandby(): Promise<void> {
    const { server } = this.primary;
    await server.query(`ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await server.query('SELECT pg_reload_conf()');
  }
}

/** Waits for all, then throws the first error. */
async function allOf(work: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(work)) {
    if (result.status === 'rejected') throw result.reason;
  }
}
