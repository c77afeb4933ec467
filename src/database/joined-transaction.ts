import type { Pool } from 'pg';
import type { DataSource, QueryRunner } from 'typeorm';

/**
 * Lets everything that asks this data source for a query runner (repositories by `@InjectRepository`, its own
 * manager) join the transaction that is current: beside it they would stay after a rollback, and on the
 * embedded database wait for it until it is ended.
 * @param current the query runner of the transaction that the caller is in
 */
export function joinTransactions(dataSource: DataSource, current: () => QueryRunner | undefined): void {
  const create = dataSource.createQueryRunner.bind(dataSource);
  dataSource.createQueryRunner = (mode) => {
    const runner = current();
    return runner ? borrowed(runner) : create(mode);
  };
}

/**
 * What works in a transaction and asks the pool itself would wait for a connection while it holds one: for
 * ever where there is one only, as in the embedded database. It is told at once.
 * @param isJoined whether the caller is in a transaction
 */
export function refuseConnections(pool: Pool, isJoined: () => boolean): void {
  const connect = pool.connect.bind(pool) as (...callback: unknown[]) => unknown;
  pool.connect = ((...callback: unknown[]) => {
    if (isJoined()) throw new Error('Another connection was asked for within a transaction: use Database');
    return connect(...callback);
  }) as Pool['connect'];
}

const keep = () => Promise.resolve();

/** The same query runner, which whoever borrows it cannot release. */
function borrowed(runner: QueryRunner): QueryRunner {
  return new Proxy(runner, {
    get: (target, property, receiver): unknown =>
      property === 'release' ? keep : Reflect.get(target, property, receiver),
  });
}
