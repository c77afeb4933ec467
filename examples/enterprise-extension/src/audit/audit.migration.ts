import type { MigrationInterface, QueryRunner } from 'typeorm';

export class AuditLines1790000004000 implements MigrationInterface {
  name = 'AuditLines1790000004000';

  async up(runner: QueryRunner): Promise<void> {
    // No references: the line outlives the record and the user.
    await runner.query(`
      CREATE TABLE ext_audit_lines (
        id uuid NOT NULL,
        type text NOT NULL,
        record_id uuid NOT NULL,
        user_id uuid,
        occurred_at timestamptz NOT NULL,
        CONSTRAINT pk_ext_audit_lines PRIMARY KEY (id)
      )`);
    await runner.query('CREATE INDEX idx_ext_audit_lines_time ON ext_audit_lines (occurred_at, id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_audit_lines');
  }
}
