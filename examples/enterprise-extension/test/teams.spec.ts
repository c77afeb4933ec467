import { TeamsModule } from '../src/teams/teams.module';
import { TeamsService } from '../src/teams/teams.service';
import { StabilityModule } from '../src/stability/stability.module';
import { createTestApp, type TestApp, type TestClient } from 'formula-development-service/testing';
import { createFormula, phasesOf } from './formulas';

describe('Teams', () => {
  // #region app
  let app: TestApp;
  let ann: TestClient;
  let bob: TestClient;
  let vera: TestClient;
  let admin: TestClient;
  let formulaId: string;

  beforeAll(async () => {
    app = await createTestApp({ extensions: [TeamsModule, StabilityModule] });
    ann = await app.account('ann');
    bob = await app.account('bob');
    vera = await app.account('vera', { role: 'viewer' });
    admin = await app.account('admin', { role: 'admin' });
    const teams = app.get(TeamsService);
    await teams.join('ann', 'Skin');
    await teams.join('vera', 'Skin');
    await teams.join('bob', 'Hair');
    formulaId = await createFormula(ann, 'Day cream');
  });
  afterAll(() => app.close());
  // #endregion

  // #region test
  it('see their own formulas, and nothing of others', async () => {
    const path = `/api/formulas/${formulaId}`;
    for (const client of [ann, vera, admin]) expect((await client.get(path)).status).toBe(200);
    expect((await bob.get(path)).status).toBe(404);
    expect((await bob.get('/api/formulas')).body.pagination.total).toBe(0);
    expect((await vera.get('/api/formulas?search=cream')).body.pagination.total).toBe(1);
    expect((await bob.get('/api/formulas?search=cream')).body.data).toEqual([]);
  });
  // #endregion

  it('see their own stability tests, and nothing of others', async () => {
    const started = await ann.post('/api/ext/stability-tests', { formulaId, climate: 'warm', days: 90 });
    expect(started.status).toBe(201);
    expect(started.body.data).toMatchObject({ formula: 'Day cream', state: 'running' });
    const path = `/api/ext/stability-tests/${started.body.data.id}`;
    expect((await vera.get(path)).body).toEqual(started.body);
    expect((await bob.get(path)).headers.get('x-error-code')).toBe('stability.not-found');
    expect((await vera.get('/api/ext/stability-tests')).body.pagination.total).toBe(1);
    expect((await bob.get('/api/ext/stability-tests')).body.pagination.total).toBe(0);
    expect((await bob.post('/api/ext/stability-tests', { formulaId, climate: 'warm', days: 1 })).status).toBe(
      404,
    );
  });

  it('have viewers, who write nothing', async () => {
    const ingredientId = (await vera.get('/api/ingredients')).body.data[0].id;
    const refused = [
      vera.post('/api/formulas', { name: 'x', phases: phasesOf(formulaId) }),
      vera.put(`/api/formulas/${formulaId}`, { name: 'x' }),
      vera.delete(`/api/formulas/${formulaId}`),
      vera.post('/api/projects', { name: 'x' }),
      vera.post('/api/ingredients', { inciName: 'x', chineseName: 'x', functionCategory: 'other' }),
      vera.put(`/api/ingredients/${ingredientId}`, { chineseName: 'x' }),
      vera.delete(`/api/ingredients/${ingredientId}`),
      vera.post('/api/ext/stability-tests', { formulaId, climate: 'warm', days: 1 }),
      vera.put(`/api/ext/stability-tests/${formulaId}/result`, { result: 'passed' }),
      vera.put('/api/config', { aiMock: 'true' }),
      vera.post('/api/ai/explore-formula', { costLimit: 10 }),
      vera.post('/api/ext/teams/members', { username: 'vera', team: 'Hair' }),
    ];
    const statuses = (await Promise.all(refused)).map(({ status }) => status);
    expect(statuses).toEqual(refused.map(() => 403));
  });

  it('get their members from an admin', async () => {
    await app.account('carl');
    const join = { username: 'carl', team: 'Hair' };
    expect((await ann.post('/api/ext/teams/members', join)).status).toBe(403);
    expect((await admin.post('/api/ext/teams/members', join)).body.data.name).toBe('Hair');
    const missing = await admin.post('/api/ext/teams/members', { ...join, username: 'nobody' });
    expect(missing.status).toBe(404);
    expect(missing.headers.get('x-error-code')).toBe('teams.no-such-user');
    expect((await ann.get('/api/ext/teams/mine')).body.data.name).toBe('Skin');
    expect((await admin.get('/api/ext/teams/mine')).headers.get('x-error-code')).toBe('teams.none');
  });

  it('change what a colleague has made', async () => {
    const dora = await app.account('dora');
    await app.get(TeamsService).join('dora', 'Skin');
    expect((await dora.put(`/api/formulas/${formulaId}`, { description: 'lighter' })).status).toBe(200);
    expect((await bob.put(`/api/formulas/${formulaId}`, { description: 'no' })).status).toBe(404);
  });
});
