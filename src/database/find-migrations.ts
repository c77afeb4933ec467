import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { MigrationInterface } from 'typeorm';

type MigrationClass = new () => MigrationInterface;

/** Milliseconds since 1970, then what the migration does: `1767225600000-baseline.ts`. */
const FILE_NAME = /^(\d{13})-[a-z0-9]+(?:-[a-z0-9]+)*\.[jt]s$/;
/** Sources under jest and ormconfig.ts, compiled files in a build; neither declarations nor tests. */
const CODE = /(?<!\.d|\.spec)\.[jt]s$/;

/**
 * The migration classes of a folder's own files, in the order in which they run. Folders in it hold parts of
 * migrations.
 * @throws Error when a file's name has no time, or it does not export exactly one class, named with the same
 *   time
 */
export function findMigrations(folder: string): MigrationClass[] {
  const load = createRequire(__filename);
  const files = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && CODE.test(entry.name))
    .map(({ name }) => name)
    .sort();
  return files.map((file) => {
    const time = FILE_NAME.exec(file)?.[1];
    if (!time)
      throw new Error(`${file}: the name of a migration is <milliseconds since 1970>-<what-it-does>`);
    const classes = Object.values(load(join(folder, file)) as Record<string, unknown>);
    const [migration] = classes as MigrationClass[];
    if (classes.length !== 1 || typeof migration !== 'function' || !migration.name.endsWith(time)) {
      throw new Error(`${file} must export one class, its name ending in ${time}, and nothing else`);
    }
    return migration;
  });
}

/** Every migration of the service itself. */
export const coreMigrations = findMigrations(join(__dirname, 'migrations'));
