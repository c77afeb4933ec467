import type { MigrationInterface, QueryRunner } from 'typeorm';

export class Spending1790000003000 implements MigrationInterface {
  name = 'Spending1790000003000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_ai_spending (
        user_id uuid NOT NULL,
        day date NOT NULL,
        tokens integer NOT NULL,
        CONSTRAINT pk_ext_ai_spending PRIMARY KEY (user_id, day),
        CONSTRAINT fk_ext_ai_spending_user FOREIGN KEY (user_id) REFERENCES users (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_ai_spending');
  }
}
