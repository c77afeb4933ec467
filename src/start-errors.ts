import { EnvironmentError } from './environment/environment';
import { DatabaseSetupError } from './database/database-setup';

/** What the person who starts the service or a command reads when it cannot start: the cause, without a stack where it is known. */
export function explainStartError(error: unknown): string {
  if (error instanceof EnvironmentError || error instanceof DatabaseSetupError) return error.message;
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
