import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Plants are found without the Latin words of their Chinese names. */
export class PlantNames1767225600005 implements MigrationInterface {
  name = 'PlantNames1767225600005';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX ix_ingredients_chinese_plant_key ON ingredients (regexp_replace(chinese_key, '[a-z]{4,}', '', 'g'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_ingredients_chinese_plant_key');
  }
}
