import { AsyncResource } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseLimits, DatabaseLocation } from '../config/environment';
import { dataSourceOptions } from './data-source-options';
import { setUpDatabase } from './database-setup';
import { openWhenFree } from './embedded/directory-lock';
import { EmbeddedPostgres } from './embedded/embedded-postgres';
import type { Owner } from './embedded/errors';
import { migratedTemplateFile } from './migrated-template';
import { serverDriver } from './server-driver';

/** A data source on the embedded database. Destroying it also ends the worker and unlocks the directory. */
class EmbeddedDataSource extends DataSource {
  private embedded?: EmbeddedPostgres;

  /** Takes ownership of the running database of this data source. */
  own(embedded: EmbeddedPostgres): this {
    this.embedded = embedded;
    return this;
  }

  /** Stores the current database as a template for later ones. Does nothing if it cannot be written. */
  async keepAsTemplate(file: string): Promise<void> {
    await this.embedded?.saveTemplate(file).catch(() => undefined);
  }

  /** Limits the duration of statements from now on. Migrations run before, without a limit. */
  limitStatements(): void {
    this.embedded?.limitStatements();
  }

  override async destroy(): Promise<void> {
    try {
      await super.destroy();
    } finally {
      await this.embedded?.close();
    }
  }
}

export interface OpenOptions {
  location: DatabaseLocation;
  poolSize: number;
  /** Limits of statements on a server; absent: none. */
  limits?: DatabaseLimits;
  applicationName?: string;
  entities?: DataSourceOptions['entities'];
  extraMigrations?: (new () => object)[];
  /** Migrations of removed extensions, which are undone at start. */
  removedMigrations?: (new () => object)[];
  log: (message: string) => void;
  warn: (message: string) => void;
  /** The kind of program that opens an embedded database. A service waits for a directory that is still in use. */
  owner?: Owner;
  /** Initial content of an embedded database in memory; absent: an empty database. */
  templateFile?: string;
}

/** Host and database name only, because the address may contain a password. */
function describeServer(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'local socket'}${port && `:${port}`}${pathname}`;
}

const schemaOf = ({ entities, extraMigrations, warn }: OpenOptions) => ({
  entities,
  extraMigrations,
  onPoolError: (error: Error) => warn(`Lost an idle database connection: ${error.message}`),
});

/**
 * Creates a data source that is not connected yet. An embedded database is running then, and ends with `destroy`.
 * @throws EmbeddedDatabaseInUseError
 */
export async function createDataSource(options: OpenOptions): Promise<DataSource> {
  const { location } = options;
  // A connection is often opened during a request. Its later messages must not be logged as part of that request.
  const log = AsyncResource.bind(options.log);
  const warn = AsyncResource.bind(options.warn);
  const schema = schemaOf({ ...options, warn });
  if (location.kind === 'server') {
    log(`PostgreSQL at ${describeServer(location.url)}`);
    const { poolSize, limits, applicationName } = options;
    const driver = serverDriver(limits);
    return new DataSource(
      dataSourceOptions({ url: location.url, driver, poolSize, applicationName }, schema),
    );
  }
  const dataDir = location.kind === 'directory' ? location.dataDir : undefined;
  log(dataDir ? `Embedded PostgreSQL in ${resolve(dataDir)}` : 'Embedded PostgreSQL in memory');
  const { owner, templateFile } = options;
  const open = () =>
    EmbeddedPostgres.open({
      dataDir,
      owner,
      templateFile,
      onProgress: log,
      onWarning: warn,
      onCrash: (error) => warn(error.message),
    });
  const isPatient = owner === 'service';
  const embedded = await (isPatient ? openWhenFree(open, log) : open());
  // The embedded database has one session, so further connections would only wait.
  const connection = { driver: embedded.driver, poolSize: 4 };
  return new EmbeddedDataSource(dataSourceOptions(connection, schema)).own(embedded);
}

/** Brings a server's schema up to date, on separate connections whose statements have no time limit. */
async function setUpServer(options: OpenOptions): Promise<void> {
  const dataSource = await createDataSource({
    ...options,
    // One holds the lock, one works, and one finds out which sessions block it.
    poolSize: 3,
    limits: undefined,
    applicationName: 'formula-migrations',
    entities: [],
  });
  try {
    await dataSource.initialize();
    await setUpDatabase(dataSource, { ...options, isServer: true });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy().catch(() => undefined);
  }
}

/**
 * Opens the database, brings its schema up to date and returns it ready for use. A database in memory begins with a
 * stored copy that is already migrated.
 * @throws DatabaseSetupError, EmbeddedDatabaseInUseError, or the driver's error if it is unreachable
 */
export async function openDataSource(options: Omit<OpenOptions, 'templateFile'>): Promise<DataSource> {
  const { location } = options;
  if (location.kind === 'server') {
    await setUpServer(options);
    const quiet = { ...options, log: () => undefined };
    return (await createDataSource(quiet)).initialize();
  }
  const template = location.kind === 'memory' ? migratedTemplateFile() : undefined;
  const templateFile = template && existsSync(template) ? template : undefined;
  const dataSource = (await createDataSource({ ...options, templateFile })) as EmbeddedDataSource;
  try {
    await dataSource.initialize();
    const hasMigrated = await setUpDatabase(dataSource, { ...options, isServer: false });
    // Without a checkpoint, a write-ahead log that is damaged later would destroy the schema too.
    if (hasMigrated && location.kind === 'directory') await dataSource.query('CHECKPOINT');
    if (template && hasMigrated && !options.extraMigrations?.length) {
      await dataSource.keepAsTemplate(template);
    }
    dataSource.limitStatements();
    return dataSource;
  } catch (error) {
    await dataSource.destroy().catch(() => undefined);
    throw error;
  }
}
