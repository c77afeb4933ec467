import type { QueryRunner } from 'typeorm';
import { createFunctions, dropFunctions } from './functions';
import { createTables, dropTables } from './tables';

/**
 * Everything of the first schema but its rows. The names are not qualified: it is made in the current schema.
 */
export async function createSchema(runner: QueryRunner): Promise<void> {
  // Indexes and triggers of the tables use the functions.
  await createFunctions(runner);
  await createTables(runner);
}

export async function dropSchema(runner: QueryRunner): Promise<void> {
  await dropTables(runner);
  await dropFunctions(runner);
}
