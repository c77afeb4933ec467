import type { Pool, PoolClient } from 'pg';
import type { DataSource } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { DatabaseSetupError } from './database-setup-error';
import { explainingMissingRights } from './missing-right';
import { isLockTimeout } from './pg-errors';
import { adoptPreviewDatabase } from './preview-database';
import { refuseUnknownMigrations } from './refuse-unknown-migrations';
import { undoRemovedMigrations } from './removed-migrations';
import { refuseTransactionPooling } from './transaction-pooling';

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

/** How long one instance waits for another's migrations. */
const TURN_TIMEOUT = '10min';

interface SetUpOptions {
  /**
   * On a server: instances that start together take turns under an advisory lock, for which the data source
   * has connections to spare. The embedded database has one process and needs none.
   */
  server: boolean;
  allowNewerSchema?: boolean;
  /** Migrations of extensions that were taken out. */
  removedMigrations?: (new () => object)[];
}

/**
 * Brings an open database to the state this version of the service needs: checks the server, takes
 * over a database of the last preview, creates the required extension, undoes the migrations that were taken
 * out, runs those that are missing.
 * @returns whether it changed the schema
 * @throws DatabaseSetupError naming what is missing or in the way
 */
export async function setUpDatabase(
  dataSource: DataSource,
  notices: Notices,
  { server, ...options }: SetUpOptions,
): Promise<boolean> {
  const migrate = () =>
    explainingMissingRights(dataSource, () => prepareAndMigrate(dataSource, notices, options));
  return server ? inTurnOnServer(dataSource, migrate) : migrate();
}

/**
 * Work that no other instance does to the schema of the same database at the same time.
 * @param dataSource on a server; has two connections to spare
 * @throws DatabaseSetupError where a pooler or others' locks are in the way
 */
export async function inTurnOnServer<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const pool = (dataSource.driver as PostgresDriver).master as Pool;
  try {
    await refuseTransactionPooling(pool);
    return await inTurn(pool, work);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new DatabaseSetupError(
      'Other sessions hold locks that the set-up of the database needs: end those that the log names, and start again',
      { cause: error },
    );
  }
}

async function inTurn<T>(pool: Pool, work: () => Promise<T>): Promise<T> {
  const client: PoolClient = await pool.connect();
  // A lost connection shows in the next statement; as an event it must not end the process.
  client.on('error', () => undefined);
  try {
    await client.query(`SET lock_timeout = '${TURN_TIMEOUT}'`);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work();
  } finally {
    // The lock ends with its session.
    client.release(true);
  }
}

async function prepareAndMigrate(
  dataSource: DataSource,
  notices: Notices,
  { allowNewerSchema = false, removedMigrations = [] }: Omit<SetUpOptions, 'server'>,
): Promise<boolean> {
  await prepareDatabase(dataSource, notices);
  const hasUndone = await undoRemovedMigrations(dataSource, removedMigrations, notices.log);
  await refuseUnknownMigrations(dataSource, allowNewerSchema, notices.warn);
  const missing = await dataSource.showMigrations();
  if (missing) {
    notices.log('Migrating the database');
    await dataSource.runMigrations();
  }
  return missing || hasUndone;
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
