import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const ROOT = join(__dirname, '..', '..');
const CLI = join(ROOT, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const RULES = join(ROOT, '.dependency-cruiser.cjs');

interface Violation {
  from: string;
  to: string;
  rule: { name: string };
}

/**
 * Breaches of the dependency rules below a folder's `src`, each as `rule: from → to`; of this project by
 * default.
 */
export async function dependencyViolations(folder = ROOT): Promise<string[]> {
  const run = promisify(execFile);
  const { stdout } = await run(
    process.execPath,
    [CLI, 'src', '--config', RULES, '--output-type', 'json', '--no-cache'],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout: string; code: unknown }) => {
    if (typeof error.code !== 'number' || !error.stdout) throw error;
    return error;
  });
  const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
}

/**
 * The breaches in a project of these files only. One run takes about a second: plant many files for one call.
 * @param files paths below `src`, each with what it imports
 * @param libraries packages that the project has
 */
export async function violationsOf(
  files: Record<string, string[]>,
  libraries: readonly string[] = [],
): Promise<string[]> {
  const project = await mkdtemp(join(tmpdir(), 'layers-'));
  try {
    await writeFile(join(project, 'tsconfig.json'), '{ "compilerOptions": { "module": "node20" } }');
    await writeFile(join(project, 'package.json'), '{ "type": "commonjs" }');
    for (const name of libraries) {
      const library = join(project, 'node_modules', name);
      await mkdir(library, { recursive: true });
      await writeFile(join(library, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
      await writeFile(join(library, 'index.js'), '');
    }
    for (const [path, imports] of Object.entries(files)) {
      const file = join(project, 'src', path);
      await mkdir(dirname(file), { recursive: true });
      const lines = imports.map(
        (target, index) => `import * as i${index} from '${target}';\nvoid i${index};`,
      );
      await writeFile(file, `${lines.join('\n')}\nexport const a = 1;\n`);
    }
    return await dependencyViolations(project);
  } finally {
    await rm(project, { recursive: true });
  }
}
