import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An edition of limits keeps the rows that were refused, and the regions whose default it is. */
export class LimitEditions1767225600004 implements MigrationInterface {
  name = 'LimitEditions1767225600004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE limit_editions
        ADD COLUMN refused jsonb NOT NULL DEFAULT '[]',
        ADD COLUMN default_regions text[] NOT NULL DEFAULT '{}'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE limit_editions DROP COLUMN refused, DROP COLUMN default_regions');
  }
}
