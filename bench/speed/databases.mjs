import pg from 'pg';

/** A PostgreSQL server on which databases may be created. */
const server = process.env.BENCH_DATABASE_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Runs work on a connection of its own. */
export async function withClient(url, work) {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Where a database of this name is, or would be. */
export function databaseUrl(name) {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.toString();
}

export const databaseExists = (name) =>
  withClient(server, async (client) => {
    const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name]);
    return found.rowCount > 0;
  });

export const dropDatabase = (name) =>
  withClient(server, (client) => client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`));

/** A new, empty database in place of whatever had the name. @returns its address */
export async function createDatabase(name) {
  await dropDatabase(name);
  await withClient(server, (client) =>
    client.query(
      `CREATE DATABASE ${name} ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0`,
    ),
  );
  return databaseUrl(name);
}
