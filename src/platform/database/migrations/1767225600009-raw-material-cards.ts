import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ingredients have a card with suppliers, density, strength and documents, and costs have exchange rates. */
export class RawMaterialCards1767225600009 implements MigrationInterface {
  name = 'RawMaterialCards1767225600009';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ingredient_cards (
        ingredient_id uuid NOT NULL,
        suppliers json NOT NULL,
        density numeric,
        strength numeric,
        solvent json,
        documents json NOT NULL,
        first_expiry date,
        CONSTRAINT pk_ingredient_cards PRIMARY KEY (ingredient_id),
        CONSTRAINT fk_ingredient_cards_ingredient FOREIGN KEY (ingredient_id)
          REFERENCES ingredients (id) ON DELETE CASCADE,
        CONSTRAINT ck_ingredient_cards_density CHECK (density > 0 AND density < 'Infinity'),
        CONSTRAINT ck_ingredient_cards_strength
          CHECK (strength > 0 AND strength < 100 AND (strength IS NULL) = (solvent IS NULL))
      )`);
    await runner.query('CREATE INDEX ix_ingredient_cards_first_expiry ON ingredient_cards (first_expiry)');
    await runner.query(`CREATE INDEX ix_ingredient_cards_solvent ON ingredient_cards
      USING hash (substance_key(solvent ->> 'inciName')) WHERE solvent IS NOT NULL`);
    await runner.query(`
      CREATE TABLE exchange_rates (
        currency text NOT NULL,
        rate numeric NOT NULL,
        is_base boolean NOT NULL DEFAULT false,
        CONSTRAINT pk_exchange_rates PRIMARY KEY (currency),
        CONSTRAINT ck_exchange_rates_rate CHECK (rate > 0 AND rate < 'Infinity')
      )`);
    await runner.query(
      'CREATE UNIQUE INDEX uq_exchange_rates_base ON exchange_rates (is_base) WHERE is_base',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE exchange_rates, ingredient_cards');
  }
}
