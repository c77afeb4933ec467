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
 * Files by path below src/color, each with what it imports; some that the rules let pass, and some that they
 * do not.
 */
const FILES: Record<string, string[]> = {
  'difference/index.ts': ['./difference', './lab'],
  'difference/difference.ts': ['culori', './lab'],
  'difference/difference.spec.ts': ['../../common/clock'],
  'difference/lab.ts': [],
  'color.service.ts': ['./difference', './difference/index', '../common/clock'],
  'color.repository.ts': ['./difference/lab'],
  'difference/framework.ts': ['@nestjs/common', 'typeorm'],
  'difference/service.ts': ['../../common/clock'],
  'difference/module.ts': ['../color.limits'],
  'difference/node.ts': ['node:fs'],
  'color.limits.ts': [],
  '../common/clock.ts': [],
};

describe('Colour difference', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'colour-difference-'));
    await writeFile(join(folder, 'tsconfig.json'), '{ "compilerOptions": { "module": "node16" } }');
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
    for (const library of ['culori', 'typeorm', '@nestjs/common']) {
      const path = join(folder, 'node_modules', library);
      await mkdir(path, { recursive: true });
      await writeFile(join(path, 'package.json'), `{ "name": "${library}", "main": "index.js" }`);
      await writeFile(join(path, 'index.js'), '');
    }
    for (const [path, imports] of Object.entries(FILES)) {
      const file = join(folder, 'src', 'color', path);
      await mkdir(dirname(file), { recursive: true });
      const lines = imports.map((target, at) => `import type * as i${at} from '${target}';`);
      await writeFile(file, `${lines.join('\n')}\nexport const a = 1;\n`);
    }
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('imports one library of colours and nothing else, and is imported by its index only', async () => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [CLI, 'src', '--config', RULES, '--output-type', 'json', '--no-cache'],
      { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
    ).catch((error: { stdout: string; code: unknown }) => {
      if (typeof error.code !== 'number' || !error.stdout) throw error;
      return error;
    });
    const { summary } = JSON.parse(stdout) as { summary: { violations: Violation[] } };
    const found = summary.violations
      .filter(({ rule }) => rule.name.startsWith('colour-difference-'))
      .map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`);
    expect(found.sort()).toEqual([
      'colour-difference-by-its-index: src/color/color.repository.ts → src/color/difference/lab.ts',
      'colour-difference-knows-no-service: src/color/difference/framework.ts → node_modules/@nestjs/common/index.js',
      'colour-difference-knows-no-service: src/color/difference/framework.ts → node_modules/typeorm/index.js',
      'colour-difference-knows-no-service: src/color/difference/module.ts → src/color/color.limits.ts',
      'colour-difference-knows-no-service: src/color/difference/node.ts → fs',
      'colour-difference-knows-no-service: src/color/difference/service.ts → src/common/clock.ts',
    ]);
  });
});
