import type { DataSource } from 'typeorm';
import { DatabaseSetupError } from './database-setup-error';
import { unknownMigrations } from './unknown-migrations';

/**
 * Refuses a database that has had migrations which this application does not bring. A newer version has been
 * here, or the module of an extension is missing: its access policy, rules and handlers would be passed by.
 * @param allowed whether to start all the same, with a warning: a newer version's migration only adds to what
 *   this version needs, unless its notes say otherwise
 * @throws DatabaseSetupError
 */
export async function refuseUnknownMigrations(
  dataSource: DataSource,
  allowed: boolean,
  warn: (message: string) => void,
): Promise<void> {
  const unknown = await unknownMigrations(dataSource);
  if (unknown.length === 0) return;
  const what =
    'A newer version of the service, or an extension that is not registered, has changed this database ' +
    `(${unknown.join(', ')})`;
  if (!allowed) {
    throw new DatabaseSetupError(
      `${what}: start that version, or name the extension's module with --app; set ` +
        "DATABASE_ALLOW_NEWER_SCHEMA=true only where the newer version's notes say that this one can go on",
    );
  }
  warn(
    `${what}; this one starts as DATABASE_ALLOW_NEWER_SCHEMA allows, without what the extension guards or hears of`,
  );
}
