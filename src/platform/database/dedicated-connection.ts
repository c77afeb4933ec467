import { Pool } from 'pg';

/** Timeout of connecting, and of each query, in milliseconds. */
const TIMEOUT_MS = 1_000;

/** A connection to the database server of its own, which never waits for the pool of the requests. */
export type DedicatedConnection = Pool;

/** Opens a connection with its first query. After a failed query, the next one opens another. */
export function dedicatedConnection(url: string, applicationName: string): DedicatedConnection {
  const connection = new Pool({
    connectionString: url,
    application_name: applicationName,
    max: 1,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: TIMEOUT_MS,
    query_timeout: TIMEOUT_MS,
    keepAlive: true,
  });
  // An unhandled event would end the process.
  return connection.on('error', () => undefined);
}
