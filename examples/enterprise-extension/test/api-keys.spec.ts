import { AccountsService, DatabaseService } from 'formula-development-service';
import { ApiKeysModule } from '../src/api-keys/api-keys.module';
import { StabilityModule } from '../src/stability/stability.module';
import { TeamsModule } from '../src/teams/teams.module';
import { TeamsService } from '../src/teams/teams.service';
import { createTestApp, type TestApp, type TestClient } from 'formula-development-service/testing';
import { createFormula } from './formulas';

describe('API keys', () => {
  let app: TestApp;
  let admin: TestClient;
  let key: string;

  beforeAll(async () => {
    app = await createTestApp({ extensions: [TeamsModule, StabilityModule, ApiKeysModule] });
    admin = await app.account('admin', { role: 'admin' });
    const issued = await admin.post('/api/ext/api-keys', { instrument: 'viscometer' });
    expect(issued.status).toBe(201);
    key = issued.body.data.key;
  });
  afterAll(() => app.close());

  const me = (apiKey: string) => app.anonymous.get('/api/auth/me', { 'X-API-Key': apiKey });

  it('are of an account of their own, which is in a team like all others', async () => {
    const { status, body } = await me(key);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ username: 'instrument:viscometer', role: 'viewer' });
    const ann = await app.account('ann');
    for (const name of ['ann', 'instrument:viscometer']) await app.get(TeamsService).join(name, 'Skin');
    const path = `/api/formulas/${await createFormula(ann, 'Day cream')}`;
    expect((await app.anonymous.get(path, { 'X-API-Key': key })).status).toBe(200);
    expect((await app.anonymous.put(path, { name: 'x' }, { 'X-API-Key': key })).status).toBe(403);
  });

  it('are stored as hashes only', async () => {
    const rows = await app.get(DatabaseService).query({ text: 'SELECT * FROM ext_api_keys' });
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it('admit nobody when they are wrong, and leave tokens as they are', async () => {
    expect((await me('wrong')).status).toBe(401);
    expect((await app.anonymous.get('/api/auth/me')).status).toBe(401);
    expect((await admin.get('/api/auth/me')).status).toBe(200);
  });

  it('end when another one is issued, and when the account is disabled', async () => {
    const next = (await admin.post('/api/ext/api-keys', { instrument: 'viscometer' })).body.data.key;
    expect((await me(key)).status).toBe(401);
    expect((await me(next)).status).toBe(200);
    await app.get(AccountsService).disable('instrument:viscometer');
    expect((await me(next)).status).toBe(401);
  });

  it('are issued by admins, at a rate of their own', async () => {
    const ann = await app.account('anna');
    expect((await ann.post('/api/ext/api-keys', { instrument: 'x' })).status).toBe(403);
    const issued = [];
    for (let at = 0; at < 11; at++) issued.push(await admin.post('/api/ext/api-keys', { instrument: 'x' }));
    expect(issued.at(-1)?.status).toBe(429);
  });
});
