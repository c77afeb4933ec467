import { Client } from 'pg';
import type { DataSource } from 'typeorm';
import { DatabaseSetupError } from './database-setup-error';
import { adoptPreviewDatabase } from './preview-database';

type Log = (message: string) => void;

interface Notices {
  log: Log;
  warn: Log;
}

/** Contrib extension the schema needs; it is trusted, so a database's owner may create it. */
const REQUIRED_EXTENSION = 'pg_trgm';

/** Any number that no other user of advisory locks in this database has. */
const MIGRATION_LOCK = 7_305_802_113;

/** Lowest server version, as `server_version_num` gives it. */
const LOWEST_VERSION = 150_000;

/**
 * Brings an open database to the state this version of the service needs: checks the server, takes
 * over a database of the last preview, creates the required extension, runs the migrations that are missing.
 * @param lockUrl a server's address: instances that start together take turns under an advisory lock. The
 *   embedded database has one process and needs none.
 * @returns whether migrations were missing
 * @throws DatabaseSetupError naming what is missing or in the way
 */
export async function setUpDatabase(
  dataSource: DataSource,
  notices: Notices,
  lockUrl?: string,
): Promise<boolean> {
  const lock = lockUrl
    ? new Client({ connectionString: lockUrl, application_name: 'formula-migrations' })
    : undefined;
  // A lost lock connection shows in the next statement; as an event it must not end the process.
  lock?.on('error', () => undefined);
  try {
    await lock?.connect();
    await lock?.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await prepareDatabase(dataSource, notices);
    const missing = await dataSource.showMigrations();
    if (missing) {
      notices.log('Migrating the database');
      await dataSource.runMigrations();
    }
    return missing;
  } finally {
    await lock?.end().catch(() => undefined);
  }
}

/**
 * What must be so before the first migration runs: a server that fits, a database that is empty or ours, and
 * the required extension.
 * @throws DatabaseSetupError naming what is missing or in the way
 */
export async function prepareDatabase(dataSource: DataSource, { log, warn }: Notices): Promise<void> {
  await checkServer(dataSource, warn);
  if (await adoptPreviewDatabase(dataSource)) {
    log('This database of the last preview is now on the first schema of this version');
  }
  await createExtensions(dataSource);
}

async function checkServer(dataSource: DataSource, warn: Log): Promise<void> {
  const [server] = await dataSource.query<{ version: string; encoding: string; folds: boolean }[]>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
            lower('Ä') = 'ä' AS folds`,
  );
  if (!server) return;
  if (Number(server.version) < LOWEST_VERSION) {
    throw new DatabaseSetupError('PostgreSQL 15 or later is required');
  }
  if (server.encoding !== 'UTF8') {
    throw new DatabaseSetupError(
      `The database's encoding is ${server.encoding}: create it with ENCODING 'UTF8' (and a UTF-8 LC_CTYPE)`,
    );
  }
  if (!server.folds) {
    warn(
      "The database's LC_CTYPE knows no letters beyond ASCII: searches stay correct for Chinese but are slower, and " +
        "other scripts are not matched regardless of case. Create the database with a UTF-8 LC_CTYPE such as 'C.UTF-8'.",
    );
  }
}

/** pgvector is used where the server has it and this role may create it; nothing depends on it. */
async function createVectorExtension(
  dataSource: DataSource,
  missing: (name: string) => boolean,
): Promise<void> {
  if (!missing('vector')) return;
  const [offered] = await dataSource.query<unknown[]>(
    `SELECT FROM pg_available_extensions WHERE name = 'vector'`,
  );
  if (offered) await dataSource.query('CREATE EXTENSION IF NOT EXISTS vector').catch(() => undefined);
}

async function createExtensions(dataSource: DataSource): Promise<void> {
  const installed = await dataSource.query<{ extname: string }[]>('SELECT extname FROM pg_extension');
  const missing = (name: string) => !installed.some(({ extname }) => extname === name);
  await createVectorExtension(dataSource, missing);
  if (missing(REQUIRED_EXTENSION)) await createRequiredExtension(dataSource);
}

async function createRequiredExtension(dataSource: DataSource): Promise<void> {
  try {
    await dataSource.query(`CREATE EXTENSION IF NOT EXISTS ${REQUIRED_EXTENSION}`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseSetupError(
      `The extension ${REQUIRED_EXTENSION} is needed and could not be created (${reason}). Install PostgreSQL's ` +
        `contrib package on the server, and either give this role the right CREATE on the database or let a ` +
        `superuser run: CREATE EXTENSION ${REQUIRED_EXTENSION};`,
      { cause: error },
    );
  }
}
