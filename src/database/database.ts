import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { isUuid } from '../common/validation/uuid';
import { KeyedReads, type KeyedRow } from './keyed-reads';
import { OutageLog } from './outage-log';
import { translatePgError } from './pg-errors';

/**
 * SQL, with a name prepared once per connection under it (the name must be unique to its text); without one
 * planned anew for the values of each run.
 */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  /**
   * Milliseconds after which an answer is no longer waited for: the database then counts as out of reach, and
   * the connection, which may be dead, is given up.
   */
  readonly patience?: number;
}

interface Transaction {
  runner: QueryRunner;
  client: PoolClient;
}

/**
 * The way to the database. Everything called inside `transaction` runs on that transaction, without a context
 * being passed by hand: forgetting it would deadlock on the embedded database, which has one session.
 *
 * Two ways in: `query` for prepared statements (TypeORM's own `query` takes no statement name, the driver's
 * pool does), `orm` for TypeORM's entity manager. Both throw what `translatePgError` makes of a database's
 * error.
 */
@Injectable()
export class Database {
  private readonly current = new AsyncLocalStorage<Transaction>();
  private readonly outages = new OutageLog();
  private readonly keyed = new Map<Statement, KeyedReads<KeyedRow>>();

  constructor(private readonly dataSource: DataSource) {}

  /** Rows of a prepared statement. `numeric` and `int8` are numbers, `timestamptz` is a Date. */
  async query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { name, text, patience } = statement;
    const query = { name, text, values: [...values], query_timeout: patience };
    try {
      const result = await (this.current.getStore()?.client ?? this.pool).query(query);
      this.outages.answered();
      return result.rows as Row[];
    } catch (error) {
      throw this.translated(error);
    }
  }

  /**
   * The row with this id. Reads of one statement in one turn of the event loop go out together (see
   * `KeyedReads`).
   * @param statement a constant; it selects `id` and has `WHERE id = ANY ($1::uuid[])`
   * @param id what is no UUID names no row: it must not spoil the reads that go out with it
   */
  async findById<Row extends KeyedRow>(statement: Statement, id: string): Promise<Row | undefined> {
    if (!isUuid(id)) return undefined;
    const key = id.toLowerCase();
    // A transaction sees its own rows: it asks for itself.
    if (this.current.getStore()) return (await this.query<Row>(statement, [[key]]))[0];
    let reads = this.keyed.get(statement);
    if (!reads) {
      reads = new KeyedReads<KeyedRow>((ids) => this.query<KeyedRow>(statement, [ids]));
      this.keyed.set(statement, reads);
    }
    return reads.read(key) as Promise<Row | undefined>;
  }

  /** Work on entities, within the current transaction if there is one. */
  async orm<T>(work: (manager: EntityManager) => Promise<T>): Promise<T> {
    try {
      return await work(this.current.getStore()?.runner.manager ?? this.dataSource.manager);
    } catch (error) {
      throw this.translated(error);
    }
  }

  /**
   * All or nothing. A transaction inside a transaction is the same transaction. No network call belongs
   * inside: it would hold a connection, and the whole embedded database, for as long as it takes.
   *
   * What `work` throws passes unchanged: `query` and `orm` have said what their errors mean, and a file that
   * the work did not find is no database out of reach.
   */
  async transaction<T>(work: () => Promise<T>): Promise<T> {
    if (this.current.getStore()) return work();
    const runner = this.dataSource.createQueryRunner();
    try {
      const client = await this.begin(runner);
      const result = await this.current.run({ runner, client }, work);
      await this.commit(runner);
      return result;
    } catch (error) {
      // A rollback that fails means the connection is gone, and with it the transaction.
      if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    } finally {
      await runner.release();
    }
  }

  private async begin(runner: QueryRunner): Promise<PoolClient> {
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      return client;
    } catch (error) {
      throw this.translated(error);
    }
  }

  private async commit(runner: QueryRunner): Promise<void> {
    try {
      await runner.commitTransaction();
    } catch (error) {
      throw this.translated(error);
    }
  }

  private translated(error: unknown): unknown {
    const translated = translatePgError(error);
    this.outages.failed(translated);
    return translated;
  }

  private get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }
}
