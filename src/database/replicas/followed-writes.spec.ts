import type { QueryRunner } from 'typeorm';
import { type AskPosition, followWrites } from './followed-writes';
import { WRITTEN_POSITION } from './replica-statements';

/** A query runner as TypeORM's, without a server. */
class Runner {
  readonly sent: string[] = [];
  isTransactionActive = false;
  private depth = 0;

  query(text: string): Promise<unknown> {
    this.sent.push(text);
    return Promise.resolve([{ lsn: '0/1', timeline: '1' }]);
  }

  async startTransaction(): Promise<void> {
    this.isTransactionActive = true;
    await this.query(this.depth++ === 0 ? 'START TRANSACTION' : 'SAVEPOINT s');
  }

  async commitTransaction(): Promise<void> {
    this.depth -= 1;
    await this.query(this.depth === 0 ? 'COMMIT' : 'RELEASE SAVEPOINT s');
    this.isTransactionActive = this.depth > 0;
  }
}

describe('writes through TypeORM', () => {
  let runner: Runner;
  let followed: string[];

  beforeEach(() => {
    const made = new Runner();
    const runners = { createQueryRunner: () => made as unknown as QueryRunner };
    followed = [];
    followWrites(runners, async (ask: AskPosition) => {
      followed.push(made.sent.at(-1)!);
      await ask();
    });
    runner = runners.createQueryRunner() as unknown as Runner;
  });

  it('are followed where there is no transaction, before who asked goes on', async () => {
    await runner.query('SELECT 1');
    await runner.query('WITH a AS (SELECT 1) SELECT * FROM a');
    expect(followed).toEqual([]);
    await runner.query('DELETE FROM t');
    await runner.query('WITH a AS (UPDATE t SET b = 1 RETURNING *) SELECT * FROM a');
    expect(followed).toHaveLength(2);
    // On the connection that wrote.
    expect(runner.sent.at(-1)).toBe(WRITTEN_POSITION);
  });

  it('in a transaction are followed once, behind its commit', async () => {
    await runner.startTransaction();
    await runner.query('INSERT INTO t DEFAULT VALUES');
    await runner.startTransaction();
    await runner.query('DELETE FROM t');
    await runner.commitTransaction();
    expect(followed).toEqual([]);
    await runner.commitTransaction();
    expect(followed).toEqual(['COMMIT']);
  });
});
