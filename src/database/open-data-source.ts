import { AsyncResource } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseLimits, DatabaseLocation } from '../environment/environment';
import { dataSourceOptions } from './data-source-options';
import { DatabaseSetupError } from './database-setup-error';
import { setUpDatabase } from './database-setup';
import type { CommandIdentity } from './embedded/commands/command-identity';
import { RunningService } from './embedded/commands/running-service';
import { EmbeddedPostgres } from './embedded/embedded-postgres';
import { openWhenFree } from './embedded/directory-wait';
import { EmbeddedDatabaseInUseError, type Owner } from './embedded/errors';
import { EmbeddedDataSource, RunningServiceDataSource } from './embedded-data-source';
import { migratedTemplateFile } from './migrated-template';
import { refuseUnknownMigrations } from './refuse-unknown-migrations';
import { serverDriver } from './server-driver';

export interface OpenOptions {
  location: DatabaseLocation;
  poolSize: number;
  /** How long a statement may take on a server; absent: as long as it likes. */
  limits?: DatabaseLimits;
  applicationName?: string;
  entities?: DataSourceOptions['entities'];
  extraMigrations?: (new () => object)[];
  /** Migrations of extensions that were taken out, undone at the set-up. */
  removedMigrations?: (new () => object)[];
  log: (message: string) => void;
  warn: (message: string) => void;
  /** What opens an embedded database. A service waits for a directory that will soon be free. */
  owner?: Owner;
  /** Whether what an embedded database does is counted. */
  measured?: boolean;
  /** Whether to go on where a newer version has changed the schema. */
  allowNewerSchema?: boolean;
  /** What an embedded database in memory begins with; absent: an empty database. */
  templateFile?: string;
  /**
   * Of a command, which works on the database of the service that has the data directory, where there is one;
   * called only then: to ask for its secret may make one.
   */
  command?: () => CommandIdentity;
}

/** Connections to the embedded database. It has one session: more would only wait for it. */
const EMBEDDED_POOL_SIZE = 4;

/** Host and database name only: an address may hold a password. */
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
 * A data source on the database, not yet connected. An embedded database is running then, and ends with
 * `destroy`.
 * @throws EmbeddedDatabaseInUseError
 */
export async function createDataSource(options: OpenOptions): Promise<DataSource> {
  const { location } = options;
  // A connection is often made while a request is handled: what becomes of it later is not that request's.
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
  const { owner, templateFile, measured } = options;
  const open = () =>
    EmbeddedPostgres.open({
      dataDir,
      owner,
      templateFile,
      measured,
      onProgress: log,
      onWarning: warn,
      onCrash: (error) => warn(error.message),
    });
  const isPatient = dataDir !== undefined && owner === 'service';
  const embedded = await (isPatient ? openWhenFree(dataDir, open, log) : open());
  const connection = { driver: embedded.driver, poolSize: EMBEDDED_POOL_SIZE };
  return new EmbeddedDataSource(dataSourceOptions(connection, schema)).own(embedded);
}

/**
 * The service that has the database, where that is why it could not be opened and it lets commands in.
 * @throws Error where its socket may be another user's
 */
export async function runningServiceOf(
  error: unknown,
  { location, command, warn }: Pick<OpenOptions, 'location' | 'command' | 'warn'>,
): Promise<RunningService | undefined> {
  if (!(error instanceof EmbeddedDatabaseInUseError) || !command || location.kind !== 'directory') {
    return undefined;
  }
  return RunningService.find(location.dataDir, command(), warn);
}

/** The set-up has one connection for its turn, one that works, and one that asks whom that one waits for. */
const SETUP_POOL_SIZE = 3;

/** Brings a server's schema up to date, on connections of its own: its statements may take their time. */
async function setUpServer(options: OpenOptions): Promise<void> {
  const dataSource = await createDataSource({
    ...options,
    poolSize: SETUP_POOL_SIZE,
    limits: undefined,
    applicationName: 'formula-migrations',
    entities: [],
  });
  try {
    await dataSource.initialize();
    const { allowNewerSchema, removedMigrations } = options;
    await setUpDatabase(dataSource, options, { server: true, allowNewerSchema, removedMigrations });
  } finally {
    if (dataSource.isInitialized) await dataSource.destroy().catch(() => undefined);
  }
}

/**
 * A data source on the database of the service that has the directory; it is neither migrated nor closed.
 * @throws DatabaseSetupError where the service's schema is not the one of this version
 */
async function openRunning(
  running: RunningService,
  dataDir: string,
  options: OpenOptions,
): Promise<DataSource> {
  const { log, warn, allowNewerSchema = false } = options;
  log(`Embedded PostgreSQL in ${resolve(dataDir)}, of the service that runs`);
  const connection = { driver: running.driver, poolSize: EMBEDDED_POOL_SIZE };
  const dataSource = new RunningServiceDataSource(dataSourceOptions(connection, schemaOf(options)));
  await dataSource.initialize();
  try {
    await refuseUnknownMigrations(dataSource, allowNewerSchema, warn);
    if (!(await dataSource.showMigrations())) return dataSource;
    throw new DatabaseSetupError(
      'The running service has not had all migrations that this command brings: start it again with this version first',
    );
  } catch (error) {
    await dataSource.destroy().catch(() => undefined);
    throw error;
  }
}

/**
 * Opens the database, brings its schema up to date and returns it ready for use. One in memory begins with a
 * kept copy that has our migrations already.
 * @throws DatabaseSetupError, EmbeddedDatabaseInUseError, CommandRefusedError, or the driver's error when it
 * cannot be reached
 */
export async function openDataSource(options: Omit<OpenOptions, 'templateFile'>): Promise<DataSource> {
  const { location, log, warn } = options;
  if (location.kind === 'server') {
    await setUpServer(options);
    const quiet = { ...options, log: () => undefined };
    return (await createDataSource(quiet)).initialize();
  }
  const template = location.kind === 'memory' ? migratedTemplateFile() : undefined;
  const templateFile = template && existsSync(template) ? template : undefined;
  let dataSource: EmbeddedDataSource;
  try {
    dataSource = (await createDataSource({ ...options, templateFile })) as EmbeddedDataSource;
  } catch (error) {
    const running = await runningServiceOf(error, options);
    if (!running || location.kind !== 'directory') throw error;
    return openRunning(running, location.dataDir, options);
  }
  try {
    await dataSource.initialize();
    const { allowNewerSchema, removedMigrations } = options;
    const setUp = { server: false, allowNewerSchema, removedMigrations };
    const hasMigrated = await setUpDatabase(dataSource, { log, warn }, setUp);
    // A log that is damaged later must not take the schema with it.
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
