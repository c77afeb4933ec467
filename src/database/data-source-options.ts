import { types as pgTypes } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { coreMigrations } from './migrations';

const INT8 = 20;
const NUMERIC = 1700;

/** Prices, percentages and counts are plain numbers in JSON; this is the one place that converts them. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    return oid === NUMERIC || oid === INT8 ? Number : pgTypes.getTypeParser(oid, format);
  },
};

/** How long a connection may be idle before the network is asked whether the other side is still there. */
const KEEP_ALIVE_MS = 10_000;

/** How long a request waits for a connection, in milliseconds: a free one, or a new one. */
const SERVER_ACQUIRE_MS = 5000;
/** On the embedded database all wait for one session. */
const EMBEDDED_ACQUIRE_MS = 15_000;

interface Connection {
  /** A server's address; absent for the embedded database. */
  url?: string;
  /** What to use in place of `pg`. */
  driver: object;
  poolSize: number;
  /** What the server shows of the connections. */
  applicationName?: string;
}

interface Schema {
  entities?: DataSourceOptions['entities'];
  /** Migrations of extensions, run after ours in the order of their timestamps. */
  extraMigrations?: (new () => object)[];
  /** Errors of idle connections; without a listener they would end the process. */
  onPoolError?: (error: Error) => void;
}

/** What the application, ormconfig.ts and the tests open a data source with. */
export function dataSourceOptions(connection: Connection, schema: Schema = {}): DataSourceOptions {
  const { url, applicationName = 'formula-development-service' } = connection;
  return {
    type: 'postgres',
    ...(url && { url }),
    driver: connection.driver,
    // Migrations use PostgreSQL's built-in gen_random_uuid(); extensions are the set-up's business.
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
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      connectionTimeoutMillis: url ? SERVER_ACQUIRE_MS : EMBEDDED_ACQUIRE_MS,
    },
  };
}
