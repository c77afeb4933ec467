import type { MigrationInterface, QueryRunner } from 'typeorm';
import { SPELLING_KEY } from './baseline/functions';

/** Vacuum and restore failed on PostgreSQL 17 where the index of ingredients called the first form of the function. */
export class SpellingKey1767225600003 implements MigrationInterface {
  name = 'SpellingKey1767225600003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SPELLING_KEY);
  }

  async down(): Promise<void> {
    // The function stays: both forms return the same keys.
  }
}
