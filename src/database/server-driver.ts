import * as pg from 'pg';
import type { CancellingPool } from './abandonable-read';
import { Pipeline, type PipeliningPool } from './pipeline';
import type { DatabaseLimits } from '../environment/environment';
import { SilentDatabaseError } from './silent-database-error';
import { StuckWork } from './stuck-work';
import { type Connection, unhurried } from './unhurried';

/** How often the statements in progress are looked at, in milliseconds. */
const LOOK_EVERY_MS = 1000;

/** The server's own limit comes first; whoever is still silent so many looks later is given up. */
const GRACE_LOOKS = 2;

/** What a new connection is asked first must be answered in this time, in milliseconds. */
const FIRST_ANSWER_MS = 5000;

/** How long a connection may take to be closed in good manners, in milliseconds. */
const GOODBYE_MS = 2000;

/** Long work is told whom it waits for after so many looks, and again after each further so many. */
const TELL_EVERY_LOOKS = 5;

/** A statement to be cancelled is given this time to end by itself, in milliseconds: most do. */
const CANCEL_AFTER_MS = 100;

/** How long the set-up waits for a lock, in seconds: whoever comes after it in the queue waits too. */
const SETUP_LOCK_SECONDS = 30;

/**
 * Many short statements: compiling one (10 to 40 ms) never pays, nor do processes of its own, and a bound on
 * heavy statements is to be one on the server's cores. Doubles that are sent as text are read back as they
 * were. Statements are written for READ COMMITTED: who waits for a row sees what it has become, and kept
 * numbers of records are folded.
 */
const SESSION = `
  SELECT pg_backend_pid() AS pid, set_config('statement_timeout', $1, false),
         set_config('idle_in_transaction_session_timeout', $1, false), set_config('lock_timeout', $2, false),
         set_config('jit', 'off', false), set_config('max_parallel_workers_per_gather', '0', false),
         set_config('extra_float_digits', '1', false),
         set_config('default_transaction_isolation', 'read committed', false)`;

const BLOCKERS = `
  SELECT format('%s (%s, %s)', a.pid, coalesce(nullif(a.application_name, ''), 'no application_name'), a.state) AS who
    FROM unnest(pg_blocking_pids($1)) AS b (pid) JOIN pg_stat_activity a USING (pid)`;

/** What `pg`'s own client has and its types do not tell. */
interface ServerClient {
  connection: Connection;
  release(error?: unknown): void;
  _getActiveQuery(): { values?: readonly unknown[] } | null;
}

/**
 * `pg`, with an end to every wait. Sessions are set up by a statement, not with the connection's start:
 * PgBouncer refuses them there. A connection that stays silent beyond them (its peer has vanished) is
 * destroyed, which is the one thing that frees its place in the pool.
 * @param limits absent: statements may take any time, as those of the set-up
 * @param tell told whom long work waits for
 */
export function serverDriver(limits: DatabaseLimits | undefined, tell: (message: string) => void): typeof pg {
  const timeout = (seconds = 0) => `${seconds}s`;
  const values = [timeout(limits?.statementSeconds), timeout(limits?.lockSeconds ?? SETUP_LOCK_SECONDS)];
  const pids = new WeakMap<object, number>();

  const setUpSession = async (client: pg.ClientBase): Promise<void> => {
    const query = { text: SESSION, values, query_timeout: FIRST_ANSWER_MS };
    const { rows } = await client.query<{ pid: number }>(query);
    pids.set(client, rows[0]!.pid);
  };

  class Client extends pg.Client {
    /** `pg` waits for the other side to close too, which one that has vanished never does. */
    override end(callback?: (error: Error) => void): Promise<void> & void {
      const { stream } = (this as unknown as ServerClient).connection;
      setTimeout(() => stream.destroy(), GOODBYE_MS).unref();
      return super.end(callback as (error: Error) => void) as Promise<void> & void;
    }
  }

  class Pool extends pg.Pool implements CancellingPool, PipeliningPool {
    private readonly stuck = new StuckWork<ServerClient>();
    private readonly pipeline: Pipeline;
    private readonly timer: NodeJS.Timeout;

    constructor(config?: pg.PoolConfig) {
      // The pool waits for onConnect, although its types say that it answers nothing.
      super(Object.assign({}, config, { Client, onConnect: setUpSession }));
      this.pipeline = new Pipeline(this);
      this.timer = setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    }

    override end(callback?: () => void): Promise<void> & void {
      clearInterval(this.timer);
      this.pipeline.close();
      return super.end(callback as () => void) as Promise<void> & void;
    }

    askBehind(query: pg.Query, alone: () => Promise<pg.QueryResult>): Promise<pg.QueryResult> | undefined {
      return this.pipeline.ask(query, alone);
    }

    cancel(values: readonly unknown[], hasEnded: () => boolean): void {
      const isRunning = this.clientsWith(values).length > 0;
      setTimeout(() => {
        if (hasEnded()) return;
        if (isRunning) this.cancelNow(values);
        // It waited for a connection.
        else this.cancel(values, hasEnded);
      }, CANCEL_AFTER_MS).unref();
    }

    /**
     * By a statement and not by the protocol's cancel request, which `pg` sends without TLS and which poolers
     * treat in their own ways.
     */
    private cancelNow(values: readonly unknown[]): void {
      for (const client of this.clientsWith(values)) {
        // The cancellation may come late: whatever this connection would run next must not be hit by it.
        const release = client.release.bind(client);
        client.release = (error) => release(error ?? true);
        const isPipeline = this.pipeline.isOn(client);
        if (isPipeline) this.pipeline.giveUp();
        const text = `SELECT ${isPipeline ? 'pg_terminate_backend' : 'pg_cancel_backend'}($1)`;
        this.query(text, [pids.get(client)]).catch(() => undefined);
      }
    }

    /** Two, where the read of a pipeline was asked anew. */
    private clientsWith(values: readonly unknown[]): ServerClient[] {
      return this.clients.filter((one) => one._getActiveQuery()?.values === values);
    }

    private get clients(): ServerClient[] {
      return (this as unknown as { _clients: ServerClient[] })._clients;
    }

    private look(): void {
      const busy = this.clients.flatMap((client) => {
        // An error is no answer yet: `pg` has nothing active behind it until the server is ready again.
        const query = client._getActiveQuery() ?? (this.pipeline.isOn(client) && this.pipeline.first);
        return query ? [[client, query] as const] : [];
      });
      for (const [client, looks] of this.stuck.look(busy)) {
        if (!limits || unhurried.has(client.connection)) {
          if (looks % TELL_EVERY_LOOKS === 0) void this.tellBlockers(client);
        } else if (looks > limits.statementSeconds + GRACE_LOOKS) {
          client.connection.stream.destroy(new SilentDatabaseError(looks));
        }
      }
    }

    private async tellBlockers(client: ServerClient): Promise<void> {
      try {
        const { rows } = await this.query<{ who: string }>(BLOCKERS, [pids.get(client)]);
        const blockers = rows.map(({ who }) => who).join(', ');
        if (blockers) tell(`Waiting for a lock that other sessions of the database hold: ${blockers}`);
      } catch {
        // It was only for the log; whoever waits gets the error that counts.
      }
    }
  }

  return { ...pg, Client, Pool };
}
