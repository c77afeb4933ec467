import * as pg from 'pg';
import type { DatabaseLimits } from '../config/environment';
import { closeConnection } from './connections';

/** Interval at which PostgreSQL checks if the connection of a running statement was closed. */
const CONNECTION_CHECK = '500ms';

/**
 * The service runs many short statements. JIT compilation (10 to 40 ms) and parallel workers never pay off, and
 * without workers a limit on heavy statements also limits the server's cores. Doubles sent as text are read back
 * exactly. The statements are written for READ COMMITTED: a statement that waits for a row sees its new version,
 * and stored counts of records can be folded.
 */
const SESSION = `
  SELECT set_config('statement_timeout', $1, false),
         set_config('idle_in_transaction_session_timeout', $1, false), set_config('lock_timeout', $2, false),
         set_config('client_connection_check_interval', '${CONNECTION_CHECK}', false),
         set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false),
         set_config('extra_float_digits', '1', false), set_config('timezone', 'UTC', false),
         set_config('default_transaction_isolation', 'read committed', false)`;

/**
 * Returns `pg` with the configured limits. A statement sets them for each session, because PgBouncer refuses them
 * as startup parameters. A statement without an answer is given up and its connection closed.
 * @param limits absent: statements may take any time, as in the set-up
 */
export function serverDriver(limits?: DatabaseLimits): typeof pg {
  // The set-up gives a lock up soon, because statements behind it in the queue wait too.
  const { statementSeconds = 0, lockSeconds = 30 } = limits ?? {};
  const setUpSession = async (client: pg.ClientBase): Promise<void> => {
    // The running statement fails with the connection. An unhandled event would end the process.
    client.on('error', () => undefined);
    const values = [`${statementSeconds}s`, `${lockSeconds}s`];
    const query = { text: SESSION, values, query_timeout: 5000 };
    await client.query(query);
  };
  // Later than the server's own limit, which takes effect first.
  const queryTimeout = limits && { query_timeout: statementSeconds * 1000 + 2000 };
  class Pool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      // The pool awaits `onConnect`, although its type declares no return value.
      super(Object.assign({}, config, queryTimeout, { onConnect: setUpSession }));
      this.on('release', (_, client) => closeIfUnanswered(client));
    }
  }
  return { ...pg, Pool };
}

/**
 * Closes a connection whose statement has timed out without an answer. Its next user would wait for that answer, or
 * would run within a transaction that the statement has begun, and lose an acknowledged write.
 */
function closeIfUnanswered(client: pg.ClientBase): void {
  const unanswered = (client as unknown as { _getActiveQuery(): unknown })._getActiveQuery();
  if (unanswered) closeConnection(client);
}
