import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Names of ingredients beside their INCI and Chinese name: CAS and EC numbers, synonyms, trade names. */
export class IngredientNames1796000000001 implements MigrationInterface {
  name = 'IngredientNames1796000000001';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingredient_names (
        ingredient_id uuid NOT NULL,
        kind text NOT NULL,
        position integer NOT NULL,
        name text NOT NULL,
        key text COLLATE "C" NOT NULL,
        CONSTRAINT pk_ingredient_names PRIMARY KEY (ingredient_id, kind, position),
        CONSTRAINT fk_ingredient_names_ingredient FOREIGN KEY (ingredient_id)
          REFERENCES ingredients (id) ON DELETE CASCADE,
        CONSTRAINT ck_ingredient_names_kind CHECK (kind IN ('cas', 'ec', 'synonym', 'trade-name'))
      )`);
    await runner.query('CREATE INDEX ix_ingredient_names_key ON ingredient_names (key)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ingredient_names');
  }
}
