import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The AI audit log, and what the keeper of embeddings must know of each formula. */
export class Ai1767232800000 implements MigrationInterface {
  name = 'Ai1767232800000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ai_audit_logs (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        capability text NOT NULL,
        model_name text NOT NULL,
        prompt_hash text NOT NULL,
        tokens_used integer,
        duration_ms integer,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT pk_ai_audit_logs PRIMARY KEY (id)
      );
      CREATE INDEX ix_ai_audit_logs_created_at ON ai_audit_logs (created_at DESC, id);

      ALTER TABLE formulas
        -- who made the embedding: only vectors of one maker can be compared
        ADD COLUMN embedding_maker text,
        -- the updated_at of the state it was made of; another value means that it is out of date
        ADD COLUMN embedding_stamp timestamptz(3),
        -- vectors go out of line, so that rows stay short for everything else
        SET (toast_tuple_target = 512);
      CREATE INDEX ix_formulas_embedding_stale ON formulas (updated_at, id)
        WHERE embedding_stamp IS DISTINCT FROM updated_at;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP INDEX ix_formulas_embedding_stale;
      ALTER TABLE formulas DROP COLUMN embedding_stamp, DROP COLUMN embedding_maker, RESET (toast_tuple_target);
      DROP TABLE ai_audit_logs;
    `);
  }
}
