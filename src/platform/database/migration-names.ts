import type { DataSource, MigrationInterface } from 'typeorm';
import { DatabaseSetupError } from './database-errors';

/** Migrations of the builds before the current baseline, which creates all of their tables. */
export const MIGRATIONS_OF_EARLIER_BUILDS: readonly string[] = [
  'Baseline1767225600000',
  'VersionNumbers1795290600000',
  'UserTokensAndNameForms1795303056601',
  'AiAuditUser1795303057601',
  'SearchWords1795308000000',
  'RecordCounts1795366680000',
  'FormulasByDay1795449000000',
  'EventDeliveries1795466480961',
  'OpenRoles1795468299938',
  'DeliveriesByRecord1795490705739',
  'TimesOfWords1795637198515',
  'FormulasByHour1795659431000',
  'WordsInOneStatement1795664306000',
  'NamesInOneForm1795740000000',
  'Baseline1767225600001',
  'IngredientSubstances1795812571974',
  'Limits1795820000000',
  'IngredientNames1795820000001',
  'ColourListAndTrash1795820000002',
  'ImportRefusals1795820000004',
];

/** A database with one of these has rows that fit into the current baseline. */
export const MIGRATIONS_THAT_FIT: readonly string[] = [
  'NamesInOneForm1795740000000',
  'Baseline1767225600001',
];

/** Returns the name under which TypeORM records a migration. */
export const nameOfMigration = (migration: MigrationInterface): string =>
  migration.name ?? migration.constructor.name;

/** Returns the names of the migrations that were applied to this database, the first one first. */
export async function appliedMigrations(database: {
  query<Rows>(text: string): Promise<Rows>;
}): Promise<string[]> {
  const [table] = await database.query<{ exists: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  if (!table?.exists) return [];
  const applied = await database.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return applied.map(({ name }) => name);
}

/**
 * Refuses a database with unknown migrations: of an earlier build, of a newer version, or of an extension whose
 * module is missing, because that module's access policy and handlers would be missing too.
 * @throws DatabaseSetupError
 */
export async function refuseUnknownMigrations(dataSource: DataSource): Promise<void> {
  const known = new Set(dataSource.migrations.map(nameOfMigration));
  const unknown = (await appliedMigrations(dataSource)).filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  if (unknown.some((name) => MIGRATIONS_OF_EARLIER_BUILDS.includes(name))) {
    throw new DatabaseSetupError(
      'An earlier build has made this database: write a backup of it (db backup FILE), and restore it into a new, ' +
        'empty database (db restore FILE)',
    );
  }
  throw new DatabaseSetupError(
    'A newer version of the service, or an extension that is not registered, has changed this database ' +
      `(${unknown.join(', ')}): start that version, or name the extension's module with --app`,
  );
}
