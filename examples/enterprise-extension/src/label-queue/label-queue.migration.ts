import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Labels that were to be printed. It has run in the laboratory; its `down` takes it out again. */
export class LabelQueue1790000000500 implements MigrationInterface {
  name = 'LabelQueue1790000000500';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_label_queue (
        formula_id uuid NOT NULL,
        copies integer NOT NULL,
        CONSTRAINT pk_ext_label_queue PRIMARY KEY (formula_id),
        CONSTRAINT fk_ext_label_queue_formula FOREIGN KEY (formula_id) REFERENCES formulas (id) ON DELETE CASCADE
      )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_label_queue');
  }
}
