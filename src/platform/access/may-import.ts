import type { CurrentUser } from '../common/current-user';
import type { Environment } from '../config/environment';

/** Returns true if the user's role may import files. Each record needs its own right, too. */
export const mayImportFiles = ({ importRole }: Environment, { role }: CurrentUser): boolean =>
  importRole === undefined || [importRole, 'admin'].includes(role);
