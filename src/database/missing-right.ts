import { type DataSource, QueryFailedError } from 'typeorm';
import { DatabaseSetupError } from './database-setup-error';

/** insufficient_privilege, and invalid_schema_name: no schema of the search path may be used. */
const MISSING_RIGHT = ['42501', '3F000'];

/**
 * Sets up a database; where the role lacks a right for that, the error says in one line what to grant.
 * @throws DatabaseSetupError naming role, schema and what the server said
 */
export async function explainingMissingRights<T>(dataSource: DataSource, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof QueryFailedError)) throw error;
    const { code, message } = error.driverError as { code?: string; message: string };
    if (!MISSING_RIGHT.includes(code ?? '')) throw error;
    const [found] = await dataSource.query<{ role: string; schema: string }[]>(
      `SELECT quote_ident(current_user) AS role, quote_ident(coalesce(current_schema(), 'public')) AS schema`,
    );
    const { role, schema } = found!;
    throw new DatabaseSetupError(
      `The role ${role} of DATABASE_URL may not set up the database (${message}). Let its owner run: ` +
        `GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${role}; tables of the service that are there must belong to ${role}.`,
      { cause: error },
    );
  }
}
