import { EventEmitter } from 'node:events';
import { Query } from 'pg';
import type { DataSource } from 'typeorm';
import { Database } from '../../src/database/database';

/** Errors that the steps of a transaction fail with. */
export interface Faults {
  connect?: Error;
  begin?: Error;
  query?: Error;
  commit?: Error;
  rollback?: Error;
  /** A statement of the transaction has failed: PostgreSQL answers COMMIT with a rollback. */
  isAborted?: boolean;
  /** A savepoint is open: TypeORM goes back to that only. */
  hasSavepoint?: boolean;
  /** Called while a transaction is being ended. */
  atEnd?: () => void;
}

/** As TypeORM ends a transaction by a statement of its query runner's. */
const OF_ITS_OWN = '';

/**
 * A database on a data source without a server, the steps of its transactions, and the statements it was
 * sent.
 */
export function databaseWithoutServer(
  faults: Faults = {},
  options: { url?: string; poolSize?: number } = {},
) {
  const taken: string[] = [];
  const statements: {
    on: string;
    text: string;
    name?: string;
    values?: unknown[];
    query_timeout?: number;
    /** An object of the driver's, not a configuration. */
    isQuery: boolean;
  }[] = [];
  const take = (step: Exclude<keyof Faults, 'isAborted' | 'hasSavepoint' | 'atEnd'>) => {
    taken.push(step);
    return faults[step] ? Promise.reject(faults[step]) : Promise.resolve();
  };
  /** Noted when it is done, not when it is begun: whoever does not wait for it shows in the order. */
  const finish = async (step: 'rollback' | 'release') => {
    await new Promise((resolve) => setImmediate(resolve));
    taken.push(step);
    if (step === 'rollback' && faults.rollback) throw faults.rollback;
  };
  const answer = (on: string) => (query: (typeof statements)[number]) => {
    statements.push({ ...query, on, isQuery: query instanceof Query });
    const [ids] = query.values ?? [];
    return take('query').then(() => ({
      rows: Array.isArray(ids) ? ids.map((id: string) => ({ id, on })) : [{ on }],
    }));
  };
  const connections = [1, 2].map(() => Object.assign(new EventEmitter(), { stream: { destroy: jest.fn() } }));
  let transactions = 0;
  const modes: unknown[] = [];
  const createQueryRunner = (mode?: string) => {
    modes.push(mode);
    transactions += 1;
    const on = `transaction ${transactions}`;
    const runner = {
      isTransactionActive: false,
      manager: { on },
      connect: () =>
        take('connect').then(() => ({
          query: answer(on),
          connection: connections[0],
        })),
      startTransaction: async () => {
        await take('begin');
        runner.isTransactionActive = true;
      },
      commitTransaction: async () => {
        faults.atEnd?.();
        await runner.query(OF_ITS_OWN);
        await take('commit');
        connections[0]!.emit('commandComplete', { text: faults.isAborted ? 'ROLLBACK' : 'COMMIT' });
        runner.isTransactionActive = false;
      },
      rollbackTransaction: async () => {
        faults.atEnd?.();
        await runner.query(OF_ITS_OWN);
        await finish('rollback');
        runner.isTransactionActive = faults.hasSavepoint ?? false;
      },
      /** What is asked of it and not of its connection. */
      query: (text: string) => {
        if (text !== OF_ITS_OWN) statements.push({ on, text, isQuery: false });
        return Promise.resolve();
      },
      release: () => finish('release'),
    };
    return runner;
  };
  const cancel = jest.fn<void, [unknown[], () => boolean]>();
  /** Answers in a pipeline where a test says so. */
  const askBehind = jest.fn<
    Promise<unknown> | undefined,
    [(typeof statements)[number], () => Promise<unknown>]
  >();
  const dataSource = {
    createQueryRunner,
    manager: { on: 'pool' },
    driver: {
      master: {
        query: answer('pool'),
        cancel,
        askBehind,
        _clients: connections.map((connection) => ({ connection })),
      },
    },
    options,
  };
  const database = new Database(dataSource as unknown as DataSource);
  return { database, dataSource, taken, statements, connections, cancel, askBehind, modes };
}

/** What TypeORM's work runs on. */
export const managerOf = (database: Database) =>
  database.orm((manager) => Promise.resolve((manager as unknown as { on: string }).on));
