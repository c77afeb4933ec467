import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tables of limits for the screening of formulas. */
export class Limits1795820000000 implements MigrationInterface {
  name = 'Limits1795820000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE limit_editions (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        name text NOT NULL,
        regions text[] NOT NULL,
        row_count integer NOT NULL,
        refused_count integer NOT NULL,
        imported_at timestamptz NOT NULL DEFAULT now(),
        CONSTRAINT pk_limit_editions PRIMARY KEY (id),
        CONSTRAINT uq_limit_editions_name UNIQUE (name),
        CONSTRAINT ck_limit_editions_counts CHECK (row_count >= 0 AND refused_count >= 0)
      )`);
    await runner.query(`
      CREATE TABLE limits (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        edition_id uuid NOT NULL,
        position integer NOT NULL,
        region text NOT NULL,
        annex text NOT NULL,
        entry text NOT NULL,
        tier text,
        substance text NOT NULL,
        inci_names text[] NOT NULL,
        cas_numbers text[] NOT NULL,
        kind text NOT NULL,
        scope text,
        product_types text[],
        limit_percent numeric,
        limit_text text,
        basis text,
        factor numeric,
        sum_group text,
        purpose text,
        conditions text,
        valid_from date,
        valid_until date,
        source text NOT NULL,
        CONSTRAINT pk_limits PRIMARY KEY (id),
        CONSTRAINT fk_limits_edition FOREIGN KEY (edition_id) REFERENCES limit_editions (id) ON DELETE CASCADE,
        CONSTRAINT ck_limits_kind CHECK (kind IN ('prohibited', 'maximum', 'declare-above', 'permitted-only')),
        CONSTRAINT ck_limits_percent CHECK (limit_percent > 0 AND limit_percent <= 100),
        CONSTRAINT ck_limits_factor CHECK (factor > 0),
        CONSTRAINT ck_limits_validity CHECK (valid_from <= valid_until)
      )`);
    await runner.query('CREATE INDEX ix_limits_edition ON limits (edition_id, position)');
    await runner.query(`
      CREATE TABLE limit_keys (
        edition_id uuid NOT NULL,
        key text NOT NULL,
        limit_id uuid NOT NULL,
        CONSTRAINT pk_limit_keys PRIMARY KEY (edition_id, key, limit_id),
        CONSTRAINT fk_limit_keys_limit FOREIGN KEY (limit_id) REFERENCES limits (id) ON DELETE CASCADE
      )`);
    await runner.query('CREATE INDEX ix_limit_keys_limit ON limit_keys (limit_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE limit_keys');
    await runner.query('DROP TABLE limits');
    await runner.query('DROP TABLE limit_editions');
  }
}
