import { EnvironmentError } from './environment/environment';
import { DatabaseSetupError } from './database/database-setup';
import { EmbeddedDatabaseInUseError, EmbeddedDatabaseStartError } from './database/embedded/errors';

/** Their messages say what is to be done. */
const EXPLAINED = [
  EnvironmentError,
  DatabaseSetupError,
  EmbeddedDatabaseInUseError,
  EmbeddedDatabaseStartError,
];

/** What the person who starts the service or a command reads when it cannot start: the cause, without a stack where it is known. */
export function explainStartError(error: unknown): string {
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message;
  const { code, message, stack } = error as { code?: string; message?: string; stack?: string };
  switch (code ?? '') {
    case 'EADDRINUSE':
      return `Cannot listen: ${message}. Another program uses this port; set PORT to another one.`;
    case 'ECONNREFUSED':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
      return `Cannot reach the database server of DATABASE_URL (${code}).`;
    case '28P01':
    case '28000':
    case '3D000':
      return `The database server refuses the connection: ${message}`;
    default:
      return stack ?? String(error);
  }
}
