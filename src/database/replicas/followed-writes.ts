import type { QueryRunner } from 'typeorm';
import { onlyReads } from '../abandonable-read';
import { WRITTEN_POSITION } from './replica-statements';
import type { WalRow } from './wal-position';

/** What makes TypeORM's query runners. */
interface Runners {
  createQueryRunner(mode: 'master' | 'slave'): QueryRunner;
}

/** Asks the server that a write went to, on its connection. */
export type AskPosition = () => Promise<WalRow[]>;

/**
 * Follows what is written through TypeORM, whoever asks it: whoever awaits a commit, or a write outside of a
 * transaction, goes on when `written` has ended.
 */
export function followWrites(runners: Runners, written: (ask: AskPosition) => Promise<void>): void {
  const create = runners.createQueryRunner.bind(runners);
  runners.createQueryRunner = (mode) => {
    const runner = create(mode);
    const query = runner.query.bind(runner) as (text: string, ...more: unknown[]) => Promise<unknown>;
    const commit = runner.commitTransaction.bind(runner);
    const ask = () => query(WRITTEN_POSITION) as Promise<WalRow[]>;
    runner.query = async (text: string, ...more: unknown[]): Promise<never> => {
      const result = await query(text, ...more);
      if (!runner.isTransactionActive && !onlyReads(text)) await written(ask);
      return result as never;
    };
    runner.commitTransaction = async () => {
      await commit();
      // One within another is not the end of it.
      if (!runner.isTransactionActive) await written(ask);
    };
    return runner;
  };
}
