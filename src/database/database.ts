import { AsyncLocalStorage } from 'node:async_hooks';
import type { EventEmitter } from 'node:events';
import { serialize } from 'node:v8';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type Pool, type PoolClient, Query, type QueryConfig, type QueryResult } from 'pg';
import { DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import type { PostgresDataSourceOptions } from 'typeorm/driver/postgres/PostgresDataSourceOptions.js';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import { loggedError, noteOrigin } from '../common/errors/logged-error';
import { ServiceError } from '../common/errors/service-error';
import { requestContext } from '../common/request-context';
import { isUuid } from '../common/validation/uuid';
import { within } from '../common/within';
import { AbandonableRead, type CancellingPool } from './abandonable-read';
import { type ConnectionLimits, ConnectionShares } from './connection-shares';
import { cutConnections } from './cut-connections';
import { joinTransactions, refuseConnections } from './joined-transaction';
import { KeyedReads, type KeyedRow } from './keyed-reads';
import { OutageLog } from './outage-log';
import { type CutReason, cutReason } from './cut-statements';
import { busyDatabase, translatePgError } from './pg-errors';
import { hasPipeline, type PipeliningPool } from './pipeline';
import { filteredKinds } from './row-filter';
import { type Connection, unhurried } from './unhurried';

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
  /**
   * What it shares connections with (see `ConnectionShares`); absent: those whose names begin alike up to the
   * dot, and searches if it has none. What touches a family's tables belongs to the family, `formulas/…`.
   */
  readonly group?: string;
  /** More than one request may wait for its answer: it outlives the one that asked first. */
  readonly shared?: boolean;
  /**
   * It only reads, and mostly takes about a millisecond: it may be sent on one connection behind others like
   * it before they are answered (see `Pipeline`), and is asked anew where one of those takes longer. It has a
   * name and no patience.
   */
  readonly mayPipeline?: boolean;
}

interface Run extends QueryConfig {
  values: unknown[];
  query_timeout?: number;
}

const runOf = ({ name, text, patience }: Statement, values: readonly unknown[]): Run => ({
  name,
  text,
  values: [...values],
  query_timeout: patience,
});

/** The same as an object of `pg`'s: of a plain one it copies each property's description at each run. */
const queryOf = ({ text, values, ...more }: Run): Query & Run =>
  Object.assign(new Query(text, values), more) as Query & Run;

/** Whose text an error of a statement may come from, besides the statement's own. */
function originOf({ text }: Statement): string | undefined {
  const kinds = filteredKinds(text);
  return kinds.length > 0 ? `a condition of CUSTOM_ACCESS_POLICY, perhaps: ${kinds.join(', ')}` : undefined;
}

/** For the current transaction. No query: a snapshot can still be asked for after it. */
const TAKE_TIME = `
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL lock_timeout = '60s'`;

type FollowUp = () => Promise<void> | void;

/** Does the work, which is one statement or several under one name, and says what comes of it. */
type Surrounding = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Connections of the pool, and who waits for one, at this moment. */
export interface DatabaseLoad {
  /** Connections there may be. */
  readonly most: number;
  readonly idle: number;
  readonly inUse: number;
  /** Statements that wait for a connection. */
  readonly waiting: number;
  /** Statements that wait because others about the same thing have their share of the connections. */
  readonly waitingForShare: number;
  /** The last statement found the database out of reach. */
  readonly isLost: boolean;
}

interface Transaction {
  runner: QueryRunner;
  client: PoolClient;
  /** What it has started and not awaited may still ask: that is none of it any more. */
  isOver: boolean;
  /** It has failed, or something in it was given up: it is undone, and refuses what it still asks for. */
  isGivenUp: boolean;
  /** What is called when it has been committed. */
  readonly followUps: Set<FollowUp>;
  /** Whose work it had in it, besides our own. */
  readonly others: Set<string>;
}

/** What is undone as a whole when it fails: a transaction, and others' work within one. */
interface Undoable {
  /** It has failed or was given up: what it has left at work may ask for nothing. */
  isUndone: boolean;
  /** The one in which it was begun. */
  readonly outer: Undoable | undefined;
}

function isLeftOver(work: Undoable | undefined): boolean {
  for (let one = work; one; one = one.outer) if (one.isUndone) return true;
  return false;
}

