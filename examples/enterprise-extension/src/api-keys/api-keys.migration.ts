import type { MigrationInterface, QueryRunner } from 'typeorm';

export class ApiKeys1790000002000 implements MigrationInterface {
  name = 'ApiKeys1790000002000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_api_keys (
        hash text NOT NULL,
        username text NOT NULL,
        CONSTRAINT pk_ext_api_keys PRIMARY KEY (hash),
        CONSTRAINT uq_ext_api_keys_username UNIQUE (username)
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_api_keys');
  }
}
