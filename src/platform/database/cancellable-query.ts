import type { ServerResponse } from 'node:http';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { isDisconnected, onceClosed } from '../http/answer-closed';
import { closeConnection } from './connections';

/** The client of the request has disconnected. */
export class DisconnectedError extends Error {}

/** True for a SELECT or WITH without a keyword that writes. Call functions that write inside a transaction. */
const isReadOnly = (text: string): boolean =>
  /^\s*(?:SELECT|WITH)\b/i.test(text) && !/\b(?:INSERT|UPDATE|DELETE|MERGE)\b/i.test(text);

/**
 * Runs a statement, and cancels it if it only reads and the client disconnects. A write continues, because its
 * client may rely on it after disconnecting. To cancel, the connection is closed, and PostgreSQL ends the statement
 * when it notices (`client_connection_check_interval`).
 * @throws DisconnectedError
 */
export async function cancellableQuery(
  pool: Pool,
  query: QueryConfig & { text: string },
  response: ServerResponse,
): Promise<QueryResult> {
  const isAbandoned = () => isDisconnected(response) && isReadOnly(query.text);
  if (isAbandoned()) throw new DisconnectedError();
  const client = await pool.connect();
  if (isAbandoned()) {
    client.release();
    throw new DisconnectedError();
  }
  return queryUntilDisconnected(client, query, response);
}

async function queryUntilDisconnected(
  client: PoolClient,
  query: QueryConfig & { text: string },
  response: ServerResponse,
): Promise<QueryResult> {
  let timer: NodeJS.Timeout | undefined;
  let isCancelled = false;
  const cancel = () => {
    isCancelled = true;
    closeConnection(client);
  };
  const cancelSoon = () => {
    if (!response.writableFinished && isReadOnly(query.text))
      // Most statements end earlier.
      timer = setTimeout(cancel, 100).unref();
  };
  onceClosed(response, cancelSoon);
  let failure: Error | undefined;
  try {
    return await client.query(query);
  } catch (error) {
    failure = error as Error;
    throw isCancelled ? new DisconnectedError() : error;
  } finally {
    clearTimeout(timer);
    response.off('close', cancelSoon);
    // As the pool's own `query` does: after any error, the connection may be broken.
    client.release(failure);
  }
}
