import type { OpenAPIObject } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { apiDocument } from '../../src';
import { DemoLaboratory } from '../../src/cli/demo/demo-laboratory';
import { type Account, bootApp, type TestApp } from '../support/app';

/*
 * The request examples of the OpenAPI document are sent to a service with the demo laboratory, as they stand there.
 */

/** Ids are made when records are created, so those of examples stand for records of the demo. */
const DEMO_IDS: Readonly<Record<string, string>> = {
  '/api/formulas': `SELECT formula_id AS id FROM formula_versions WHERE version_number = 2 LIMIT 1`,
  '/api/ext/formulas': `SELECT formula_id AS id FROM formula_versions WHERE version_number = 2 LIMIT 1`,
  '/api/ingredients': `SELECT id FROM ingredients WHERE inci_name = 'Glycerin'`,
  '/api/ext/ingredients': `SELECT id FROM ingredients WHERE inci_name = 'Phenoxyethanol'`,
  '/api/ext/limits/editions': `SELECT id FROM limit_editions LIMIT 1`,
  '/api/ext/color/formulas': `SELECT id FROM color_formulas LIMIT 1`,
  '/api/projects': `SELECT id FROM projects ORDER BY created_at LIMIT 1`,
};

/** Operations that are not sent, with the reason. */
const NOT_SENT: Readonly<Record<string, string>> = {
  'GET /api/ext/import/refused/{id}': 'the demo has no refused rows',
  'POST /api/ext/trash/{id}/restore': 'nothing of the demo is in the trash',
  'POST /api/ext/ingredients/{id}/merge': 'it names a second ingredient by an id',
  'POST /api/ext/ingredients/{id}/replace': 'it names a second ingredient by an id',
  'POST /api/ext/formulas/move': 'it names formulas by ids',
  'POST /api/ext/limits/editions': 'it takes a file',
  'POST /api/ext/import/ingredients': 'it takes a file',
  'POST /api/ext/import/colors': 'it takes a file',
  'POST /api/ext/import/formulas': 'it takes a file',
  'PUT /api/ext/auth/password': 'it ends the token of the test',
  'POST /api/ext/auth/logout': 'it ends the token of the test',
  'POST /api/config/test': 'the example’s key is none, and a provider would be asked with it',
};

interface Example {
  name: string;
  method: 'get' | 'post' | 'put';
  path: string;
  query: Record<string, unknown>;
  body: object | undefined;
}

function examplesOf(document: OpenAPIObject): Example[] {
  const schemas = document.components!.schemas as Record<string, any>;
  const exampleOf = (schema: any): unknown => {
    if (schema.example !== undefined) return schema.example;
    if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1)]);
    if (schema.allOf) return exampleOf(schema.allOf[0]);
    if (schema.type === 'array') return [exampleOf(schema.items)];
    if (schema.enum) return schema.default ?? schema.enum[0];
    if (schema.properties) {
      const fields = Object.entries(schema.properties).map(([name, field]) => [name, exampleOf(field)]);
      return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    }
    return schema.default;
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries<any>(item)
      // A deletion has no example: it would name a record of the reader's.
      .filter(([method]) => method !== 'delete')
      .map(([method, { parameters, requestBody }]) => {
        const shown = parameters.map((given: any) => ({
          ...given,
          value: given.example ?? exampleOf(given.schema),
        }));
        const inPath = shown.filter((given: any) => given.in === 'path' && given.name !== 'id');
        const inQuery = shown.filter((given: any) => given.in === 'query' && given.value !== undefined);
        const media = requestBody?.content['application/json'];
        return {
          name: `${method.toUpperCase()} ${path}`,
          method: method as Example['method'],
          path: inPath.reduce(
            (text: string, given: any) => text.replace(`{${given.name}}`, given.value),
            path,
          ),
          query: Object.fromEntries(inQuery.map(({ name, value }: any) => [name, value])),
          body: media && ((media.example ?? exampleOf(media.schema)) as object),
        };
      }),
  );
}

describe('The examples of the OpenAPI document', () => {
  let service: TestApp;
  let admin: Account;

  beforeAll(async () => {
    service = await bootApp({ settings: { AI_MOCK: 'true' } });
    await new DemoLaboratory(service.app).load();
    admin = await service.register();
    await service.app.get(DataSource).query(`UPDATE users SET role = 'admin' WHERE id = '${admin.id}'`);
  }, 120_000);
  afterAll(() => service.close());

  const idOf = async (sql: string) => (await service.app.get(DataSource).query<{ id: string }[]>(sql))[0]!.id;

  /** The path with the id of a record of the demo. */
  async function pathWithId({ path }: Example): Promise<string> {
    const [resource] = path.split('/{id}');
    return path.includes('{id}') ? path.replace('{id}', await idOf(DEMO_IDS[resource!]!)) : path;
  }

  it('are all answered', async () => {
    const glycerin = await idOf(DEMO_IDS['/api/ingredients']!);
    const line = await idOf(
      `SELECT id FROM formula_ingredients WHERE formula_version_id =
         (SELECT id FROM formula_versions WHERE formula_id = (${DEMO_IDS['/api/formulas']!}) AND version_number = 1)
       LIMIT 1`,
    );
    const refused: string[] = [];
    const examples = examplesOf(apiDocument(service.app)).filter(({ name }) => !(name in NOT_SENT));
    expect(examples.length).toBeGreaterThan(35);
    for (const example of examples) {
      const path = await pathWithId(example);
      const query = 'line' in example.query ? { ...example.query, line } : example.query;
      const body =
        example.body &&
        JSON.parse(JSON.stringify(example.body).replaceAll(/("ingredientId":)"[^"]+"/g, `$1"${glycerin}"`));
      const answer = await admin[example.method](path, body).query(query);
      if (answer.status >= 400) refused.push(`${example.name} ${answer.status} ${answer.text}`);
    }
    expect(refused).toEqual([]);
  }, 120_000);

  it('are left out for operations that exist only', () => {
    const names = examplesOf(apiDocument(service.app)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(Object.keys(NOT_SENT)));
  });
});
