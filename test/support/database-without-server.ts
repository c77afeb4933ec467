import { EventEmitter } from 'node:events';
import type { DataSource } from 'typeorm';
import { DatabaseErrors } from '../../src/platform/database/database-errors';
import { DatabaseService } from '../../src/platform/database/database.service';
import { TransactionManager } from '../../src/platform/database/transaction-manager';

type Step = 'connect' | 'begin' | 'query' | 'commit' | 'rollback';

/** Errors that the steps of a transaction fail with. */
export interface Faults extends Partial<Record<Step, Error>> {
  /** A statement of the transaction has failed: PostgreSQL answers COMMIT with a rollback. */
  isAborted?: boolean;
  /** Called when COMMIT or ROLLBACK has been sent. */
  atEnd?: () => void;
}

interface SentStatement {
  on: string;
  text: string;
  name?: string;
  values?: unknown[];
  query_timeout?: number;
}

/**
 * A database on a data source without a server, the steps of its transactions, and the statements it was
 * sent.
 */
export function databaseWithoutServer(faults: Faults = {}, options: { url?: string } = {}) {
  const taken: string[] = [];
  const statements: SentStatement[] = [];
  const take = (step: Step) => {
    taken.push(step);
    return faults[step] ? Promise.reject(faults[step]) : Promise.resolve();
  };
  /** Noted when it is done, not when it is begun: the order shows who does not wait for it. */
  const later = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (step: 'commit' | 'rollback') => {
    faults.atEnd?.();
    await later();
    await take(step);
    return { command: faults.isAborted || step === 'rollback' ? 'ROLLBACK' : 'COMMIT', rows: [] };
  };
  const query = async (on: string, asked: Omit<SentStatement, 'on'> | string) => {
    const statement = typeof asked === 'string' ? { text: asked } : asked;
    if (statement.text === 'COMMIT') return end('commit');
    if (statement.text === 'ROLLBACK') return end('rollback');
    statements.push({ ...statement, on });
    await take('query');
    const [ids] = statement.values ?? [];
    return { rows: Array.isArray(ids) ? ids.map((id: string) => ({ id, on })) : [{ on }] };
  };
  const clientOf = (on: string) =>
    Object.assign(new EventEmitter(), {
      connection: {},
      query: (asked: SentStatement | string) => query(on, asked),
      end: jest.fn(() => Promise.resolve()),
      release: jest.fn(),
    });
  const clients: ReturnType<typeof clientOf>[] = [];
  const createQueryRunner = (_mode?: string) => {
    const on = `transaction ${clients.length + 1}`;
    const client = clientOf(on);
    clients.push(client);
    return {
      manager: { on },
      connect: () => take('connect').then(() => client),
      startTransaction: () => take('begin'),
      query: (text: string) => query(on, text),
      release: () => later().then(() => void taken.push('release')),
    };
  };
  const poolOf = (on: string) =>
    Object.assign(new EventEmitter(), {
      totalCount: 3,
      idleCount: 1,
      waitingCount: 2,
      options: { max: 4 },
      query: (asked: SentStatement) => query(on, asked),
      connect: jest.fn(() => Promise.resolve(clientOf(`a connection of the ${on}`))),
      end: jest.fn(() => Promise.resolve()),
    });
  const [master, reserved] = [poolOf('pool'), poolOf('reserved pool')];
  const dataSource = {
    createQueryRunner,
    manager: { on: 'pool' },
    driver: { master },
    options: { ...options, driver: { Pool: jest.fn(() => reserved) } },
  };
  const errors = new DatabaseErrors();
  const transactions = new TransactionManager(dataSource as unknown as DataSource, errors);
  const database = new DatabaseService(dataSource as unknown as DataSource, transactions, errors);
  return { database, transactions, errors, dataSource, master, reserved, clients, taken, statements };
}

/** What TypeORM's work runs on. */
export const managerOf = (database: DatabaseService) =>
  database.orm((manager) => Promise.resolve((manager as unknown as { on: string }).on));
