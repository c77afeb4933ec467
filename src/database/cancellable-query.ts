import type { Client, Pool, PoolClient, QueryConfig, QueryResult } from 'pg';

/** A statement that still runs this long after its client has disconnected is cancelled: most end before. */
const CANCEL_AFTER_MS = 100;

/** The client of the request has disconnected. */
export class DisconnectedError extends Error {}

/** A SELECT or WITH without a word that writes. Call functions that write inside a transaction. */
const isReadOnly = (text: string): boolean =>
  /^\s*(?:SELECT|WITH)\b/i.test(text) && !/\b(?:INSERT|UPDATE|DELETE|MERGE)\b/i.test(text);

/**
 * Runs a statement, and cancels it when `signal` aborts and it only reads: a client may disconnect and
 * trust that its write happens. The connection is closed then, and PostgreSQL ends the statement when it
 * notices that (`client_connection_check_interval`).
 * @throws DisconnectedError
 */
export async function cancellableQuery(
  pool: Pool,
  query: QueryConfig & { text: string },
  signal: AbortSignal,
): Promise<QueryResult> {
  const isDisconnected = () => signal.aborted && isReadOnly(query.text);
  if (isDisconnected()) throw new DisconnectedError();
  const client = await pool.connect();
  if (isDisconnected()) {
    client.release();
    throw new DisconnectedError();
  }
  return queryUntilAborted(client, query, signal);
}

async function queryUntilAborted(
  client: PoolClient,
  query: QueryConfig & { text: string },
  signal: AbortSignal,
): Promise<QueryResult> {
  let timer: NodeJS.Timeout | undefined;
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
    void (client as unknown as Client).end();
  };
  const cancelSoon = () => {
    if (isReadOnly(query.text)) timer = setTimeout(cancel, CANCEL_AFTER_MS).unref();
  };
  signal.addEventListener('abort', cancelSoon);
  let failure: Error | undefined;
  try {
    return await client.query(query);
  } catch (error) {
    failure = error as Error;
    throw isCancelled ? new DisconnectedError() : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', cancelSoon);
    // As the pool's own `query` does: whatever has failed may have broken the connection.
    client.release(failure);
  }
}
