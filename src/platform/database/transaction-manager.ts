import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { Pool, PoolClient, QueryResult } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { loggedError } from '../common/errors/logged-error';
import { DatabaseErrors } from './database-errors';
import { closeConnection, type Connection, poolOf, unhurried } from './connections';

type FollowUp = () => Promise<void> | void;

export interface Transaction {
  readonly runner: QueryRunner;
  readonly client: PoolClient;
  readonly followUps: Set<FollowUp>;
  /** Names of extensions whose handlers have run in it. */
  readonly participants: Set<string>;
  /** True if its statements may take longer than those of a request. */
  isLong: boolean;
  state: 'active' | 'committed' | 'rolled back';
}

/** In a long transaction only the wait for a lock is limited. */
const LIFT_LIMITS = `
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0;
  SET LOCAL lock_timeout = '60s'`;

const SNAPSHOT = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY';

/** For `pg`, which would otherwise apply the timeout of other statements. */
export const LONG_QUERY_TIMEOUT_MS = 3_600_000;

/** SQLSTATE of a statement after a failed one in the same transaction. */
const IN_FAILED_TRANSACTION = '25P02';

/** Runs work in a transaction, which everything that the work calls joins, including TypeORM's repositories. */
@Injectable()
export class TransactionManager implements OnModuleInit {
  private readonly logger = new Logger('Database');
  private readonly storage = new AsyncLocalStorage<Transaction>();
  private readonly createQueryRunner: DataSource['createQueryRunner'];

  constructor(
    private readonly dataSource: DataSource,
    private readonly errors: DatabaseErrors,
  ) {
    this.createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
    // TypeORM's repositories create a query runner each time. Within a transaction they get its runner.
    dataSource.createQueryRunner = (mode) => {
      const runner = this.current?.runner;
      return runner ? unreleasable(runner) : this.createQueryRunner(mode);
    };
  }

  onModuleInit(): void {
    const pool = poolOf(this.dataSource);
    const connect = pool.connect.bind(pool) as (...callback: unknown[]) => unknown;
    // Another connection could wait for the transaction, and the transaction for it.
    pool.connect = ((...callback: unknown[]) => {
      if (this.isActive) {
        throw new Error('Another connection was asked for within a transaction: use DatabaseService');
      }
      return connect(...callback);
    }) as Pool['connect'];
  }

  /** True if the caller is in a transaction. After an error of the database, no further statement can run in it. */
  get isActive(): boolean {
    return this.current !== undefined;
  }

  /**
   * Returns the transaction that the caller is in.
   * @throws Error if it was rolled back while the caller was still running
   * @internal
   */
  get current(): Transaction | undefined {
    const transaction = this.storage.getStore();
    if (transaction?.state === 'rolled back') throw rolledBackAlready();
    return transaction?.state === 'active' ? transaction : undefined;
  }

  /**
   * Runs work in one transaction; a nested call joins the outer transaction. Make no network calls in it: it holds
   * a connection, and blocks the entire embedded database. Errors of `work` are rethrown unchanged.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isActive) return work();
    const transaction = await this.begin();
    // PostgreSQL ends a connection that was idle in the transaction for too long.
    const onError = (error: Error) => void this.errors.translate(error);
    transaction.client.on('error', onError);
    let result: T;
    try {
      result = await this.storage.run(transaction, work);
      if (transaction.state !== 'active') throw rolledBack(transaction);
      await this.commit(transaction);
    } catch (error) {
      await this.rollBack(transaction);
      throw isAfterFailure(error) ? rolledBack(transaction, error) : error;
    } finally {
      unhurried.delete(connectionOf(transaction));
      transaction.client.off('error', onError);
      await transaction.runner.release();
    }
    for (const followUp of transaction.followUps) void this.follow(followUp);
    return result;
  }

  /** Runs a transaction whose statements have no time limit, such as that of an import. */
  async runLong<T>(work: () => Promise<T>): Promise<T> {
    return this.run(async () => {
      const transaction = this.current!;
      if (!transaction.isLong) await this.liftLimits(transaction);
      return work();
    });
  }

  /** Runs a long read-only transaction in one snapshot, which does not see later writes. */
  async snapshot<T>(work: () => Promise<T>): Promise<T> {
    return this.runLong(async () => {
      await this.current!.client.query(SNAPSHOT).catch((error: unknown) => {
        throw this.errors.translate(error);
      });
      return work();
    });
  }

