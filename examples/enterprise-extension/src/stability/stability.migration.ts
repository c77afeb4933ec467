import type { MigrationInterface, QueryRunner } from 'typeorm';

export class StabilityTests1790000001000 implements MigrationInterface {
  name = 'StabilityTests1790000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_stability_tests (
        id uuid NOT NULL DEFAULT gen_random_uuid(),
        formula_id uuid NOT NULL,
        team_id uuid NOT NULL,
        climate text NOT NULL,
        state text NOT NULL DEFAULT 'running',
        due_on date NOT NULL,
        CONSTRAINT pk_ext_stability_tests PRIMARY KEY (id),
        CONSTRAINT fk_ext_stability_tests_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE,
        CONSTRAINT fk_ext_stability_tests_team FOREIGN KEY (team_id) REFERENCES ext_teams (id),
        CONSTRAINT ck_ext_stability_tests_state CHECK (state IN ('running', 'overdue', 'passed', 'failed'))
      )`);
    await runner.query('CREATE INDEX idx_ext_stability_tests_formula ON ext_stability_tests (formula_id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_stability_tests');
  }
}