/** PostgreSQL undoes what had an error in it, whoever caught that. */
function rolledBack({ others }: Transaction, cause?: unknown): Error {
  const names = others.size === 0 ? '' : `, by one of these perhaps: ${[...others].join(', ')}`;
  return new Error(`The transaction was rolled back: an error in it was caught${names}`, { cause });
}

const notWaiting = () => new Error('The transaction is not waiting any more: nothing can be asked for in it');

/** All of it: TypeORM goes back no further than to a savepoint that is still open. */
async function rollBack(runner: QueryRunner): Promise<void> {
  const ignore = () => undefined;
  if (runner.isTransactionActive) await runner.rollbackTransaction().catch(ignore);
  // One that fails means the connection is gone, and with it the transaction.
  if (runner.isTransactionActive) await runner.query('ROLLBACK').catch(ignore);
}

const ABORTED_STATE = '25P02';

const connectionOf = ({ client }: Transaction): Connection =>
  (client as PoolClient & { connection: Connection }).connection;

/** Transactions share connections as statements do, and so does what goes through TypeORM. */
const TRANSACTIONS = 'transactions';
const ENTITIES = 'entities';

/** What a statement without a name is called where it is followed. */
const UNNAMED = 'unnamed';

/** What searches share connections with: they are slow, and what is short must not wait for them. */
export const SEARCHES = 'searches';

/** Every request with a token asks for its user; health is asked for when nothing else works. */
const RESERVED = new Set(['users', 'health']);

/** Statements about one thing are named alike: `formulas.read`, `formulas.list`. */
function groupOf({ name, group }: Statement): string {
  if (group !== undefined || name === undefined) return group ?? SEARCHES;
  const end = name.indexOf('.');
  return end < 0 ? name : name.slice(0, end);
}

/**
 * Those of a group and of a family may all wait for locks, and connections are left to the others, one of
 * them for the pipeline. The embedded database has one session for all.
 */
