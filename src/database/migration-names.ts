import type { MigrationInterface } from 'typeorm';

/** The name under which TypeORM keeps that a migration has run. */
export const nameOfMigration = (migration: MigrationInterface): string =>
  migration.name ?? migration.constructor.name;
