import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Versions of a formula are numbered from 1 on, which only the code has held so far. */
export class VersionNumbers1795290600000 implements MigrationInterface {
  name = 'VersionNumbers1795290600000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE formulas ADD CONSTRAINT ck_formulas_current_version CHECK (current_version >= 1);
      ALTER TABLE formula_versions ADD CONSTRAINT ck_formula_versions_number CHECK (version_number >= 1);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE formula_versions DROP CONSTRAINT ck_formula_versions_number;
      ALTER TABLE formulas DROP CONSTRAINT ck_formulas_current_version;
    `);
  }
}
