import type { DataSource } from 'typeorm';
import { DatabaseSetupError } from './database-setup-error';
import { coreMigrations } from './find-migrations';
import { unknownMigrations } from './unknown-migrations';

/** TypeORM's names of migrations end in the time they were written, in milliseconds since 1970. */
const timeOf = (name: string) => Number(/\d{13}$/.exec(name)?.[0] ?? 0);

/**
 * Migrations that this database has had, that this version does not know, and that are later than all of its
 * own: a newer one has been here. Those of extensions say nothing about how new this version is.
 */
async function laterMigrations(dataSource: DataSource): Promise<string[]> {
  const newest = Math.max(...coreMigrations.map(({ name }) => timeOf(name)));
  return (await unknownMigrations(dataSource)).filter((name) => timeOf(name) > newest);
}

/**
 * @param allowed whether to start all the same, with a warning: a migration only adds to what this version
 *   needs, unless its notes say otherwise
 * @throws DatabaseSetupError
 */
export async function refuseNewerSchema(
  dataSource: DataSource,
  allowed: boolean,
  warn: (message: string) => void,
): Promise<void> {
  const later = await laterMigrations(dataSource);
  if (later.length === 0) return;
  const what =
    'A newer version of the service, or an extension that is not registered, has changed this database ' +
    `(${later.join(', ')})`;
  if (!allowed) {
    throw new DatabaseSetupError(
      `${what}: start that version, or set DATABASE_ALLOW_NEWER_SCHEMA=true where its notes say that this one can go on`,
    );
  }
  warn(`${what}; this one starts as DATABASE_ALLOW_NEWER_SCHEMA allows`);
}
