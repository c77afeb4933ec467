import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The log of AI calls says who asked. What was asked before has no user. */
export class AiAuditUser1795303057601 implements MigrationInterface {
  name = 'AiAuditUser1795303057601';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ai_audit_logs ADD COLUMN user_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE ai_audit_logs DROP COLUMN user_id');
  }
}
