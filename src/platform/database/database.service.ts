import type { ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import DataLoader from 'dataloader';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import { noteOrigin } from '../common/errors/logged-error';
import { requestContext } from '../common/request-context';
import { isUuid } from '../validation/uuid';
import { cancellableQuery, DisconnectedError } from './cancellable-query';
import { closeConnection, poolOf } from './connections';
import { type CancelReason, DatabaseErrors, filteredKinds } from './database-errors';
import { busyDatabase } from './pg-errors';
import { LONG_QUERY_TIMEOUT_MS, TransactionManager } from './transaction-manager';

/**
 * SQL with a name. Each connection prepares a named statement once, so the name must be unique to its text. Without
 * a name, PostgreSQL plans the statement for the values of each run.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** Timeout after which the connection is closed, because it may be dead, and the database counts as unreachable. */
  readonly timeoutMs?: number;
  /** Several requests may wait for the result, so it is not cancelled when the client of one of them disconnects. */
  readonly shared?: boolean;
  /** Every request needs the statement, so it runs on reserved connections. */
  readonly reserved?: boolean;
}

/** A row that is read by its id. */
interface KeyedRow {
  id: string;
}

type Query = QueryConfig & { text: string };

/** Wraps work that consists of one statement, or of several with one name. */
type Surrounding = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** The current state of the connection pool. */
export interface DatabaseLoad {
  /** Size of the pool. */
  readonly most: number;
  readonly idle: number;
  readonly inUse: number;
  /** Number of statements that wait for a connection. */
  readonly waiting: number;
  /** True from a statement that could not reach the database until one succeeds. */
  readonly isLost: boolean;
}

/** The part of a data source's options that concerns a server. */
interface ServerOptions {
  readonly url?: string;
  readonly driver: { Pool: typeof Pool };
  readonly extra?: object;
}

/** Names in traces for work without a statement name. */
const ENTITIES = 'entities';
const UNNAMED = 'unnamed';

/**
 * Runs statements: `query` runs prepared ones, which TypeORM's `query` does not support, `orm` those of TypeORM's
 * entity manager. Both join the current transaction, and throw the errors of `translatePgError`.
 */
