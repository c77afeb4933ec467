import type { Response } from 'supertest';
import { DataSource } from 'typeorm';
import { apiDocument } from '../../src';
import { DemoLaboratory } from '../../src/cli/demo/demo-laboratory';
import { bootApp, type TestApp } from '../support/app';
import { type Example, examplesOf } from '../support/document-examples';

/*
 * The request examples of the OpenAPI document are sent to a service with the demo laboratory, as they stand there.
 */

/** Operations that are not sent, with the reason. */
const NOT_SENT: Readonly<Record<string, string>> = {
  'GET /api/ext/import/refused/{id}': 'its id is in the answer of an import that refused rows',
  'POST /api/config/test': 'the example’s key is none, and a provider would be asked with it',
  'DELETE /api/ingredients/{id}': 'formulas of the demo use the ingredient: 409',
  'DELETE /api/ext/trash/{id}': 'the formula has been restored from the trash by then',
};

/** What takes away records, or the token, comes after the rest, in this order. */
const LAST: readonly string[] = [
  'DELETE /api/formulas/{id}',
  'POST /api/ext/trash/{id}/restore',
  'POST /api/ext/ingredients/{id}/merge',
  'DELETE /api/ext/color/formulas/{id}',
  'DELETE /api/ext/limits/editions/{id}',
  'DELETE /api/projects/{id}',
  'PUT /api/ext/auth/password',
  'POST /api/ext/auth/logout',
];

/** Lists in which the demo has nothing. */
const EMPTY_LISTS = ['GET /api/ext/trash'];

describe('The examples of the OpenAPI document', () => {
  let service: TestApp;
  let examples: Example[];

  beforeAll(async () => {
    service = await bootApp({ settings: { AI_MOCK: 'true' } });
    await new DemoLaboratory(service.app).load();
    examples = examplesOf(apiDocument(service.app))
      .filter(({ name }) => !(name in NOT_SENT))
      .sort((one, other) => LAST.indexOf(one.name) - LAST.indexOf(other.name));
  }, 120_000);
  afterAll(() => service.close());

  /** Sends them all, as an administrator who registers and signs in as the examples show. */
  async function sendAll(): Promise<Map<Example, Response>> {
    const answers = new Map<Example, Response>();
    let token = '';
    for (const example of examples) {
      const { name, method, path, query, body } = example;
      const request = service.http[method](path).query(query).set('Authorization', `Bearer ${token}`);
      if (typeof body === 'string') request.set('Content-Type', 'text/csv');
      const answer = await request.send(body);
      answers.set(example, answer);
      token = answer.body.data?.token ?? token;
      if (name === 'POST /api/auth/register') {
        const { id } = answer.body.data;
        await service.app.get(DataSource).query(`UPDATE users SET role = 'admin' WHERE id = '${id}'`);
      }
    }
    return answers;
  }

  it('are all answered, lists with something and imports with what they have done', async () => {
    expect(examples.length).toBeGreaterThan(80);
    const answers = [...(await sendAll())];
    const refused = answers.filter(([, { status }]) => status >= 400);
    expect(refused.map(([{ name }, { status, text }]) => `${name} ${status} ${text}`)).toEqual([]);
    const isEmpty = ({ data, pagination }: any) => (pagination ? pagination.total === 0 : data?.length === 0);
    const empty = answers.filter(([{ method }, { body }]) => method === 'get' && isEmpty(body));
    expect(empty.map(([{ name }]) => name)).toEqual(EMPTY_LISTS);
    const notApplied = answers.filter(([, { body }]) => body.data?.applied === false);
    expect(notApplied.map(([{ name }, { text }]) => `${name} ${text}`)).toEqual([]);
  }, 120_000);

  it('are left out, or sent last, for operations that exist only', () => {
    const names = examplesOf(apiDocument(service.app)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining([...Object.keys(NOT_SENT), ...LAST]));
  });
});
