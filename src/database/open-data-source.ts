import { AsyncResource } from 'node:async_hooks';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import type { DatabaseLocation } from '../environment/environment';
import { dataSourceOptions } from './data-source-options';
import { setUpDatabase } from './database-setup';
import { EmbeddedPostgres } from './embedded/embedded-postgres';
import { migratedTemplateFile } from './migrated-template';

/** A data source on the embedded database: destroying it also ends the worker and frees the directory. */
class EmbeddedDataSource extends DataSource {
  private embedded?: EmbeddedPostgres;

  /** Takes over the running database that this data source's connections lead to. */
  own(embedded: EmbeddedPostgres): this {
    this.embedded = embedded;
    return this;
  }

  /**
   * Keeps the database as it is now for later ones to begin with; where nothing can be written, nothing is
   * kept.
   */
  async keepAsTemplate(file: string): Promise<void> {
    await this.embedded?.saveTemplate(file).catch(() => undefined);
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
  entities?: DataSourceOptions['entities'];
  extraMigrations?: (new () => object)[];
  log: (message: string) => void;
  warn: (message: string) => void;
  /** What an embedded database in memory begins with; absent: an empty database. */
  templateFile?: string;
}

/** Connections to the embedded database. It has one session: more would only wait for it. */
const EMBEDDED_POOL_SIZE = 4;

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
  const schema = {
    entities: options.entities,
    extraMigrations: options.extraMigrations,
    onPoolError: (error: Error) => warn(`Lost an idle database connection: ${error.message}`),
  };
  if (location.kind === 'server') {
    log(`PostgreSQL at ${describe(location.url)}`);
    return new DataSource(dataSourceOptions({ url: location.url, poolSize: options.poolSize }, schema));
  }
  const dataDir = location.kind === 'directory' ? location.dataDir : undefined;
  log(dataDir ? `Embedded PostgreSQL in ${resolve(dataDir)}` : 'Embedded PostgreSQL in memory');
  const embedded = await EmbeddedPostgres.open({
    dataDir,
    templateFile: options.templateFile,
    onProgress: log,
    onWarning: warn,
    onCrash: (error) => warn(error.message),
  });
  const connection = { driver: embedded.driver, poolSize: EMBEDDED_POOL_SIZE };
  return new EmbeddedDataSource(dataSourceOptions(connection, schema)).own(embedded);
}

/**
 * Opens the database, brings its schema up to date and returns it ready for use. One in memory begins with a
 * kept copy that has our migrations already.
 * @throws DatabaseSetupError, EmbeddedDatabaseInUseError, or the driver's error when it cannot be reached
 */
export async function openDataSource(options: Omit<OpenOptions, 'templateFile'>): Promise<DataSource> {
  const { location, log, warn } = options;
  const template = location.kind === 'memory' ? migratedTemplateFile() : undefined;
  const templateFile = template && existsSync(template) ? template : undefined;
  const dataSource = await createDataSource({ ...options, templateFile });
  try {
    await dataSource.initialize();
    const lockUrl = location.kind === 'server' ? location.url : undefined;
    const hasMigrated = await setUpDatabase(dataSource, { log, warn }, lockUrl);
    if (template && hasMigrated && !options.extraMigrations?.length) {
      await (dataSource as EmbeddedDataSource).keepAsTemplate(template);
    }
    return dataSource;
  } catch (error) {
    await dataSource.destroy().catch(() => undefined);
    throw error;
  }
}

/** Host and database name only: an address may hold a password. */
function describe(url: string): string {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname || 'local socket'}${port ? `:${port}` : ''}${pathname}`;
}
