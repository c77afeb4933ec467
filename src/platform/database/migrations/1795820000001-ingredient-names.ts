import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes that find ingredients by the keys of a name's letters. */
const KEY_INDEXES = ['ix_ingredients_inci_name_keys', 'ix_ingredients_chinese_name_keys'];

/** Names of ingredients beside their INCI and Chinese name: CAS and EC numbers, synonyms, trade names. */
export class IngredientNames1795820000001 implements MigrationInterface {
  name = 'IngredientNames1795820000001';

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
    // Every look-up reads the pending list. At its default size of 4 MB, that takes most of the time.
    for (const index of KEY_INDEXES) {
      await runner.query(`ALTER INDEX ${index} SET (gin_pending_list_limit = 64)`);
      await runner.query(`SELECT gin_clean_pending_list('${index}')`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const index of KEY_INDEXES) {
      await runner.query(`ALTER INDEX ${index} RESET (gin_pending_list_limit)`);
    }
    await runner.query('DROP TABLE ingredient_names');
  }
}
