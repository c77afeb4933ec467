import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, sep } from 'node:path';
import { ExtensionError } from './extension-tokens';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifestIn = (directory: string) =>
  JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as Manifest;

/** The directory of the installed package that a file gets when it asks for it. */
function directoryOf(name: string, askedBy: string): string | undefined {
  const folders = createRequire(askedBy).resolve.paths(name) ?? [];
  const directory = folders
    .map((folder) => join(folder, name))
    .find((path) => existsSync(join(path, 'package.json')));
  return directory === undefined ? undefined : realpathSync(directory);
}

/** The directories of a package from which files have been loaded. */
function loadedDirectories(name: string, loaded: readonly string[]): string[] {
  const folder = `${sep}node_modules${sep}${name.replaceAll('/', sep)}`;
  return loaded.flatMap((file) => {
    const at = file.lastIndexOf(`${folder}${sep}`);
    // Not what lies in a package's own node_modules.
    if (at < 0 || file.indexOf(`${sep}node_modules${sep}`, at + 1) >= 0) return [];
    return [file.slice(0, at + folder.length)];
  });
}

/** Copies of these know each other's objects. */
const MAY_BE_TWICE = ['reflect-metadata', 'rxjs'];

export interface LoadedFiles {
  /** Files whose packages count before they are loaded. */
  readonly entries: readonly string[];
  /** Those of CommonJS: of ES modules Node keeps no list. */
  readonly loaded: readonly string[];
}

/** @param application the file of the application, where the process was started with another */
export function filesOfThisProcess(application?: string): LoadedFiles {
  const entries = [process.argv[1], application].filter((file) => file !== undefined && existsSync(file));
  return {
    entries: entries.map((file) => realpathSync(file!)),
    loaded: Object.keys(require.cache),
  };
}

/**
 * A package that extensions share with the service (its peer dependencies) must be there once: Nest looks for
 * its own classes, and does not know those of a second copy, whatever the version.
 * @throws ExtensionError that names the package, both versions and where they are
 */
export function refuseSecondCopies({ entries, loaded }: LoadedFiles = filesOfThisProcess()): void {
  const { name: service, peerDependencies } = manifestIn(join(__dirname, '..', '..'));
  for (const [name, range] of Object.entries(peerDependencies)) {
    if (MAY_BE_TWICE.includes(name)) continue;
    const ours = directoryOf(name, __filename);
    const others = [...entries.map((entry) => directoryOf(name, entry)), ...loadedDirectories(name, loaded)];
    const other = others.find((directory) => directory !== undefined && directory !== ours);
    if (ours === undefined || other === undefined) continue;
    const place = (directory: string) => `${manifestIn(directory).version} in ${directory}`;
    throw new ExtensionError(
      `There are two copies of ${name}: ${place(ours)}, which ${service} uses, and ${place(other)}. ` +
        `They must share one: choose versions that satisfy ${range}, then \`npm dedupe\`. ` +
        `\`npm ls ${name}\` shows who wants which.`,
    );
  }
}
