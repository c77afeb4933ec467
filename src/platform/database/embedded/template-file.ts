import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Increase it when the creation of the template changes. */
const REVISION = 2;

/** Beside the installed packages: shared by all checkouts, and deleted with the packages it belongs to. */
export function defaultTemplateFile(): string {
  const require = createRequire(__filename);
  const packageDirectory = dirname(dirname(require.resolve('@electric-sql/pglite')));
  const { version } = require(join(packageDirectory, 'package.json')) as { version: string };
  const cache = join(packageDirectory, '..', '..', '.cache', 'embedded-postgres');
  return join(cache, `pglite-${version}-${REVISION}.tar.gz`);
}
