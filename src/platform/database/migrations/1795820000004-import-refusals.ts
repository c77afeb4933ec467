import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows that imports have refused. Users can download them as a file for some time. */
export class ImportRefusals1795820000004 implements MigrationInterface {
  name = 'ImportRefusals1795820000004';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE import_refusals (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        created_by uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        content text NOT NULL,
        CONSTRAINT pk_import_refusals PRIMARY KEY (id),
        CONSTRAINT fk_import_refusals_created_by FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE CASCADE
      )`);
    await runner.query(
      'CREATE INDEX ix_import_refusals_created_by ON import_refusals (created_by, created_at)',
    );
    await runner.query('CREATE INDEX ix_import_refusals_created_at ON import_refusals (created_at)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE import_refusals');
  }
}
