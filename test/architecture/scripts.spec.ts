import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const ROOT = join(__dirname, '..', '..');

describe('scripts', () => {
  let folder: string;
  beforeEach(() => (folder = realpathSync(mkdtempSync(join(tmpdir(), 'scripts-')))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Files of a project of its own, in which the scripts do no harm. */
  function put(files: Record<string, string>): void {
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), content);
    }
  }
  const copy = (...names: string[]) =>
    names.forEach((name) => put({ [`scripts/${name}`]: readFileSync(join(ROOT, 'scripts', name), 'utf8') }));

  function node(parameters: string[], settings: Record<string, string> = {}, cwd = folder) {
    const env = { PATH: process.env.PATH, ...settings } as NodeJS.ProcessEnv;
    const { status, stdout, stderr } = spawnSync(process.execPath, parameters, {
      cwd,
      env,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  }

  describe('ensureBuilt', () => {
    const SOURCES = [
      ...['src/deep/a.ts', 'src/b.ts', 'tsconfig.json', 'tsconfig.build.json', 'nest-cli.json'],
      'package-lock.json',
    ];
    const BUILD = 'dist/main.js';

    beforeEach(() => {
      copy('built.mjs');
      put({
        'node_modules/@nestjs/cli/bin/nest.js': `
          console.log('nest', ...process.argv.slice(2), process.cwd());
          if (process.env.END === 'killed') process.kill(process.pid);
          else process.exit(Number(process.env.END));`,
      });
    });

    /** @param seconds when a file was last changed */
    function change(name: string, seconds: number): void {
      put({ [name]: '' });
      utimesSync(join(folder, name), seconds, seconds);
    }

    function build(end = '0') {
      const script =
        "import { ensureBuilt } from './scripts/built.mjs'; ensureBuilt(); console.log('ready');";
      return node(['--input-type=module', '-e', script], { END: end });
    }

    const nothing = { status: 0, stdout: 'ready\n', stderr: '' };
    const built = () => ({
      ...nothing,
      stderr: `Building the service (only when sources have changed) ...\nnest build ${folder}\n`,
    });

    it('builds where there is no build, and where there are no sources needs none', () => {
      expect(build()).toEqual(nothing);
      SOURCES.forEach((name) => change(name, 1000));
      expect(build()).toEqual(built());
    });

    it('builds no second time, whatever else has changed', () => {
      [...SOURCES, BUILD].forEach((name) => change(name, 1000));
      change('README.md', 2000);
      expect(build()).toEqual(nothing);
    });

    it.each(SOURCES)('builds again when %s has changed', (name) => {
      [...SOURCES, BUILD].forEach((file) => change(file, 1000));
      change(name, 1001);
      expect(build()).toEqual(built());
    });

    it.each([
      ['3', 3],
      ['killed', 1],
    ])('ends the process when the build ends with %s', (end, status) => {
      SOURCES.forEach((name) => change(name, 1000));
      expect(build(end)).toMatchObject({ status, stdout: '' });
    });
  });

  describe('npm run check', () => {
    beforeEach(() => {
      copy('check.mjs', 'built.mjs');
      for (const program of ['bin/npx', 'bin/npm']) {
        put({
          [program]: `#!/bin/sh
            echo "$(pwd): $(basename "$0") $*" >> "$LOG"
            case "$*" in *"$FAIL"*) echo "fault of $*"; exit 3;; esac
            echo fine`,
        });
        chmodSync(join(folder, program), 0o755);
      }
    });

    function check(names: string[], fail = 'none of them') {
      const log = join(folder, 'log');
      writeFileSync(log, '');
      const settings = { PATH: `${join(folder, 'bin')}:${process.env.PATH}`, LOG: log, FAIL: fail };
      const outcome = node([join(folder, 'scripts', 'check.mjs'), ...names], settings, tmpdir());
      const commands = readFileSync(log, 'utf8').replaceAll(`${folder}: `, '').trim().split('\n').toSorted();
      return { ...outcome, commands };
    }

    const lines = (stdout: string) =>
      stdout
        .replace(/\(\d+\.\d s\)/g, '(n s)')
        .trim()
        .split('\n')
        .toSorted();

    it('runs everything that is quick, at the root, and tells of each what came of it', () => {
      const { status, stdout, stderr, commands } = check([]);
      expect(commands).toEqual([
        ...[
          'check:colors',
          'check:layers',
          'check:size',
          'check:unused',
          'examples:check',
          'format:check',
          'openapi:check',
          'surface:check',
        ].map((name) => `npm run --silent ${name}`),
        'npx eslint . --cache --cache-strategy content --cache-location node_modules/.cache/check/eslint',
        'npx jest --selectProjects unit architecture --testPathIgnorePatterns src/colors/difference/ src/platform/database/embedded/ test/architecture/schema.spec.ts',
        'npx tsc --noEmit --incremental --tsBuildInfoFile node_modules/.cache/check/types.tsbuildinfo',
      ]);
      const names = [
        'colors',
        'examples',
        'format',
        'layers',
        'lint',
        'openapi',
        'size',
        'surface',
        'tests',
        'types',
        'unused',
      ];
      // The total of the size is shown, too.
      expect(lines(stdout)).toEqual(['fine', ...names.map((name) => `passed  ${name} (n s)`)]);
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    });

    it('runs only what it is asked for', () => {
      const { status, stdout, commands } = check(['layers', 'format']);
      expect(commands).toEqual(['npm run --silent check:layers', 'npm run --silent format:check']);
      expect({ status, told: lines(stdout) }).toEqual({
        status: 0,
        told: ['passed  format (n s)', 'passed  layers (n s)'],
      });
    });

    it('shows what a check says that fails, names it at the end, and fails', () => {
      const { status, stdout } = check(['layers', 'format'], 'check:layers');
      expect(status).toBe(1);
      expect(stdout).toContain('\nfault of run --silent check:layers\n\nFAILED  layers (');
      expect(stdout).toContain('passed  format (');
      expect(stdout).toMatch(/\n\nFailed: layers\n$/);
      expect(stdout).not.toContain('fine');
    });

    it('knows its checks', () => {
      expect(check(['layers', 'nonsense', 'toString'])).toEqual({
        status: 2,
        stdout: '',
        stderr:
          'There is no check nonsense, toString: lint, tests, types, surface, examples, openapi, unused, format, layers, colors, size\n',
        commands: [''],
      });
    });
  });

  it.each([
    [[], () => []],
    [['migration:revert', '-f'], () => ['migration:revert', '-d', join(folder, 'ormconfig.ts'), '-f']],
  ])('npm run typeorm -- %j has the data source of the settings', (given, expected) => {
    copy('typeorm.mjs', 'built.mjs');
    put({
      'scripts/typescript.cjs': "console.log('typescript');",
      'node_modules/typeorm/cli.js': 'console.log(JSON.stringify(process.argv.slice(2)));',
    });
    const { status, stdout } = node([join('scripts', 'typeorm.mjs'), ...given]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: `typescript\n${JSON.stringify(expected())}\n` });
  });

  it('sources run as they are: before data of the same name, and errors have their lines', () => {
    put({
      'a.ts': "export const a: string = 'source';",
      'a.json': '{ "a": "data" }',
      'main.ts': "import { a } from './a';\n\nconsole.log(a);\n\nthrow new Error(a satisfies string);\n",
    });
    const typescript = join(ROOT, 'scripts', 'typescript.cjs');
    const { status, stdout, stderr } = node(['--enable-source-maps', '-r', typescript, 'main.ts']);
    expect({ status, stdout }).toEqual({ status: 1, stdout: 'source\n' });
    expect(stderr).toContain('main.ts:5:');
  });
});
