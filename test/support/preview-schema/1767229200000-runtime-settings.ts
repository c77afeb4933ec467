import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Settings that are changed while the service runs. */
export class RuntimeSettings1767229200000 implements MigrationInterface {
  name = 'RuntimeSettings1767229200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE runtime_settings (
        name text NOT NULL,
        value text NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_runtime_settings PRIMARY KEY (name)
      );
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE runtime_settings');
  }
}
