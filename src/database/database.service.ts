import type { ServerResponse } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type DataLoader from 'dataloader';
import type { Client, Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { DataSource, type EntityManager } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { noteOrigin } from '../common/errors/logged-error';
import { requestContext } from '../common/request-context';
import { isUuid } from '../common/validation/uuid';
import { batchLoader, type KeyedRow } from './batch-loader';
import { cancellableQuery, DisconnectedError } from './cancellable-query';
import { type CancelReason, DatabaseErrors, filteredKinds } from './database-errors';
import { busyDatabase } from './pg-errors';
import { LONG_QUERY_TIMEOUT_MS, TransactionManager } from './transaction-manager';

/**
 * SQL, with a name under which each connection prepares it once (the name must be unique to its text).
 * Without a name PostgreSQL plans it for the values of each run.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /** After this time the connection, which may be dead, is closed and the database counts as unreachable. */
  readonly timeoutMs?: number;
  /** Several requests may wait for its answer: it is not cancelled when the client of one disconnects. */
  readonly shared?: boolean;
  /** Every request needs it: it runs on connections of its own, which nothing else can occupy. */
  readonly reserved?: boolean;
}

type Query = QueryConfig & { text: string };

/** Runs work that is one statement, or several under one name. */
type Surrounding = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** The connections of the pool at this moment. */
export interface DatabaseLoad {
  /** Size of the pool. */
  readonly most: number;
  readonly idle: number;
  readonly inUse: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  /** True from a statement that could not reach the database until one is answered. */
  readonly isLost: boolean;
}

/** What of a data source's options is the server's, where there is one. */
interface ServerOptions {
  readonly url?: string;
  readonly driver: { Pool: typeof Pool };
  readonly extra?: object;
}

/** Connections for statements that every request needs. */
const RESERVED_CONNECTIONS = 2;

/** The names under which traces show work without one. */
const ENTITIES = 'entities';
const UNNAMED = 'unnamed';

/**
 * Runs statements: `query` prepared ones, which TypeORM's own `query` cannot, `orm` those of TypeORM's
 * entity manager. Both join the current transaction, and throw what `translatePgError` makes of the
 * database's errors.
 */
@Injectable()
export class DatabaseService implements OnApplicationShutdown {
  private readonly pool: Pool;
  private readonly reservedPool: Pool;
  /** Only a server cancels statements. The one session of the embedded database ends what it has begun. */
  private readonly isServer: boolean;
  private readonly busyClients = new Set<PoolClient>();
  /** By the text of their statement. */
  private readonly loaders = new Map<string, DataLoader<string, KeyedRow | undefined>>();
  private surrounding: Surrounding = (_, work) => work();

  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: TransactionManager,
    private readonly errors: DatabaseErrors,
  ) {
    const { url, driver, extra } = dataSource.options as unknown as ServerOptions;
    this.pool = (dataSource.driver as PostgresDriver).master as Pool;
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
   * Rows of a prepared statement. `numeric` and `int8` are numbers, `timestamptz` is a Date.
   *
   * Outside of a transaction a statement that only reads (a SELECT or WITH without a word that writes) is
   * cancelled when the client of its request disconnects. Call a function that writes inside a transaction.
   */
  query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const isCancellable = this.isServer && !statement.shared;
    const response = isCancellable ? requestContext.getStore()?.response : undefined;
    return this.surrounding(statement.name ?? UNNAMED, () => this.execute<Row>(statement, values, response));
  }

  /**
   * The row with this id. Reads of one turn of the event loop go out in one statement.
   * @param statement one of a fixed number of texts; it selects `id` and has `WHERE id = ANY ($1::uuid[])`
   * @param values from $2 on: a read with some is sent by itself
   */
  async findById<Row extends KeyedRow>(
    statement: Statement,
    id: string,
    values: readonly unknown[] = [],
  ): Promise<Row | undefined> {
    if (!isUuid(id)) return undefined;
    const key = id.toLowerCase();
    // A transaction sees its own rows, so it reads for itself.
    if (values.length > 0 || this.transactions.isActive) {
      const [row] = await this.query<Row>(statement, [[key], ...values]);
      return row;
    }
    return (await this.loaderOf(statement).load(key)) as Row | undefined;
  }

  /** Work on entities, within the current transaction if there is one. */
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
   * Calls `listener` for each statement that was ended early, for metrics.
   * @internal
   */
  watchCuts(listener: (reason: CancelReason) => void): void {
    this.errors.watchCancelled(listener);
  }

  /** Closes the connections in use: whoever waits for an answer gets none. For the end of the service. */
  cut(): void {
    for (const client of this.busyClients) void (client as unknown as Client).end();
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
      this.errors.answered();
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
    // `pg` writes into the list of values.
    const query = { name, text, values: [...values], query_timeout } as Query;
    if (current) return current.client.query(query);
    const pool = statement.reserved ? this.reservedPool : this.pool;
    return response ? cancellableQuery(pool, query, response) : pool.query(query);
  }

  private loaderOf(statement: Statement): DataLoader<string, KeyedRow | undefined> {
    const known = this.loaders.get(statement.text);
    if (known) return known;
    const shared = { ...statement, shared: true };
    const loader = batchLoader((ids) => this.query<KeyedRow>(shared, [ids]));
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

/** Whose text an error of a statement may come from, besides the statement's own. */
function originOf({ text }: Statement): string | undefined {
  const kinds = filteredKinds(text);
  return kinds.length > 0 ? `a condition of CUSTOM_ACCESS_POLICY, perhaps: ${kinds.join(', ')}` : undefined;
}

function reservedPool(driver: { Pool: typeof Pool }, options: object): Pool {
  const pool = new driver.Pool({ ...options, max: RESERVED_CONNECTIONS });
  // The next statement finds out; unhandled, the event would end the process.
  pool.on('error', () => undefined);
  return pool;
}