function connectionLimits({ options }: DataSource): ConnectionLimits {
  const { url, poolSize = 0 } = (options ?? {}) as Partial<PostgresDataSourceOptions>;
  if (!url) return { group: Infinity, family: Infinity, all: Infinity, reserved: RESERVED };
  const group = Math.max(1, Math.floor((poolSize - 1) / 3));
  const all = Math.max(1, poolSize - (hasPipeline(poolSize) ? 2 : 1));
  // Room for short reads beside the heavy turns of a family, and for another group that waits as well.
  const family = Math.min(all, Math.max(3, Math.floor(poolSize / 2)));
  return { group, family, all, reserved: RESERVED };
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
export class Database implements OnModuleInit {
  private readonly current = new AsyncLocalStorage<Transaction>();
  /** What something belongs to; known when there is no transaction any more, too. */
  private readonly undoable = new AsyncLocalStorage<Undoable | undefined>();
  private readonly logger = new Logger('Database');
  private readonly outages = new OutageLog();
  private whenCut?: (reason: CutReason) => void;
  private surrounding?: Surrounding;
  private readonly shares: ConnectionShares;
  private readonly keyed = new Map<Statement, KeyedReads<KeyedRow>>();
  /** The same of statements with further values, by these, while somebody waits for an answer. */
  private readonly keyedWith = new Map<
    Statement,
    Map<string, { reads: KeyedReads<KeyedRow>; waiting: number }>
  >();

  constructor(private readonly dataSource: DataSource) {
    joinTransactions(dataSource, () => this.joined?.runner);
    this.shares = new ConnectionShares(connectionLimits(dataSource));
  }

  onModuleInit(): void {
    refuseConnections(this.pool, () => this.joined !== undefined);
  }

  /**
   * Rows of a prepared statement. `numeric` and `int8` are numbers, `timestamptz` is a Date.
   *
   * One that only reads, outside of a transaction, is cancelled when the client of its request goes away: a
   * SELECT or WITH without a word that writes. Call a function that writes inside a transaction.
   */
  query<Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> {
    const { surrounding } = this;
    if (!surrounding) return this.ask<Row>(statement, values);
    const name = statement.name ?? statement.group ?? UNNAMED;
    return surrounding(name, () => this.ask<Row>(statement, values));
  }

  /** Every request comes this way, some twice: a function more that is async is two promises more. */
  private ask<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    if (this.isRefused) return Promise.reject(notWaiting());
    const { open } = this;
    if (open) return this.askIn<Row>(open, statement, values);
    return this.askOn<Row>(statement, values);
  }

  private async askIn<Row>(
    { client }: Transaction,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<Row[]> {
    try {
      const { rows } = await client.query(runOf(statement, values));
      this.outages.answered();
      return rows as Row[];
    } catch (error) {
      throw this.failureOf(statement, error);
    }
  }

  private async askOn<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    const pool = this.pool as Pool & Partial<CancellingPool & PipeliningPool>;
    const run = runOf(statement, values);
    const read = new AbandonableRead(run.text, run.values, pool);
    const signal = statement.shared ? undefined : requestContext.getStore()?.signal;
    const alone = () => this.askAlone(groupOf(statement), run, read);
    const abandon = () => read.abandon();
    signal?.addEventListener('abort', abandon);
    try {
      if (signal?.aborted) abandon();
      if (read.isAbandoned) throw busyDatabase();
      const answer = statement.mayPipeline ? pool.askBehind?.(queryOf(run), alone) : undefined;
      const { rows } = await (answer ?? alone());
      this.outages.answered();
      return rows as Row[];
    } catch (error) {
      throw this.failureOf(statement, error, read.isAbandoned);
    } finally {
      read.hasEnded = true;
      signal?.removeEventListener('abort', abandon);
    }
  }

  /** On a connection of its own, when it is its group's turn. */
  private askAlone(group: string, run: Run, read: AbandonableRead): Promise<QueryResult> {
    const { pool, shares } = this;
    const ask = async () => {
      try {
        // Nobody is there any more, or it has been answered in the pipeline.
        if (read.isAbandoned || read.hasEnded) throw busyDatabase();
        return await pool.query(queryOf(run) as Run);
      } finally {
        shares.leave(group);
      }
    };
    return shares.enter(group)?.then(ask) ?? ask();
  }

  /**
   * The row with this id. Reads of one statement go out together, those of one turn of the event loop and
   * those that come while others are under way (see `KeyedReads`).
   * @param statement a constant; it selects `id` and has `WHERE id = ANY ($1::uuid[])`
   * @param id what is no UUID names no row: it must not spoil the reads that go out with it
   * @param values from $2 on: only reads with the same ones go out together
   */
  findById<Row extends KeyedRow>(
    statement: Statement,
    id: string,
    values: readonly unknown[] = [],
  ): Promise<Row | undefined> {
    if (!isUuid(id)) return Promise.resolve(undefined);
    const key = id.toLowerCase();
    if (this.isRefused) return Promise.reject(notWaiting());
    // A transaction sees its own rows: it asks for itself.
    if (this.open) return this.query<Row>(statement, [[key], ...values]).then(([row]) => row);
    if (values.length > 0) return this.findByIdWith<Row>(statement, key, values);
    let reads = this.keyed.get(statement);
    if (!reads) this.keyed.set(statement, (reads = this.keyedReads(statement)));
    return reads.read(key) as Promise<Row | undefined>;
  }

  private async findByIdWith<Row extends KeyedRow>(
    statement: Statement,
    key: string,
    values: readonly unknown[],
  ): Promise<Row | undefined> {
    let byValues = this.keyedWith.get(statement);
    if (!byValues) {
      byValues = new Map<string, { reads: KeyedReads<KeyedRow>; waiting: number }>();
      this.keyedWith.set(statement, byValues);
    }
    const asked = serialize(values).toString('latin1');
    let together = byValues.get(asked);
    if (!together) {
      together = { reads: this.keyedReads(statement, values), waiting: 0 };
      byValues.set(asked, together);
    }
    together.waiting += 1;
    try {
      return (await together.reads.read(key)) as Row | undefined;
    } finally {
      together.waiting -= 1;
      if (together.waiting === 0) byValues.delete(asked);
    }
  }

  private keyedReads(statement: Statement, values: readonly unknown[] = []): KeyedReads<KeyedRow> {
    const shared = { ...statement, shared: true };
    return new KeyedReads((ids) => this.query<KeyedRow>(shared, [ids, ...values]));
  }

  /**
   * Work on entities, within the current transaction if there is one.
   * @param group what it shares connections with, as of a `Statement`
   */
  orm<T>(work: (manager: EntityManager) => Promise<T>, group = ENTITIES): Promise<T> {
    const { surrounding } = this;
    return surrounding ? surrounding(group, () => this.work(work, group)) : this.work(work, group);
  }

  private async work<T>(work: (manager: EntityManager) => Promise<T>, group: string): Promise<T> {
    const { joined } = this;
    if (!joined) await this.shares.enter(group);
    try {
      return await work(joined?.runner.manager ?? this.dataSource.manager);
    } catch (error) {
      throw this.translated(error);
    } finally {
      if (!joined) this.shares.leave(group);
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
    if (this.joined) return work();
    const followUps = new Set<FollowUp>();
    const { surrounding } = this;
    const result = surrounding
      ? await surrounding(TRANSACTIONS, () => this.ownTransaction(work, followUps))
      : await this.ownTransaction(work, followUps);
    for (const followUp of followUps) void this.follow(followUp);
    return result;
  }

  private async ownTransaction<T>(work: () => Promise<T>, followUps: Set<FollowUp>): Promise<T> {
    await this.shares.enter(TRANSACTIONS);
    try {
      return await this.transactionOn(this.dataSource.createQueryRunner(), work, followUps);
    } finally {
      this.shares.leave(TRANSACTIONS);
    }
  }

  private async transactionOn<T>(
    runner: QueryRunner,
    work: () => Promise<T>,
    followUps: Set<FollowUp>,
  ): Promise<T> {
    let transaction: Transaction | undefined;
    const noteCut = (error: unknown) => this.noteCut(error);
    try {
      const client = await this.begin(runner);
      transaction = { runner, client, isOver: false, isGivenUp: false, followUps, others: new Set() };
      this.guard(transaction);
      // The end of an idle one is told to nobody who asked: what it asks next has only lost its connection.
      if (this.whenCut) client.on('error', noteCut);
      const result = await this.current.run(transaction, () => this.undoneTogether(work));
      if (transaction.isGivenUp) throw rolledBack(transaction);
      if (isLeftOver(this.undoable.getStore())) throw notWaiting();
      // Before its end, not after it: what it has not awaited must not be sent behind that.
      transaction.isOver = true;
      await this.commit(transaction);
      return result;
    } catch (error) {
      if (transaction) transaction.isOver = transaction.isGivenUp = true;
      // Whatever it is itself left over from: its end is no statement of that.
      await this.undoable.run(undefined, () => rollBack(runner));
      // Of a statement behind the one that failed.
      const isBehind = (error as { code?: unknown } | undefined)?.code === ABORTED_STATE;
      throw transaction && isBehind ? rolledBack(transaction, error) : error;
    } finally {
      if (transaction) {
        unhurried.delete(connectionOf(transaction));
        if (this.whenCut) transaction.client.off('error', noteCut);
      }
      await runner.release();
    }
  }

  /** What `work` has left at work when it fails asks for nothing any more. */
  private async undoneTogether<T>(work: () => Promise<T>): Promise<T> {
    const together: Undoable = { isUndone: false, outer: this.undoable.getStore() };
    try {
      return await this.undoable.run(together, work);
    } catch (error) {
      together.isUndone = true;
      throw error;
    }
  }

  /** Who holds its manager and was not awaited would write behind its end: that would stay. */
  private guard(transaction: Transaction): void {
    const { runner } = transaction;
    const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<unknown>;
    runner.query = async (...args: unknown[]): Promise<never> => {
      const { isOver, isGivenUp } = transaction;
      if ((isOver || isGivenUp) && this.current.getStore() === transaction) throw notWaiting();
      if (isLeftOver(this.undoable.getStore())) throw notWaiting();
      return query(...args) as Promise<never>;
    };
  }

  /**
   * Work of others within the current transaction, waited for no longer than `patience` milliseconds. What is
   * given up may go on, and so may what work that fails has begun (others of a `Promise.all`). What that then
   * asks for is refused: it would stay though the transaction is undone.
   * @param whose name for the log
   * @param tooLong called then: what is thrown
   */
  async waitInTransaction<T>(
    whose: string,
    patience: number,
    tooLong: () => unknown,
    work: () => Promise<T>,
  ): Promise<T> {
    const transaction = this.joined!;
    transaction.others.add(whose);
    const giveUp = () => {
      transaction.isGivenUp = true;
      return tooLong();
    };
    return this.undoneTogether(() => within(patience, giveUp, work));
  }

  /** Calls it once the current transaction has been committed, never when it is undone; now without one. */
  onceCommitted(followUp: () => Promise<void> | void): void {
    const { joined } = this;
    if (joined) joined.followUps.add(followUp);
    else void this.follow(followUp);
  }

  /** What is written stays written: a failure is told in the log, and is nobody's answer. */
  private async follow(followUp: FollowUp): Promise<void> {
    try {
      await followUp();
    } catch (error) {
      this.logger.error({ err: loggedError(error) }, 'What was to follow a commit failed');
    }
  }

  /**
   * A transaction whose statements may take their time, such as an import's. Its wait for a lock ends all the
   * same, and the log tells whom it waits for.
   */
  async longTransaction<T>(work: () => Promise<T>): Promise<T> {
    return this.transaction(async () => {
      const connection = connectionOf(this.joined!);
      if (unhurried.has(connection)) return work();
      // Until the transaction has ended: a commit may take its time as well.
      unhurried.add(connection);
      await this.query({ text: TAKE_TIME });
      return work();
    });
  }

  /**
   * Whether the caller is in a transaction: behind an error of the database nothing can be asked in it.
   * @internal
   */
  get isInTransaction(): boolean {
    return this.joined !== undefined;
  }

  /**
   * For whoever measures.
   * @param listener told of every statement that was ended before its end; must not throw
   * @internal
   */
  watchCuts(listener: (reason: CutReason) => void): void {
    this.whenCut = listener;
  }

  /**
   * For whoever traces.
   * @param surrounding around every statement, work on entities and transaction: gets its name, never its
   *   text or values, and throws what the work throws
   * @internal
   */
  surround(surrounding: Surrounding): void {
    this.surrounding = surrounding;
  }

  /**
   * What the connections are at, for whoever measures.
   * @internal
   */
  get load(): DatabaseLoad {
    const { totalCount = 0, idleCount = 0, waitingCount = 0, options } = (this.pool ?? {}) as Partial<Pool>;
    return {
      most: options?.max ?? 0,
      idle: idleCount,
      inUse: totalCount - idleCount,
      waiting: waitingCount,
      waitingForShare: this.shares.waitingCount,
      isLost: this.outages.isLost,
    };
  }

  /** Cuts every connection: whoever waits for an answer gets none. For the end of the service. */
  cut(): void {
    cutConnections(this.pool, 'The service stops');
  }

  private failureOf(statement: Statement, error: unknown, isAbandoned?: boolean): unknown {
    // Our own refusal: no place, or nobody there any more.
    if (error instanceof ServiceError) return error;
    const translated = this.translated(error, isAbandoned);
    const origin = originOf(statement);
    if (origin !== undefined) noteOrigin(translated, origin);
    return translated;
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

  /** @throws Error where PostgreSQL answered COMMIT with a rollback, as it does after a failed statement */
  private async commit(transaction: Transaction): Promise<void> {
    const { connection } = transaction.client as PoolClient & { connection: EventEmitter };
    let isCommitted = false;
    const note = ({ text }: { text: string }) => {
      isCommitted ||= text === 'COMMIT';
    };
    connection.on('commandComplete', note);
    try {
      await transaction.runner.commitTransaction();
    } catch (error) {
      throw this.translated(error);
    } finally {
      connection.off('commandComplete', note);
    }
    if (!isCommitted) throw rolledBack(transaction);
  }

  private get joined(): Transaction | undefined {
    if (this.isRefused) throw notWaiting();
    return this.open;
  }

  private get open(): Transaction | undefined {
    const transaction = this.current.getStore();
    return transaction?.isOver ? undefined : transaction;
  }

  /** What asks was left at work by something that has been undone. */
  private get isRefused(): boolean {
    return this.current.getStore()?.isGivenUp === true || isLeftOver(this.undoable.getStore());
  }

  private translated(error: unknown, isAbandoned?: boolean): unknown {
    const translated = translatePgError(error);
    this.outages.failed(translated);
    this.noteCut(error, isAbandoned);
    return translated;
  }

  private noteCut(error: unknown, isAbandoned?: boolean): void {
    const reason = this.whenCut && cutReason(error, isAbandoned);
    if (reason) this.whenCut?.(reason);
  }

  private get pool(): Pool {
    return (this.dataSource.driver as PostgresDriver).master as Pool;
  }
}
