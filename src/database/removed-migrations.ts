import type { DataSource, MigrationInterface } from 'typeorm';
import { nameOfMigration } from './migration-names';

/**
 * Undoes those of these migrations that this database has had, the last first, each in a transaction of its
 * own unless it says otherwise: an extension that was taken out leaves nothing behind.
 * @returns whether there were any
 */
export async function undoRemovedMigrations(
  dataSource: DataSource,
  removed: readonly (new () => object)[],
  log: (message: string) => void,
): Promise<boolean> {
  if (removed.length === 0) return false;
  const migrations = removed.map((migration) => new migration() as MigrationInterface);
  const runner = dataSource.createQueryRunner();
  let hasUndone = false;
  try {
    if (!(await runner.hasTable('migrations'))) return false;
    const applied = (await runner.query('SELECT name FROM migrations ORDER BY id DESC')) as {
      name: string;
    }[];
    for (const { name } of applied) {
      const migration = migrations.find((one) => nameOfMigration(one) === name);
      if (!migration) continue;
      log(`Undoing the migration ${name}`);
      const isWhole = migration.transaction !== false;
      if (isWhole) await runner.startTransaction();
      try {
        await migration.down(runner);
        await runner.query('DELETE FROM migrations WHERE name = $1', [name]);
        if (isWhole) await runner.commitTransaction();
      } catch (error) {
        if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
        throw error;
      }
      hasUndone = true;
    }
    return hasUndone;
  } finally {
    await runner.release();
  }
}
