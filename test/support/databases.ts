import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import type { DataSource } from 'typeorm';

/**
 * A PostgreSQL server where databases may be created, for running the same tests on it. Without it tests run
 * on the embedded database.
 */
export const TEST_SERVER = process.env.TEST_DATABASE_URL;

/** Runs a statement on a connection of its own. */
export async function onServer(server: string, statement: string): Promise<void> {
  const client = new Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  url: string;
  name: string;
  drop(): Promise<void>;
}

/**
 * A new empty database on the server, to be dropped by the caller.
 * @param options encoding and locale, as CREATE DATABASE takes them
 */
export async function createTestDatabase(
  server: string,
  options = `ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C'`,
): Promise<TestDatabase> {
  const name = `formula_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(server, `CREATE DATABASE ${name} ${options} TEMPLATE template0`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return {
    url: url.toString(),
    name,
    drop: () => onServer(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`),
  };
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
