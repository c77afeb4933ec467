import type { MigrationInterface, QueryRunner } from 'typeorm';

// #region migration
export class Dossiers1790000006000 implements MigrationInterface {
  name = 'Dossiers1790000006000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_dossiers (
        formula_id uuid NOT NULL,
        code text,
        shelf_life integer,
        CONSTRAINT pk_ext_dossiers PRIMARY KEY (formula_id),
        CONSTRAINT fk_ext_dossiers_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE,
        CONSTRAINT uq_ext_dossiers_code UNIQUE (code)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_dossiers');
  }
}
// #endregion
