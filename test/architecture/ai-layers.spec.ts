import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
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

/** `rule: from → to` for every violation below a folder's src/ai. */
async function violationsIn(folder: string): Promise<string[]> {
  const run = promisify(execFile);
  const { stdout } = await run(
    process.execPath,
    [CLI, 'src/ai', '--config', RULES, '--output-type', 'json', '--no-cache'],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout: string; code: unknown }) => {
    if (typeof error.code !== 'number' || !error.stdout) throw error;
    return error;
  });
  const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
  return summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
}

describe('The layers of src/ai', () => {
  let project: string;

  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'ai-layers-'));
    await writeFile(join(project, 'tsconfig.json'), '{ "compilerOptions": { "module": "node16" } }');
    await writeFile(join(project, 'package.json'), '{ "type": "commonjs" }');
  });
  afterAll(() => rm(project, { recursive: true }));
  afterEach(() => rm(join(project, 'src'), { recursive: true, force: true }));

  /** Files by path below src/ai, each with what it imports. */
  async function build(files: Record<string, string[]>): Promise<void> {
    for (const [path, imports] of Object.entries(files)) {
      const file = join(project, 'src', 'ai', path);
      await mkdir(dirname(file), { recursive: true });
      const lines = imports.map((target, at) => `import * as i${at} from '${target}';\nvoid i${at};`);
      await writeFile(file, `${lines.join('\n')}\nexport const a = 1;\n`);
    }
  }

  it('let imports go downwards', async () => {
    await build({
      'provider/port.ts': [],
      'providers/sdk/base.ts': ['../../provider/port'],
      'providers/alpha/alpha.ts': ['../sdk/base', './client'],
      'providers/alpha/client.ts': [],
      'providers/index.ts': ['./alpha/alpha'],
      'call/service.ts': ['../provider/port'],
      'capabilities/predict/predict.ts': ['../../call/service', '../explore/explore'],
      'capabilities/explore/explore.ts': ['../../call/service'],
      'http/controller.ts': ['../capabilities/predict/predict', '../call/service'],
      'ai.module.ts': ['./http/controller', './providers'],
    });
    expect(await violationsIn(project)).toEqual([]);
  });

  it('refuse every other import', async () => {
    await build({
      'provider/a.ts': ['../providers/x/b'],
      'providers/x/a.ts': ['../../call/b', '../y/b'],
      'providers/x/b.ts': [],
      'providers/y/b.ts': [],
      'call/a.ts': ['../capabilities/x/b'],
      'call/b.ts': [],
      'capabilities/x/a.ts': ['../../http/b'],
      'capabilities/x/b.ts': [],
      'http/a.ts': ['../root'],
      'http/b.ts': [],
      'root.ts': [],
      'other/a.ts': ['../provider/b'],
      'provider/b.ts': [],
    });
    expect(await violationsIn(project)).toEqual([
      'ai-folder-without-layer: src/ai/other/a.ts → src/ai/provider/b.ts',
      'ai-layer-call: src/ai/call/a.ts → src/ai/capabilities/x/b.ts',
      'ai-layer-capabilities: src/ai/capabilities/x/a.ts → src/ai/http/b.ts',
      'ai-layer-http: src/ai/http/a.ts → src/ai/root.ts',
      'ai-layer-provider: src/ai/provider/a.ts → src/ai/providers/x/b.ts',
      'ai-layer-providers: src/ai/providers/x/a.ts → src/ai/call/b.ts',
      'ai-provider-beside-provider: src/ai/providers/x/a.ts → src/ai/providers/y/b.ts',
    ]);
  });

  it('have at most ten files in a folder', async () => {
    const crowded: string[] = [];
    const count = async (folder: string): Promise<void> => {
      const entries = await readdir(folder, { withFileTypes: true });
      const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.spec.ts'));
      if (files.length > 10) crowded.push(folder);
      for (const entry of entries) if (entry.isDirectory()) await count(join(folder, entry.name));
    };
    await count(join(ROOT, 'src', 'ai'));
    expect(crowded).toEqual([]);
  });
});
