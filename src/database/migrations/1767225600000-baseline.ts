import type { MigrationInterface, QueryRunner } from 'typeorm';
import { insertReferenceColors } from './baseline/reference-colors';
import { createSchema, dropSchema } from './baseline/schema';

/**
 * The first schema, with the library of named colours. Later migrations change it; this one stays as it is.
 */
export class Baseline1767225600000 implements MigrationInterface {
  name = 'Baseline1767225600000';

  async up(runner: QueryRunner): Promise<void> {
    await createSchema(runner);
    await insertReferenceColors(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropSchema(runner);
  }
}
