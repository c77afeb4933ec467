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
type Streamed<Path extends '/api/ai/predict-formula' | '/api/ai/explore-formula'> =
  paths[Path]['post']['responses'][200]['content']['text/event-stream'];

/** The messages of a stream, which openapi-fetch leaves to its caller. */
async function* messagesOf<Message>(stream: ReadableStream<Uint8Array> | null | undefined): AsyncGenerator<Message> {
  let text = '';
  for await (const part of stream as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(part).toString();
    const messages = text.split('\\n\\n');
    text = messages.pop()!;
    for (const message of messages) yield JSON.parse(message.slice('data: '.length)) as Message;
  }
}

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

  const extracted = await client.POST('/api/ai/extract-formula', { body: { text: '甘油 5%\\n水 95%' } });
  const shares: number[] = extracted.data?.data.map(({ percentage }) => percentage) ?? [];

  const predicted = await client.POST('/api/ai/predict-formula', {
    body: { ingredients: [{ name: '甘油', percentage: 100, category: 'humectant' }] },
    parseAs: 'stream',
  });
  let prediction: components['schemas']['PredictionDto'] | undefined;
  for await (const message of messagesOf<Streamed<'/api/ai/predict-formula'>>(predicted.data)) {
    if (message.type === 'result') prediction = JSON.parse(message.content);
    else throw new Error(message.content);
  }
  const explored = await client.POST('/api/ai/explore-formula', {
    body: { costLimit: 100, baseIngredients: [{ name: '甘油', percentage: 100 }] },
    parseAs: 'stream',
  });
  let options = 0;
  let isDone = false;
  for await (const message of messagesOf<Streamed<'/api/ai/explore-formula'>>(explored.data)) {
    if (message.type === 'option') options += message.option.changes.length > 0 ? 1 : 0;
    else if (message.type === 'done') isDone = true;
    else throw new Error(message.content);
  }

  // Files and pages are other media types than JSON, so a client of JSON has no types of them.
  const json = createClient<paths, 'application/json'>({ baseUrl: process.argv[2]! });
  const cost = await json.GET('/api/ext/formulas/{id}/cost', {
    params: { path: { id } },
    headers: { Authorization: 'Bearer ' + token },
  });
  const costPerKg: number | null | undefined = cost.data?.data.costPerKg;

  const removable = await client.DELETE('/api/formulas/{id}', { params: { path: { id } } });
  const gone = await client.GET('/api/formulas/{id}', {
    params: { path: { id } },
    headers: { 'X-Language': 'en' },
  });

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
      deleted: removable.response.status,
      gone: gone.error,
      shares,
      predicted: prediction && typeof prediction.costEstimate,
      explored: { options, isDone },
      costPerKg,
    }),
  );
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
`;

/** The same on what @hey-api/openapi-ts generates, which reads streams itself. */
const HEY_CLIENT = `
import { client } from './generated/client.gen';
import * as api from './generated/sdk.gen';

const throwOnError = true as const;

