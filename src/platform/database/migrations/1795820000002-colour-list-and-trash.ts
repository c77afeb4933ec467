import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for the list of colours, and the tables of deleted formulas. */
export class ColourListAndTrash1795820000002 implements MigrationInterface {
  name = 'ColourListAndTrash1795820000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX ix_color_formulas_created_at ON color_formulas (created_at DESC, id);
      CREATE INDEX ix_color_formulas_name_key ON color_formulas USING gin (search_key(name) gin_trgm_ops)
        WITH (gin_pending_list_limit = 64);`);
    await runner.query(`
      CREATE TABLE trashed_formulas (
        id uuid NOT NULL,
        formula json NOT NULL,
        custom_fields json NOT NULL,
        colors uuid[] NOT NULL,
        created_by uuid NOT NULL,
        deleted_by uuid,
        deleted_at timestamptz(3) NOT NULL,
        CONSTRAINT pk_trashed_formulas PRIMARY KEY (id),
        CONSTRAINT fk_trashed_formulas_created_by FOREIGN KEY (created_by) REFERENCES users (id) ON DELETE CASCADE,
        CONSTRAINT fk_trashed_formulas_deleted_by FOREIGN KEY (deleted_by) REFERENCES users (id) ON DELETE SET NULL
      );
      CREATE INDEX ix_trashed_formulas_deleted_at ON trashed_formulas (deleted_at, id);
      CREATE INDEX ix_trashed_formulas_created_by ON trashed_formulas (created_by);
      CREATE INDEX ix_trashed_formulas_deleted_by ON trashed_formulas (deleted_by);
      CREATE TABLE trashed_versions (
        id uuid NOT NULL,
        formula_id uuid NOT NULL,
        version_number integer NOT NULL,
        description text,
        snapshot_data json NOT NULL,
        created_by uuid NOT NULL,
        created_at timestamptz(3) NOT NULL,
        phases json NOT NULL,
        line_ids uuid[] NOT NULL,
        line_phases uuid[] NOT NULL,
        line_ingredients uuid[] NOT NULL,
        line_percentages numeric[] NOT NULL,
        line_notes text[] NOT NULL,
        line_positions integer[] NOT NULL,
        CONSTRAINT pk_trashed_versions PRIMARY KEY (id),
        CONSTRAINT fk_trashed_versions_formula FOREIGN KEY (formula_id)
          REFERENCES trashed_formulas (id) ON DELETE CASCADE
      );
      CREATE INDEX ix_trashed_versions_formula ON trashed_versions (formula_id);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE trashed_versions, trashed_formulas');
    await runner.query('DROP INDEX ix_color_formulas_name_key, ix_color_formulas_created_at');
  }
}
