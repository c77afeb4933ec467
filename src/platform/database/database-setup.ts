import type { PoolClient } from 'pg';
import { type DataSource, type MigrationInterface, QueryFailedError } from 'typeorm';
import { poolOf } from './connections';
import { DatabaseSetupError } from './database-errors';
import { appliedMigrations, nameOfMigration, refuseUnknownMigrations } from './migration-names';
import { isLockTimeout } from './pg-errors';

interface Log {
  log: (message: string) => void;
  warn: (message: string) => void;
}

/** Contrib extension that the schema needs. It is trusted, so the owner of a database may create it. */
const REQUIRED_EXTENSION = 'pg_trgm';

/** Any number that no other code uses for advisory locks in this database. */
const MIGRATION_LOCK = 7_305_802_113;

/** Time that one instance waits for the migrations of another. */
const LOCK_TIMEOUT = '10min';

/** insufficient_privilege, and invalid_schema_name: the role may not use any schema of the search path. */
const MISSING_RIGHT_CODES = ['42501', '3F000'];

interface SetUpOptions extends Log {
  /** On a server, instances that start at the same time are serialised. The embedded database has one process. */
  isServer: boolean;
  /** Migrations of extensions that were removed. */
  removedMigrations?: (new () => object)[];
}

/**
 * Brings the schema of an open database up to date.
 * @param dataSource on a server it needs two free connections
 * @returns true if the schema was changed
 * @throws DatabaseSetupError with a message that tells the operator what to do
 */
export function setUpDatabase(dataSource: DataSource, options: SetUpOptions): Promise<boolean> {
  const migrate = () => explainingMissingRights(dataSource, () => prepareAndMigrate(dataSource, options));
  return options.isServer ? withMigrationLock(dataSource, migrate) : migrate();
}

async function prepareAndMigrate(
  dataSource: DataSource,
  { log, warn, removedMigrations = [] }: SetUpOptions,
): Promise<boolean> {
  await prepareDatabase(dataSource, { log, warn });
  const hasRemoved = await undoRemovedMigrations(dataSource, removedMigrations, log);
  await refuseUnknownMigrations(dataSource);
  const isPending = await dataSource.showMigrations();
  if (isPending) {
    log('Migrating the database');
    await dataSource.runMigrations();
  }
  return isPending || hasRemoved;
}

/**
 * Runs work under a lock that only one instance on the same database can hold.
 * @param dataSource on a server; it needs two free connections
 */
export async function withMigrationLock<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  const client: PoolClient = await poolOf(dataSource).connect();
  // A lost connection is reported by the next statement. An unhandled event would end the process.
  client.on('error', () => undefined);
  try {
    await client.query(`SET lock_timeout = '${LOCK_TIMEOUT}'`);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    return await work();
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new DatabaseSetupError(
      'Other sessions hold locks that the set-up of the database needs: find them in pg_stat_activity (pg_blocking_pids), end them, and start again',
      { cause: error },
    );
  } finally {
    // The lock ends with its session.
    client.release(true);
  }
}

/**
 * Runs `down` of the given migrations that were applied to this database, the last first, so that a removed
 * extension leaves nothing behind.
 * @returns true if there were any
 */
async function undoRemovedMigrations(
  dataSource: DataSource,
  removed: readonly (new () => object)[],
  log: (message: string) => void,
): Promise<boolean> {
  const applied = await appliedMigrations(dataSource);
  const migrations = removed
    .map((migration) => new migration() as MigrationInterface)
    .filter((migration) => applied.includes(nameOfMigration(migration)))
    .sort((one, other) => applied.indexOf(nameOfMigration(other)) - applied.indexOf(nameOfMigration(one)));
  for (const migration of migrations) {
    log(`Undoing the migration ${nameOfMigration(migration)}`);
    await undoMigration(dataSource, migration);
  }
  return migrations.length > 0;
}

async function undoMigration(dataSource: DataSource, migration: MigrationInterface): Promise<void> {
  const runner = dataSource.createQueryRunner();
  try {
    if (migration.transaction !== false) await runner.startTransaction();
    await migration.down(runner);
    await runner.query('DELETE FROM migrations WHERE name = $1', [nameOfMigration(migration)]);
    if (runner.isTransactionActive) await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/**
 * Checks the server and creates the required extension, before the first migration runs.
 * @throws DatabaseSetupError if a requirement is not met
 */
export async function prepareDatabase(dataSource: DataSource, { warn }: Log): Promise<void> {
  const [server] = await dataSource.query<{ version: string; encoding: string; folds: boolean }[]>(
    `SELECT current_setting('server_version_num') AS version, current_setting('server_encoding') AS encoding,
            lower('Ä') = 'ä' AS folds`,
  );
  if (Number(server!.version) < 150_000) {
    throw new DatabaseSetupError('PostgreSQL 15 or later is required');
  }
  if (server!.encoding !== 'UTF8') {
    throw new DatabaseSetupError(
      `The database's encoding is ${server!.encoding}: create it with ENCODING 'UTF8' (and a UTF-8 LC_CTYPE)`,
    );
  }
  if (!server!.folds) {
    warn(
      "The database's LC_CTYPE knows no letters beyond ASCII: searches stay correct for Chinese but are slower, and " +
        "other scripts are not matched regardless of case. Create the database with a UTF-8 LC_CTYPE such as 'C.UTF-8'.",
    );
  }
  await createExtension(dataSource);
}

async function createExtension(dataSource: DataSource): Promise<void> {
  const installed = await dataSource.query<unknown[]>(
    `SELECT FROM pg_extension WHERE extname = '${REQUIRED_EXTENSION}'`,
  );
  if (installed.length > 0) return;
  await dataSource.query(`CREATE EXTENSION IF NOT EXISTS ${REQUIRED_EXTENSION}`).catch(explainExtension);
}

function explainExtension(error: Error): never {
  throw new DatabaseSetupError(
    `The extension ${REQUIRED_EXTENSION} is needed and could not be created (${error.message}). Install PostgreSQL's ` +
      `contrib package on the server, and either give this role the right CREATE on the database or let a ` +
      `superuser run: CREATE EXTENSION ${REQUIRED_EXTENSION};`,
    { cause: error },
  );
}

/**
 * Runs work on the schema. If the role lacks a privilege, the error tells in one line what to grant.
 * @throws DatabaseSetupError naming the role, the schema and the server's message
 */
export async function explainingMissingRights<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QueryFailedError)) throw error;
    const { code, message } = error.driverError as { code?: string; message: string };
    if (!MISSING_RIGHT_CODES.includes(code ?? '')) throw error;
    const [current] = await dataSource.query<{ role: string; schema: string }[]>(
      `SELECT quote_ident(current_user) AS role, quote_ident(coalesce(current_schema(), 'public')) AS schema`,
    );
    const { role, schema } = current!;
    throw new DatabaseSetupError(
      `The role ${role} of DATABASE_URL may not set up the database (${message}). Let its owner run: ` +
        `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role}; tables of the service that are there must belong to ${role}.`,
      { cause: error },
    );
  }
}
