import * as pg from 'pg';
import type { DatabaseLimits } from '../config/environment';

/** The server's own limit comes first; a statement without an answer for this much longer is given up. */
const GRACE_MS = 2000;

/** How long the first statement of a new connection may take. */
const FIRST_ANSWER_MS = 5000;

/** How long the set-up waits for a lock: whatever comes after it in the queue waits, too. */
const SETUP_LOCK_SECONDS = 30;

/** How soon PostgreSQL ends a statement whose connection was closed. */
const CONNECTION_CHECK = '500ms';

/**
 * Many short statements: compiling one (10 to 40 ms) never pays, nor do processes of its own, and a bound on
 * heavy statements is to be one on the server's cores. Doubles that are sent as text are read back as they
 * were. Statements are written for READ COMMITTED: who waits for a row sees what it has become, and kept
 * numbers of records are folded.
 */
const SESSION = `
  SELECT set_config('statement_timeout', $1, false),
         set_config('idle_in_transaction_session_timeout', $1, false), set_config('lock_timeout', $2, false),
         set_config('client_connection_check_interval', '${CONNECTION_CHECK}', false),
         set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false),
         set_config('extra_float_digits', '1', false), set_config('timezone', 'UTC', false),
         set_config('default_transaction_isolation', 'read committed', false)`;

/**
 * `pg` with the limits of the settings. A statement sets them for each session: PgBouncer refuses them in the
 * start of a connection. A statement without an answer is given up with its connection.
 * @param limits absent: statements may take any time, as those of the set-up
 */
export function serverDriver(limits?: DatabaseLimits): typeof pg {
  const { statementSeconds = 0, lockSeconds = SETUP_LOCK_SECONDS } = limits ?? {};
  const setUpSession = async (client: pg.ClientBase): Promise<void> => {
    // The statement under way fails with the connection; unhandled, the event would end the process.
    client.on('error', () => undefined);
    const values = [`${statementSeconds}s`, `${lockSeconds}s`];
    const query = { text: SESSION, values, query_timeout: FIRST_ANSWER_MS };
    await client.query(query);
  };
  const queryTimeout = limits && { query_timeout: statementSeconds * 1000 + GRACE_MS };
  class Pool extends pg.Pool {
    constructor(config?: pg.PoolConfig) {
      // The pool waits for `onConnect`, although its type says that it returns nothing.
      super(Object.assign({}, config, queryTimeout, { onConnect: setUpSession }));
      this.on('release', (_, client) => closeIfUnanswered(client));
    }
  }
  return { ...pg, Pool };
}

/**
 * Closes a connection whose statement has timed out without an answer. Its next user would wait for that answer,
 * or would run within the transaction that the statement still begins, and lose an acknowledged write.
 */
function closeIfUnanswered(client: pg.ClientBase): void {
  const unanswered = (client as unknown as { _getActiveQuery(): unknown })._getActiveQuery();
  if (unanswered) void (client as unknown as pg.Client).end();
}
