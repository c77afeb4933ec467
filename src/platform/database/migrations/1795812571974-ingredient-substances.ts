import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The substances of raw materials. */
export class IngredientSubstances1795812571974 implements MigrationInterface {
  name = 'IngredientSubstances1795812571974';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingredient_substances (
        ingredient_id uuid NOT NULL,
        position integer NOT NULL,
        inci_name text NOT NULL,
        chinese_name text,
        cas_number text,
        ec_number text,
        min_percentage numeric NOT NULL,
        max_percentage numeric NOT NULL,
        role text,
        CONSTRAINT pk_ingredient_substances PRIMARY KEY (ingredient_id, position),
        CONSTRAINT fk_ingredient_substances_ingredient FOREIGN KEY (ingredient_id)
          REFERENCES ingredients (id) ON DELETE CASCADE,
        CONSTRAINT ck_ingredient_substances_percentages
          CHECK (min_percentage >= 0 AND min_percentage <= max_percentage AND max_percentage > 0 AND max_percentage <= 100)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingredient_substances');
  }
}
