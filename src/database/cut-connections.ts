import type { Pool } from 'pg';
import type { Connection } from './unhurried';

/**
 * Cuts every connection of a pool, those that are being made too: whoever waits for an answer gets none.
 * @param pool none once the database is closed
 * @param why for the error that the statements under way fail with
 */
export function cutConnections(pool: Pool | undefined, why: string): void {
  const { _clients: clients = [] } = (pool ?? {}) as { _clients?: { connection: Connection }[] };
  const cut = Object.assign(new Error(why), { code: 'ECONNRESET' });
  for (const { connection } of clients) connection.stream.destroy(cut);
}
