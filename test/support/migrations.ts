import { type DataSource, Migration, MigrationExecutor, type MigrationInterface } from 'typeorm';

/** Runs one migration, known to the data source or not, and enters it into the list. */
export async function runMigration(dataSource: DataSource, type: new () => MigrationInterface) {
  const time = Number(type.name.slice(-13));
  const migration = new Migration(undefined, time, type.name, new type());
  await new MigrationExecutor(dataSource).executeMigration(migration);
}
