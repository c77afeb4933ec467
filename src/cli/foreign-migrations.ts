import type { Database } from '../database/database';
import type { Environment } from '../environment/environment';
import { CliError } from './cli-error';

/**
 * A command writes to tables that an extension watches over: with the extension's module missing, its
 * handlers, rules and policy would be passed by.
 * @throws CliError where the database has had migrations that the module does not bring
 */
export async function refuseForeignMigrations(database: Database, environment: Environment): Promise<void> {
  // Allowed where a newer version of ours has been here: its migrations look the same.
  if (environment.databaseAllowsNewerSchema) return;
  const foreign = await database.unknownMigrations();
  if (foreign.length === 0) return;
  throw new CliError(
    `This database has tables of an extension that is not here (${foreign.join(', ')}): ` +
      "run the command with the extension's module, runCli(module)",
  );
}
