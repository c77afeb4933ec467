import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bootApp, type TestApp } from '../support/app';

const run = promisify(execFile);
const ROOT = join(__dirname, '..', '..');
const MODULES = join(ROOT, 'node_modules');
/** The folder in which `.ci/clients.sh` installs generators that are too large for development dependencies. */
const { CLIENT_GENERATORS } = process.env;
const GENERATORS = CLIENT_GENERATORS ? join(CLIENT_GENERATORS, 'node_modules') : MODULES;

/** The package, the file of test/clients that uses its output, and the command of docs/clients.md. */
const INSTALLED = CLIENT_GENERATORS
  ? ([
      ['orval', 'orval.ts', 'orval --config orval.config.cjs'],
      [
        'swagger-typescript-api',
        'swagger-typescript-api.ts',
        'swagger-typescript-api generate --path api.json --output generated --name api.ts --generate-union-enums',
      ],
    ] as const)
  : ([
      [
        'openapi-typescript',
        'openapi-typescript.ts',
        'openapi-typescript api.json --output generated/api.ts',
      ],
      ['@hey-api/openapi-ts', 'hey-api.ts', 'openapi-ts --input api.json --output generated'],
    ] as const);

const textOf = (...path: string[]) => readFile(join(ROOT, ...path), 'utf8');

async function versionOf(modules: string, name: string): Promise<string> {
  return JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8')).version;
}

const tsconfigOf = (client: string) => ({
  compilerOptions: {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable'],
    module: 'node16',
    moduleResolution: 'node16',
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    outDir: 'out',
  },
  files: [client],
});

const OUTCOME = {
  certain: [true, true, true, false],
  extracted: [5, 95],
  currentVersion: 2,
  description: null,
  notes: ['加热至75℃', null, null],
  listed: [1, ['保湿乳液']],
  cost: [5.41, 135.25],
  declaration: ['Ingredients: Aqua, Caprylic/Capric Triglyceride, Glycerin', true],
  usage: [['保湿乳液', 5, 8]],
  colors: [true, [['砖红', 0]]],
  costEstimate: 'number',
  hasOptions: true,
  inUse: { error: '该成分已被配方引用,无法删除', usageCount: 2, statusCode: 409 },
  deleted: { error: 'The formula does not exist', statusCode: 404 },
};

describe.each(INSTALLED)('A TypeScript client that %s generates', (generator, client, command) => {
  let service: TestApp;
  let folder: string;

  beforeAll(async () => {
    service = await bootApp({ settings: { AI_MOCK: 'true' } });
    folder = await mkdtemp(join(tmpdir(), 'client-'));
    await cp(join(ROOT, 'test', 'clients'), folder, { recursive: true });
    await symlink(MODULES, join(folder, 'node_modules'));
    const { text } = await service.http.get('/api/docs-json').expect(200);
    await writeFile(join(folder, 'api.json'), text);
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfigOf(client)));
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  const execute = async (program: string, ...parameters: string[]) =>
    run(program, parameters, {
      cwd: folder,
      env: { ...process.env, API_ORIGIN: await service.app.getUrl() },
    }).catch((error: { stdout?: string; stderr?: string; message: string }) => {
      throw new Error([error.message, error.stdout, error.stderr].join('\n'));
    });

  it("compiles under --strict and does a day's work", async () => {
    const [program, ...parameters] = command.split(' ') as [string, ...string[]];
    await execute(join(GENERATORS, '.bin', program), ...parameters);
    await execute(join(MODULES, '.bin', 'tsc'), '--project', 'tsconfig.json');
    const { stdout } = await execute(
      process.execPath,
      join('out', client.replace('.ts', '.js')),
      await service.app.getUrl(),
    );
    expect(JSON.parse(stdout)).toEqual(OUTCOME);
  }, 300_000);

  it('is in docs/clients.md, with its version and the command', async () => {
    const document = await textOf('docs', 'clients.md');
    expect(document).toContain(`${generator}@${await versionOf(GENERATORS, generator)}\n`);
    expect(document).toContain(`npx ${command}\n`);
  });
});

test('docs/clients.md has the other versions and the file that the clients need', async () => {
  const document = await textOf('docs', 'clients.md');
  for (const name of ['typescript', 'openapi-fetch']) {
    expect(document).toContain(`${name}@${await versionOf(MODULES, name)}\n`);
  }
  expect(document.replace(/^ {4}/gm, '')).toContain(await textOf('test', 'clients', 'orval.config.cjs'));
});
