import type { MigrationInterface, QueryRunner } from 'typeorm';

export class FormulaProfiles1767225600008 implements MigrationInterface {
  name = 'FormulaProfiles1767225600008';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE formula_profiles (
      formula_id uuid NOT NULL,
      profile jsonb NOT NULL,
      CONSTRAINT pk_formula_profiles PRIMARY KEY (formula_id),
      CONSTRAINT fk_formula_profiles_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE formula_profiles');
  }
}
