import { types as pgTypes } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { coreMigrations } from './find-migrations';

const INT8 = 20;
const NUMERIC = 1700;

/** Prices, percentages and counts are plain numbers in JSON; this is the one place that converts them. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary'): unknown {
    return oid === NUMERIC || oid === INT8 ? Number : pgTypes.getTypeParser(oid, format);
  },
};

interface Connection {
  /** A server's address, or for the embedded database what to use in place of `pg`. */
  url?: string;
  driver?: object;
  poolSize: number;
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
  return {
    type: 'postgres',
    ...(connection.url ? { url: connection.url } : {}),
    ...(connection.driver ? { driver: connection.driver } : {}),
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
      application_name: 'formula-development-service',
      ...(connection.driver ? {} : { keepAlive: true, connectionTimeoutMillis: 5000 }),
    },
  };
}
