import { EXTENSIONS } from '../src/app.module';
import { openApiDocument } from '../src/openapi';
import { createTestApp, type TestApp } from 'formula-development-service/testing';
import { phasesOf } from './formulas';

describe('The whole application', () => {
  let app: TestApp;

  beforeAll(async () => {
    app = await createTestApp({ extensions: EXTENSIONS });
  });
  afterAll(() => app.close());

  it('has its routes in the OpenAPI document, tagged, with their schemas', async () => {
    const { body: document } = await app.anonymous.get('/api/docs-json');
    const tagOf = (path: string) => Object.values<any>(document.paths[`/api/ext/${path}`])[0].tags;
    const tags = ['teams/mine', 'stability-tests/{id}', 'api-keys', 'audit'].map(tagOf);
    expect(tags).toEqual([['teams'], ['stability'], ['api-keys'], ['audit']]);
    const start = document.paths['/api/ext/stability-tests'].post;
    expect(start.requestBody.content['application/json'].schema.$ref).toBe(
      '#/components/schemas/StartTestDto',
    );
    expect(Object.keys(start.responses)).toEqual(expect.arrayContaining(['201', '401', '404', '409']));
    expect(document.components.schemas.StartTestDto.required).toEqual(['formulaId', 'climate', 'days']);
  });

  it('gives the same document without listening', async () => {
    const { body } = await app.anonymous.get('/api/docs-json');
    expect(JSON.parse(JSON.stringify(await openApiDocument()))).toEqual(body);
  });

  it('tells its errors in the language that a request asks for', async () => {
    const ann = await app.account('ann');
    const create = (headers?: Record<string, string>) =>
      ann.post('/api/formulas', { name: '', phases: phasesOf(ann.user.id) }, headers);
    expect((await create()).body.error).toBe('name: 不能为空');
    expect((await create({ 'X-Language': 'en' })).body.error).toBe('name: must not be empty');
    const german = await create({ 'X-Language': 'de' });
    expect(german.body.error).toBe('name: darf nicht leer sein');
    expect(german.headers.get('content-language')).toBe('de');
    const missing = await ann.get(`/api/ext/stability-tests/${ann.user.id}`, { 'X-Language': 'de' });
    expect(missing.body.error).toBe('Den Stabilitätstest gibt es nicht');
  });

  it('shows its health', async () => {
    const { status, body } = await app.anonymous.get('/api/health');
    expect({ status, indicators: body.indicators }).toEqual({
      status: 200,
      indicators: { events: 'up', 'night-check': 'up' },
    });
  });
});
