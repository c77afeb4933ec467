import type { DataSource } from 'typeorm';
import { nameOfMigration } from './migration-names';

/** Names of the migrations that this database has had and this application does not know, in their order. */
export async function unknownMigrations(dataSource: DataSource): Promise<string[]> {
  const [table] = await dataSource.query<{ there: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  );
  if (!table?.there) return [];
  const known = new Set(dataSource.migrations.map(nameOfMigration));
  const applied = await dataSource.query<{ name: string }[]>(
    'SELECT name FROM migrations ORDER BY timestamp',
  );
  return applied.map(({ name }) => name).filter((name) => !known.has(name));
}
