import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { migratedTemplateFile } from '../../src/platform/database/migrated-template';
import { openDataSource } from '../../src/platform/database/open-data-source';

/**
 * A PostgreSQL server where databases may be created, for running the same tests on it. Without it tests run
 * on the embedded database.
 */
export const TEST_SERVER = process.env.TEST_DATABASE_URL;

/** Runs statements on a connection of its own. */
export async function onServer(server: string, ...statements: string[]): Promise<void> {
  const client = new Client(server);
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  url: string;
  name: string;
  drop(): Promise<void>;
}

function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.toString();
}

/**
 * A new database on the server, to be dropped by the caller.
 * @param options what it is made from, as CREATE DATABASE takes it: an empty one of our encoding unless given
 */
export async function createTestDatabase(
  server: string,
  options = `TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C'`,
): Promise<TestDatabase> {
  const name = `formula_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name} ${options}`);
  return {
    url: addressOf(server, name),
    name,
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
}

/** Any number that no other user of advisory locks in the server's own database has. */
const TEMPLATE_LOCK = 7_305_802_114;

/** A new database that has our migrations already: a copy of one that is made once for each state of them. */
export async function createMigratedDatabase(server: string): Promise<TestDatabase> {
  const [, state] = /migrated-(\w+)/.exec(migratedTemplateFile())!;
  const template = `formula_template_${state}`;
  const client = new Client(server);
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [template]);
    if (rowCount === 0) {
      const made = await createTestDatabase(server);
      const silent = () => undefined;
      const location = { kind: 'server', url: made.url } as const;
      const dataSource = await openDataSource({ location, poolSize: 1, log: silent, warn: silent });
      await dataSource.destroy();
      // Under its own name only when it is complete.
      await client.query(`ALTER DATABASE ${new URL(made.url).pathname.slice(1)} RENAME TO ${template}`);
    }
  } finally {
    await client.end();
  }
  return createTestDatabase(server, `TEMPLATE ${template}`);
}

/**
 * Takes the database away from under a running application: the server lets nobody in any more, or the
 * embedded database has ended. What is left of it goes when the application closes.
 */
export async function loseDatabase(dataSource: DataSource): Promise<void> {
  const { embedded } = dataSource as unknown as { embedded?: { close(): Promise<void> } };
  if (embedded) return embedded.close();
  const [row] = await dataSource.query<{ name: string }[]>('SELECT current_database() AS name');
  const name = row!.name;
  await onServer(TEST_SERVER!, `ALTER DATABASE ${name} ALLOW_CONNECTIONS false`);
  await onServer(
    TEST_SERVER!,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${name}'`,
  );
}
