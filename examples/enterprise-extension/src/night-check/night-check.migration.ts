import type { MigrationInterface, QueryRunner } from 'typeorm';

export class NightCheck1790000005000 implements MigrationInterface {
  name = 'NightCheck1790000005000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_jobs (
        name text NOT NULL,
        due_at timestamptz NOT NULL,
        CONSTRAINT pk_ext_jobs PRIMARY KEY (name)
      )`);
    await runner.query(`INSERT INTO ext_jobs (name, due_at) VALUES ('night-check', now())`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_jobs');
  }
}
