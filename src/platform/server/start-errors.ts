import { ExtensionError } from '../common/extension-tokens';
import { EnvironmentError } from '../config/environment';
import { DatabaseSetupError } from '../database/database-errors';
import { EmbeddedDatabaseInUseError, EmbeddedDatabaseStartError } from '../database/embedded/errors';

/** Errors whose message contains everything that the operator needs. */
const EXPLAINED = [
  EnvironmentError,
  ExtensionError,
  DatabaseSetupError,
  EmbeddedDatabaseInUseError,
  EmbeddedDatabaseStartError,
];

/**
 * Returns the message that an operator reads when the service or a command cannot start. Known causes are shown
 * without a stack.
 */
export function explainStartError(error: unknown): string {
  if (EXPLAINED.some((kind) => error instanceof kind)) return (error as Error).message;
  // `error` may be any value.
  const { code, message = '', stack, syscall } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (syscall === 'listen') return `Cannot listen: ${listenFault(code, message)}`;
  switch (code ?? '') {
    case 'ECONNREFUSED':
    case 'ECONNRESET':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `Cannot reach the database server of DATABASE_URL (${code}). Is it running, and are host and port right?`;
    // Invalid authorisation, wrong password, no such database, too many connections, server starting or stopping.
    case '28000':
    case '28P01':
    case '3D000':
    case '53300':
    case '57P03':
      return `The database server of DATABASE_URL refuses the connection: ${message}`;
    // Ended by an administrator, after a crash of another server process, or because the database was dropped.
    case '57P01':
    case '57P02':
    case '57P04':
      return `The database server of DATABASE_URL has ended the connection: ${message}`;
    default:
      break;
  }
  if (/^(timeout expired|Connection terminated)/.test(message)) {
    return `The database server of DATABASE_URL does not answer (${message}).`;
  }
  return stack ?? String(error);
}

function listenFault(code: string | undefined, message: string): string {
  switch (code ?? '') {
    case 'EADDRINUSE':
      return `${message}. Another program uses this port: stop it, or choose another port with PORT.`;
    case 'EACCES':
      return `${message}. This user may not use this port: choose one above 1023 with PORT.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${message}. HOST must be an address of this machine.`;
    default:
      return message;
  }
}