@Injectable()
export class DatabaseService implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly reservedPool: Pool;
  /** Only a server can cancel statements. The single session of the embedded database completes every statement. */
  private readonly isServer: boolean;
  private readonly busyClients = new Set<PoolClient>();
  /** Loaders by the text of their statement. */
  private readonly loaders = new Map<string, DataLoader<string, KeyedRow | undefined>>();
  private surrounding: Surrounding = (_, work) => work();

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: TransactionManager,
    private readonly errors: DatabaseErrors,
  ) {
    const { url, driver, extra } = dataSource.options as ServerOptions;
    this.pool = poolOf(dataSource);
    this.isServer = url !== undefined;
    this.pool.on('acquire', (client) => this.busyClients.add(client));
    this.pool.on('release', (_, client) => this.busyClients.delete(client));
    this.reservedPool = this.isServer ? reservedPool(driver, { connectionString: url, ...extra }) : this.pool;
  }

  async onApplicationShutdown(): Promise<void> {
    // An application may be closed twice.
    if (this.reservedPool !== this.pool && !this.reservedPool.ending) await this.reservedPool.end();
  }

  /**
   * Returns the rows of a prepared statement. `numeric` and `int8` are numbers, `timestamptz` is a Date.
   *
   * Outside of a transaction, a statement that only reads (a SELECT or WITH without a keyword that writes) is
   * cancelled when the client of its request disconnects. Call a function that writes inside a transaction.
   */
  query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const isCancellable = this.isServer && !statement.shared;
    const response = isCancellable ? requestContext.getStore()?.response : undefined;
    return this.surrounding(statement.name ?? UNNAMED, () => this.execute<Row>(statement, values, response));
  }

  /**
   * Returns the row with this id. All reads of one turn of the event loop share a statement.
   * @param statement one of a fixed number of texts; it selects `id` and has `WHERE id = ANY ($1::uuid[])`
   * @param values parameters from $2 on; a read with such values is sent separately
   */
  async findById<Row extends KeyedRow>(
    statement: Statement,
    id: string,
    values: readonly unknown[] = [],
  ): Promise<Row | undefined> {
    if (!isUuid(id)) return undefined;
    const key = id.toLowerCase();
    // A transaction sees its own uncommitted rows, so it cannot share a read.
    if (values.length > 0 || this.transactions.isActive) {
      const [row] = await this.query<Row>(statement, [[key], ...values]);
      return row;
    }
    return (await this.loaderOf(statement).load(key)) as Row | undefined;
  }

  /** Runs work on entities, within the current transaction if there is one. */
  orm<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    return this.surrounding(ENTITIES, async () => {
      try {
        return await work(this.transactions.current?.runner.manager ?? this.dataSource.manager);
      } catch (error) {
        throw this.errors.translate(error);
      }
    });
  }

  /**
   * Calls `surrounding` with the name of each statement, never with its text or values, for traces.
   * @internal
   */
  surround(surrounding: Surrounding): void {
    this.surrounding = surrounding;
  }

  /**
   * Calls `listener` for each statement that ended early, for metrics.
   * @internal
   */
  watchCuts(listener: (reason: CancelReason) => void): void {
    this.errors.watchCancelled(listener);
  }

  /** Closes all connections in use, whose statements then fail. Used when a shutdown takes too long. */
  cut(): void {
    for (const client of this.busyClients) closeConnection(client);
  }

  /** @internal */
  get load(): DatabaseLoad {
    const { totalCount, idleCount, waitingCount, options } = this.pool;
    return {
      most: options.max,
      idle: idleCount,
      inUse: totalCount - idleCount,
      waiting: waitingCount,
      isLost: this.errors.isLost,
    };
  }

  private async execute<Row>(
    statement: Statement,
    values: readonly unknown[],
    response?: ServerResponse,
  ): Promise<Row[]> {
    try {
      const { rows } = await this.send(statement, values, response);
      if (this.errors.isLost) this.errors.answered();
      return rows as Row[];
    } catch (error) {
      throw this.describe(statement, error);
    }
  }

  private send(
    statement: Statement,
    values: readonly unknown[],
    response?: ServerResponse,
  ): Promise<QueryResult> {
    const { current } = this.transactions;
    const { name, text, timeoutMs } = statement;
    const query_timeout = timeoutMs ?? (current?.isLong ? LONG_QUERY_TIMEOUT_MS : undefined);
    // `pg` changes the list of values.
    const query = { name, text, values: [...values], query_timeout } as Query;
    if (current) return current.client.query(query);
    const pool = statement.reserved ? this.reservedPool : this.pool;
    return response ? cancellableQuery(pool, query, response) : pool.query(query);
  }

  private loaderOf(statement: Statement): DataLoader<string, KeyedRow | undefined> {
    const known = this.loaders.get(statement.text);
    if (known) return known;
    const shared = { ...statement, shared: true };
    const loader = new DataLoader<string, KeyedRow | undefined>(
      async (ids) => {
        const rows = await this.query<KeyedRow>(shared, [[...new Set(ids)]]);
        const byId = new Map(rows.map((row) => [row.id, row]));
        return ids.map((id) => byId.get(id));
      },
      { cache: false, maxBatchSize: 100, batchScheduleFn: (send) => setImmediate(send) },
    );
    this.loaders.set(statement.text, loader);
    return loader;
  }

  private describe(statement: Statement, error: unknown): unknown {
    if (error instanceof DisconnectedError) {
      this.errors.cancelled();
      return busyDatabase(error);
    }
    const translated = this.errors.translate(error);
    const origin = originOf(statement);
    if (origin !== undefined) noteOrigin(translated, origin);
    return translated;
  }
}

/** Names the extension whose SQL in the statement may have caused the error. */
function originOf({ text }: Statement): string | undefined {
  const kinds = filteredKinds(text);
  return kinds.length > 0 ? `a condition of CUSTOM_ACCESS_POLICY, perhaps: ${kinds.join(', ')}` : undefined;
}

/** Creates the pool for statements that every request needs. */
function reservedPool(driver: { Pool: typeof Pool }, options: object): Pool {
  const pool = new driver.Pool({ ...options, max: 2 });
  // The next statement reports the error. An unhandled event would end the process.
  pool.on('error', () => undefined);
  return pool;
}
