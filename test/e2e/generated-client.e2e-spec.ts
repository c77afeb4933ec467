import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { bootApp, type TestApp } from '../support/app';

const run = promisify(execFile);
const MODULES = join(__dirname, '..', '..', 'node_modules');

/** What a developer writes on top of the generated types. It says nothing of the service but its address. */
const CLIENT = `
import createClient from 'openapi-fetch';
import type { components, paths } from './api';

type Formula = components['schemas']['FormulaDto'];

async function main(): Promise<void> {
  const client = createClient<paths>({ baseUrl: process.argv[2]! });
  const credentials = { username: 'lin', password: 'a long passphrase' };
  const session = await client.POST('/api/auth/register', { body: credentials });
  if (!session.data) throw new Error(session.error.error);
  const { token } = session.data.data;
  client.use({
    onRequest({ request }) {
      request.headers.set('Authorization', 'Bearer ' + token);
      return request;
    },
  });

  const ingredient = await client.POST('/api/ingredients', {
    body: { inciName: 'Glycerin', chineseName: '甘油', functionCategory: 'humectant', unitPrice: 12.5 },
  });
  if (!ingredient.data) throw new Error(ingredient.error.error);
  const ingredientId = ingredient.data.data.id;

  const created = await client.POST('/api/formulas', {
    body: { name: '保湿霜', phases: [{ name: '水相', sortOrder: 1, ingredients: [{ ingredientId, percentage: 100 }] }] },
  });
  if (!created.data) throw new Error(created.error.error);
  const { id } = created.data.data;

  const revised = await client.PUT('/api/formulas/{id}/composition', {
    params: { path: { id } },
    body: {
      phases: [
        { name: '水相', sortOrder: 1, ingredients: [{ ingredientId, percentage: 60 }] },
        { name: '油相', sortOrder: 2, ingredients: [{ ingredientId, percentage: 40, processNotes: '加热至75℃' }] },
      ],
    },
  });
  if (!revised.data) throw new Error(revised.error.error);

  const read = await client.GET('/api/formulas/{id}', { params: { path: { id } } });
  if (!read.data) throw new Error(read.error.error);
  const formula: Formula = read.data.data;
  const list = await client.GET('/api/formulas', { params: { query: { search: '保湿', sortBy: 'name', limit: 5 } } });
  const refused = await client.DELETE('/api/ingredients/{id}', { params: { path: { id: ingredientId } } });
  const notes: (string | null)[] = formula.versions[0]!.phases.flatMap(({ ingredients }) =>
    ingredients.map(({ processNotes }) => processNotes),
  );
  // What the service does not have is no type either.
  // @ts-expect-error -- no such field
  void formula.embedding;
  // @ts-expect-error -- a description may be null
  const described: string = formula.description;
  // @ts-expect-error -- no such category
  const wrong: components['schemas']['CreateIngredientDto']['functionCategory'] = 'magic';

  console.log(
    JSON.stringify({
      wrong,
      described,
      currentVersion: formula.currentVersion,
      project: formula.project,
      notes,
      total: list.data?.pagination.total,
      refused: refused.error,
    }),
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
`;

const TSCONFIG = {
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
  files: ['client.ts'],
};

describe('A TypeScript client generated from the OpenAPI document', () => {
  let app: TestApp;
  let folder: string;

  beforeAll(async () => {
    app = await bootApp();
    folder = await mkdtemp(join(tmpdir(), 'client-'));
    await symlink(MODULES, join(folder, 'node_modules'));
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  it('compiles and works: register, create, revise, read', async () => {
    const { text } = await app.http.get('/api/docs-json').expect(200);
    await writeFile(join(folder, 'api.json'), text);
    await writeFile(join(folder, 'client.ts'), CLIENT);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');

    const node = async (...parameters: string[]) =>
      run(process.execPath, parameters, { cwd: folder }).catch(
        (error: { stdout?: string; stderr?: string; message: string }) => {
          throw new Error([error.message, error.stdout, error.stderr].join('\n'));
        },
      );
    await node(join(MODULES, 'openapi-typescript', 'bin', 'cli.js'), 'api.json', '--output', 'api.ts');
    await node(join(MODULES, 'typescript', 'bin', 'tsc'), '--project', 'tsconfig.json');
    const { stdout } = await node(join('out', 'client.js'), await app.app.getUrl());

    expect(JSON.parse(stdout)).toEqual({
      wrong: 'magic',
      described: null,
      currentVersion: 2,
      project: null,
      notes: [null, '加热至75℃'],
      total: 1,
      refused: { error: '该成分已被配方引用,无法删除', usageCount: 3, statusCode: 409 },
    });
  }, 300_000);
});