async function main(): Promise<void> {
  client.setConfig({ baseUrl: process.argv[2]! });
  const session = await api.authRegister({ throwOnError, body: { username: 'mei', password: 'a long passphrase' } });
  client.setConfig({ auth: session.data.data.token });

  const { data: ingredient } = await api.ingredientsCreate({
    throwOnError,
    body: { inciName: 'Squalane', chineseName: '角鲨烷', functionCategory: 'emollient', unitPrice: 80 },
  });
  const ingredientId = ingredient.data.id;
  const { data: created } = await api.formulasCreate({
    throwOnError,
    body: { name: '护肤油', phases: [{ name: '油相', sortOrder: 1, ingredients: [{ ingredientId, percentage: 100 }] }] },
  });
  const path = { id: created.data.id };
  const { data: revised } = await api.formulasRevise({
    throwOnError,
    path,
    body: { phases: [{ name: '油相', sortOrder: 1, ingredients: [{ ingredientId, percentage: 99.5 }] }] },
  });
  const { data: list } = await api.formulasList({ throwOnError, query: { search: '护肤', limit: 5 } });
  const { data: extracted } = await api.aiExtract({ throwOnError, body: { text: '角鲨烷 100%' } });

  const { stream } = await api.aiPredict({
    body: { ingredients: [{ name: '角鲨烷', percentage: 100, category: 'emollient' }] },
  });
  const predicted: string[] = [];
  for await (const message of stream) {
    if (message.type === 'error') throw new Error(message.content);
    predicted.push(message.type);
  }
  const { stream: variants } = await api.aiExplore({
    body: { costLimit: 100, baseIngredients: [{ name: '角鲨烷', percentage: 100 }] },
  });
  let last: string | undefined;
  for await (const message of variants) {
    last = message.type === 'option' ? message.option.name : message.type;
  }

  const refused = await api.ingredientsDelete({ path: { id: ingredientId } });
  const deleted = await api.formulasDelete({ path });
  const gone = await api.formulasGet({ path, headers: { 'X-Language': 'en' } });
  console.log(
    JSON.stringify({
      currentVersion: revised.data.currentVersion,
      total: list.pagination.total,
      shares: extracted.data.map(({ percentage }) => percentage),
      predicted,
      last,
      refused: refused.error,
      deleted: deleted.response?.status,
      gone: gone.error,
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
    app = await bootApp({ settings: { AI_MOCK: 'true' } });
    folder = await mkdtemp(join(tmpdir(), 'client-'));
    await symlink(MODULES, join(folder, 'node_modules'));
    const { text } = await app.http.get('/api/docs-json').expect(200);
    await writeFile(join(folder, 'api.json'), text);
    await writeFile(join(folder, 'package.json'), '{ "type": "commonjs" }');
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
  });

  const node = async (...parameters: string[]) =>
    run(process.execPath, parameters, { cwd: folder }).catch(
      (error: { stdout?: string; stderr?: string; message: string }) => {
        throw new Error([error.message, error.stdout, error.stderr].join('\n'));
      },
    );

  /** What the client prints, which is compiled first. */
  async function outputOf(client: string): Promise<unknown> {
    await writeFile(join(folder, 'client.ts'), client);
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(TSCONFIG));
    await node(join(MODULES, 'typescript', 'bin', 'tsc'), '--project', 'tsconfig.json');
    const { stdout } = await node(join('out', 'client.js'), await app.app.getUrl());
    return JSON.parse(stdout);
  }

  it('by openapi-typescript compiles and works: register, create, revise, read, delete, streams', async () => {
    await node(join(MODULES, 'openapi-typescript', 'bin', 'cli.js'), 'api.json', '--output', 'api.ts');
    expect(await outputOf(CLIENT)).toEqual({
      wrong: 'magic',
      described: null,
      currentVersion: 2,
      project: null,
      notes: [null, '加热至75℃'],
      total: 1,
      refused: { error: '该成分已被配方引用,无法删除', usageCount: 3, statusCode: 409 },
      deleted: 204,
      gone: { error: 'The formula does not exist', statusCode: 404 },
      shares: [5, 95],
      predicted: 'number',
      explored: { options: expect.any(Number), isDone: true },
      costPerKg: 12.5,
    });
  }, 300_000);

  it('by @hey-api/openapi-ts compiles and works: register, create, revise, read, delete, streams', async () => {
    await node(join(MODULES, '@hey-api/openapi-ts/bin/run.js'), '-i', 'api.json', '-o', 'generated', '-s');
    expect(await outputOf(HEY_CLIENT)).toEqual({
      currentVersion: 2,
      total: 1,
      shares: [100],
      predicted: ['result'],
      last: 'done',
      refused: { error: '该成分已被配方引用,无法删除', usageCount: 2, statusCode: 409 },
      deleted: 204,
      gone: { error: 'The formula does not exist', statusCode: 404 },
    });
  }, 300_000);
});
