import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DirectoryLock } from './directory-lock';
import { EmbeddedDatabaseInUseError, EmbeddedDatabaseStartError, type Owner } from './errors';

/** PostgreSQL's files are in a separate directory, so that no other file can be mistaken for them. */
const POSTGRES_DIRECTORY = 'pgdata';

/** PostgreSQL writes this file to every data directory that it creates. */
const VERSION_FILE = 'PG_VERSION';

export const postgresDirectory = (dataDir: string): string => join(resolve(dataDir), POSTGRES_DIRECTORY);

/** A data directory that is locked for this process until it is released. */
export interface ClaimedDirectory {
  /** Directory of PostgreSQL's files, which may not exist yet. */
  postgres: string;
  lock: DirectoryLock;
}

/**
 * Checks that a directory can be used for the embedded database, and locks it.
 * @throws EmbeddedDatabaseInUseError if another process has locked it
 * @throws EmbeddedDatabaseStartError with the fault of the directory and its remedy
 */
export function claimDataDirectory(dataDir: string, owner?: Owner): ClaimedDirectory {
  const directory = resolve(dataDir);
  makeDirectory(directory);
  if (existsSync(join(directory, VERSION_FILE))) {
    throw new EmbeddedDatabaseStartError(
      `${directory} is the directory of a PostgreSQL server, not of this service. Choose another with DATA_DIR, ` +
        `or use that server with DATABASE_URL.`,
    );
  }
  const lock = claim(directory, owner);
  try {
    const postgres = postgresDirectory(directory);
    checkPostgresDirectory(postgres);
    return { postgres, lock };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function makeDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (isFile(directory)) {
      throw new EmbeddedDatabaseStartError(
        `${directory} is a file, but the data directory must be a directory. Choose another with DATA_DIR.`,
      );
    }
    throw new EmbeddedDatabaseStartError(
      `the data directory ${directory} cannot be made (${reasonOf(error)}). Choose another with DATA_DIR.`,
    );
  }
}

function claim(directory: string, owner?: Owner): DirectoryLock {
  try {
    return DirectoryLock.acquire(directory, owner);
  } catch (error) {
    if (error instanceof EmbeddedDatabaseInUseError) throw error;
    throw new EmbeddedDatabaseStartError(
      `the data directory ${directory} cannot be written or locked (${reasonOf(error)}). Give this user the right to ` +
        `write there, or choose another directory on a local disk with DATA_DIR.`,
    );
  }
}

/** PostgreSQL's directory is renamed only when it is complete, so other content is not ours. */
function checkPostgresDirectory(postgres: string): void {
  const found = statSync(postgres, { throwIfNoEntry: false });
  if (!found || existsSync(join(postgres, VERSION_FILE))) return;
  if (found.isDirectory() && readdirSync(postgres).length === 0) {
    rmdirSync(postgres);
    return;
  }
  throw new EmbeddedDatabaseStartError(
    `${postgres} holds something else than a database of this service. Move it away, or choose another data ` +
      `directory with DATA_DIR.`,
  );
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