  /**
   * Calls `followUp` after the current transaction has been committed, never after a rollback; without one,
   * immediately.
   */
  onCommit(followUp: FollowUp): void {
    const { current } = this;
    if (current) current.followUps.add(followUp);
    else void this.follow(followUp);
  }

  /** Adds an extension's name to the error of a transaction that fails because code has caught an error in it. */
  noteParticipant(name: string): void {
    this.current?.participants.add(name);
  }

  /** Rolls the current transaction back when its work ends, even if code catches the error. */
  giveUp(): void {
    const transaction = this.storage.getStore();
    if (transaction?.state === 'active') transaction.state = 'rolled back';
  }

  private async begin(): Promise<Transaction> {
    const runner = this.createQueryRunner();
    try {
      const client = (await runner.connect()) as PoolClient;
      await runner.startTransaction();
      const transaction: Transaction = {
        runner,
        client,
        followUps: new Set(),
        participants: new Set(),
        isLong: false,
        state: 'active',
      };
      refuseLateQueries(transaction);
      return transaction;
    } catch (error) {
      await runner.release();
      throw this.errors.translate(error);
    }
  }

  private async liftLimits(transaction: Transaction): Promise<void> {
    transaction.isLong = true;
    unhurried.add(connectionOf(transaction));
    await transaction.client.query(LIFT_LIMITS).catch((error: unknown) => {
      throw this.errors.translate(error);
    });
  }

  /** @throws Error if PostgreSQL answers COMMIT with a rollback, as it does after a failed statement */
  private async commit(transaction: Transaction): Promise<void> {
    // Set before COMMIT is sent, so that statements which the work has not awaited cannot follow it.
    transaction.state = 'committed';
    const query_timeout = transaction.isLong ? LONG_QUERY_TIMEOUT_MS : undefined;
    let result: QueryResult;
    try {
      result = await transaction.client.query({ text: 'COMMIT', query_timeout } as { text: string });
    } catch (error) {
      throw this.errors.translate(error);
    }
    if (result.command !== 'COMMIT') throw rolledBack(transaction);
  }

  /**
   * Sends ROLLBACK itself: TypeORM would only roll back to an open savepoint. Closes a connection that does not answer.
   */
  private async rollBack(transaction: Transaction): Promise<void> {
    transaction.state = 'rolled back';
    const rollback = { text: 'ROLLBACK', query_timeout: 5000 };
    await transaction.client.query(rollback).catch(() => closeConnection(transaction.client));
  }

  /** The commit is not affected: an error is logged and not sent to the client. */
  private async follow(followUp: FollowUp): Promise<void> {
    try {
      await followUp();
    } catch (error) {
      this.logger.error({ err: loggedError(error) }, 'Work after a commit failed');
    }
  }
}

const connectionOf = ({ client }: Transaction): Connection =>
  (client as PoolClient & { connection: Connection }).connection;

const isAfterFailure = (error: unknown): boolean =>
  (error as { code?: unknown } | undefined)?.code === IN_FAILED_TRANSACTION;

const rolledBackAlready = () =>
  new Error('The transaction was rolled back: nothing can be asked for in it any more');

function rolledBack({ participants }: Transaction, cause?: unknown): Error {
  const names = participants.size === 0 ? '' : `, by one of these perhaps: ${[...participants].join(', ')}`;
  return new Error(`The transaction was rolled back: an error in it was caught${names}`, { cause });
}

/** A statement that TypeORM's manager sends after COMMIT or ROLLBACK would be a transaction of its own. */
function refuseLateQueries(transaction: Transaction): void {
  const { runner } = transaction;
  const query = runner.query.bind(runner) as (...args: unknown[]) => Promise<never>;
  runner.query = (...args: unknown[]) =>
    transaction.state === 'active' ? query(...args) : Promise.reject(rolledBackAlready());
}

/** Returns the same query runner, which its borrower cannot release. */
function unreleasable(runner: QueryRunner): QueryRunner {
  return new Proxy(runner, {
    get: (target, property, receiver): unknown =>
      property === 'release' ? () => Promise.resolve() : Reflect.get(target, property, receiver),
  });
}
