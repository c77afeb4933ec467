import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultTemplateFile } from './embedded/template-file';

/**
 * File of an embedded database with the service's migrations, so that databases in memory need not run them again.
 * Its name changes with the content of the migrations and with everything that the template depends on.
 */
export function migratedTemplateFile(): string {
  const folder = join(__dirname, 'migrations');
  const hash = createHash('sha256');
  for (const file of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (file.isFile()) hash.update(file.name).update(readFileSync(join(file.parentPath, file.name)));
  }
  return defaultTemplateFile().replace(/\.tar\.gz$/, `-migrated-${hash.digest('hex').slice(0, 16)}.tar.gz`);
}
