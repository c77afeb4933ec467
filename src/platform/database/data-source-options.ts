import { TypeOverrides, types as pgTypes } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { coreMigrations } from './migrations';

/** The only place that converts prices, percentages and counts, which are plain numbers in JSON. */
const types = new TypeOverrides();
types.setTypeParser(pgTypes.builtins.INT8, Number);
types.setTypeParser(pgTypes.builtins.NUMERIC, Number);

interface Connection {
  /** A server's address; absent for the embedded database. */
  url?: string;
  /** Replacement for `pg`. */
  driver: object;
  poolSize: number;
  /** Name of the connections on the server. */
  applicationName?: string;
}

interface Schema {
  entities?: DataSourceOptions['entities'];
  /** Migrations of extensions. They run after the service's own, ordered by timestamp. */
  extraMigrations?: (new () => object)[];
  /** Receives errors of idle connections. Without a listener they would end the process. */
  onPoolError?: (error: Error) => void;
}

/** Returns the options of the data sources of the application, ormconfig.ts and the tests. */
export function dataSourceOptions(connection: Connection, schema: Schema = {}): DataSourceOptions {
  const { url, applicationName = 'formula-development-service' } = connection;
  return {
    type: 'postgres',
    ...(url && { url }),
    driver: connection.driver,
    // Migrations use PostgreSQL's built-in gen_random_uuid(). `setUpDatabase` creates extensions.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    synchronize: false,
    logging: false,
    entities: schema.entities ?? [],
    migrations: [...coreMigrations, ...(schema.extraMigrations ?? [])],
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    poolSize: connection.poolSize,
    poolErrorHandler: schema.onPoolError,
    extra: {
      types,
      application_name: applicationName,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      // Longer, because all connections of the embedded database share one session.
      connectionTimeoutMillis: url ? 5000 : 15_000,
    },
  };
}
