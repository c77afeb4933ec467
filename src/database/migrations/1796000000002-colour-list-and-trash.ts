import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes for the list of colours. */
export class ColourListAndTrash1796000000002 implements MigrationInterface {
  name = 'ColourListAndTrash1796000000002';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE INDEX ix_color_formulas_created_at ON color_formulas (created_at DESC, id);
      CREATE INDEX ix_color_formulas_name_key ON color_formulas USING gin (search_key(name) gin_trgm_ops)
        WITH (gin_pending_list_limit = 64);`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_color_formulas_name_key, ix_color_formulas_created_at');
  }
}
