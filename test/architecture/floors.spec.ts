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

/** `rule: from → to` for every violation below a folder's src. */
async function violationsIn(folder: string): Promise<string[]> {
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

describe('The floors of the house', () => {
  let house: string;

  beforeAll(async () => {
    house = await mkdtemp(join(tmpdir(), 'floors-'));
    await writeFile(join(house, 'tsconfig.json'), '{ "compilerOptions": { "module": "node16" } }');
    await writeFile(join(house, 'package.json'), '{ "type": "commonjs" }');
  });
  afterAll(() => rm(house, { recursive: true }));
  afterEach(() => rm(join(house, 'src'), { recursive: true, force: true }));

  /** Files by path below src, each with what it imports. */
  async function build(files: Record<string, string[]>): Promise<void> {
    for (const [path, imports] of Object.entries(files)) {
      const file = join(house, 'src', path);
      await mkdir(dirname(file), { recursive: true });
      const lines = imports.map(
        (target, index) => `import * as i${index} from '${target}';\nvoid i${index};`,
      );
      await writeFile(file, `${lines.join('\n')}\nexport const a = 1;\n`);
    }
  }

  it('hold for the code as it is', async () => {
    expect(await violationsIn(ROOT)).toEqual([]);
  });

  it('let imports go downwards', async () => {
    await build({
      'common/clock.ts': [],
      'users/users.ts': ['../common/clock'],
      'auth/auth.ts': ['../users/users'],
      'throttling/guard.ts': ['../auth/auth'],
      'extensions/labels/labels.ts': ['./rules', '../../auth/auth'],
      'extensions/labels/rules.ts': [],
      'app.module.ts': ['./throttling/guard', './extensions/labels/labels'],
      'cli/main.ts': ['../app.module'],
    });
    expect(await violationsIn(house)).toEqual([]);
  });

  it.each<[string, Record<string, string[]>, string]>([
    [
      'upwards',
      { 'users/users.ts': ['../formulas/formulas'], 'formulas/formulas.ts': [] },
      'floor-3-users: src/users/users.ts → src/formulas/formulas.ts',
    ],
    [
      'to a room beside',
      { 'projects/projects.ts': ['../users/users'], 'users/users.ts': [] },
      'floor-3-projects: src/projects/projects.ts → src/users/users.ts',
    ],
    [
      'to the root files',
      { 'color/color.ts': ['../app.module'], 'app.module.ts': [] },
      'floor-6-color: src/color/color.ts → src/app.module.ts',
    ],
    [
      'from the lowest floor to the one beside',
      { 'common/a.ts': ['../environment/b'], 'environment/b.ts': [] },
      'floor-0-common: src/common/a.ts → src/environment/b.ts',
    ],
    [
      'from one extension to another',
      { 'extensions/a/a.ts': ['../b/b'], 'extensions/b/b.ts': [] },
      'floor-6-extensions: src/extensions/a/a.ts → src/extensions/b/b.ts',
    ],
    [
      'from the service to its commands',
      { 'main.ts': ['./cli/run'], 'cli/run.ts': [] },
      'roof-stands-on-no-cli: src/main.ts → src/cli/run.ts',
    ],
    [
      'from a room without a floor',
      { 'attic/box.ts': ['../common/clock'], 'common/clock.ts': [] },
      'room-without-floor: src/attic/box.ts → src/common/clock.ts',
    ],
    ['nowhere', { 'common/a.ts': ['./missing'] }, 'no-unresolvable: src/common/a.ts → ./missing'],
  ])('refuse an import %s', async (_, files, violation) => {
    await build(files);
    expect(await violationsIn(house)).toContain(violation);
  });

  it('refuse a circle', async () => {
    await build({ 'common/a.ts': ['./b'], 'common/b.ts': ['./a'] });
    expect(await violationsIn(house)).toEqual([expect.stringContaining('no-circular')]);
  });
});
