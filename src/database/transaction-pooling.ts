import type { Pool, PoolClient } from 'pg';
import { DatabaseSetupError } from './database-setup-error';

/** A pooler that serves many shows itself in the first round; others' work may hide it in some. */
const ROUNDS = 10;

/** What PgBouncer says of a transaction where `pool_mode = statement`. */
const PROTOCOL_VIOLATION = '08P01';

/**
 * Refuses a pooler that gives every transaction another session (PgBouncer's `pool_mode = transaction`):
 * prepared statements, limits and locks belong to a session.
 *
 * Whether there is a pooler is known at once: the process number it tells at the start is not the session's.
 * Then two connections ask for their session in turns, one inside of a transaction. Sessions that are their
 * own never change and are never the same.
 * @param pool allows two connections at least
 * @throws DatabaseSetupError
 */
export async function refuseTransactionPooling(pool: Pool): Promise<void> {
  const clients: PoolClient[] = [];
  try {
    const one = await connected(pool);
    clients.push(one);
    const own = await sessionOf(one);
    if (own === (one as unknown as { processID: number | null }).processID) return;
    const other = await connected(pool);
    clients.push(other);
    const others = await sessionOf(other);
    for (let round = 0; round < ROUNDS; round += 1) {
      if (others === own || (await sessionOf(one)) !== own) throw new DatabaseSetupError(REFUSAL);
      await begin(other);
      const isMoved = (await sessionOf(other)) !== others || (await sessionOf(one)) !== own;
      await other.query('COMMIT');
      if (isMoved) throw new DatabaseSetupError(REFUSAL);
    }
  } finally {
    // One may have been left inside of a transaction.
    for (const client of clients) client.release(true);
  }
}

async function begin(client: PoolClient): Promise<void> {
  try {
    await client.query('BEGIN');
  } catch (error) {
    const isRefused = (error as { code?: unknown }).code === PROTOCOL_VIOLATION;
    throw isRefused ? new DatabaseSetupError(REFUSAL, { cause: error }) : error;
  }
}

async function connected(pool: Pool): Promise<PoolClient> {
  const client = await pool.connect();
  // A lost connection shows in the next statement; as an event it must not end the process.
  client.on('error', () => undefined);
  return client;
}

const REFUSAL =
  'The pooler at DATABASE_URL gives every transaction another session: set pool_mode = session for this database in ' +
  'PgBouncer (or what its like is elsewhere), or let DATABASE_URL lead to the PostgreSQL server itself';

async function sessionOf(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  return rows[0]!.pid;
}
