import { AuditModule } from '../src/audit/audit.module';
import { NamingRuleModule } from '../src/naming-rule/naming-rule.module';
import { StabilityModule } from '../src/stability/stability.module';
import { TeamsModule } from '../src/teams/teams.module';
import { TeamsService } from '../src/teams/teams.service';
import { WebhookModule } from '../src/webhook/webhook.module';
import {
  createTestApp,
  type TestAccount,
  type TestApp,
  type TestClient,
} from 'formula-development-service/testing';
import { eventually } from './eventually';
import { createFormula, phasesOf } from './formulas';
import { LocalServer } from './local-server';

describe('What happens to formulas', () => {
  let receiver: LocalServer;
  let app: TestApp;
  let ann: TestAccount;
  let admin: TestClient;

  beforeAll(async () => {
    receiver = await LocalServer.start(() => 204);
    app = await createTestApp({
      extensions: [TeamsModule, StabilityModule, AuditModule, WebhookModule, NamingRuleModule],
      settings: { HOOK_URL: `${receiver.url}/hook` },
    });
    ann = await app.account('ann');
    admin = await app.account('admin', { role: 'admin' });
    await app.get(TeamsService).join('ann', 'Skin');
  });
  afterAll(async () => {
    await app.close();
    await receiver.close();
  });

  const auditOf = async (recordId: string) => {
    const lines = (await admin.get('/api/ext/audit?limit=100')).body.data;
    return lines.filter((line: { recordId: string }) => line.recordId === recordId);
  };

  /** A new version, of the composition that the formula has. */
  const revise = async (id: string) => {
    const { data } = (await ann.get(`/api/formulas/${id}`)).body;
    const { ingredientId } = data.versions[0].phases[0].ingredients[0];
    return ann.put(`/api/formulas/${id}/composition`, { phases: phasesOf(ingredientId) });
  };

  it('is in the audit, with who did it', async () => {
    const id = await createFormula(ann, 'Day cream');
    const [line] = await auditOf(id);
    expect(line).toMatchObject({ type: 'formula.created', userId: ann.user.id });
    expect((await ann.get('/api/ext/audit')).status).toBe(403);
  });

  it('may be vetoed, and then leaves no line in the audit', async () => {
    const id = await createFormula(ann, 'Night cream');
    const started = await ann.post('/api/ext/stability-tests', { formulaId: id, climate: 'warm', days: 90 });
    const refused = await revise(id);
    expect(refused.status).toBe(409);
    expect(refused.headers.get('x-error-code')).toBe('stability.running');
    expect((await ann.get(`/api/formulas/${id}`)).body.data.currentVersion).toBe(1);
    expect(await auditOf(id)).toHaveLength(1);
    await ann.put(`/api/ext/stability-tests/${started.body.data.id}/result`, { result: 'passed' });
    expect((await revise(id)).status).toBe(200);
    expect(await auditOf(id)).toHaveLength(2);
  });

  it('is posted to the webhook after the commit, again where that fails', async () => {
    const told = () => receiver.received.filter(({ body }) => body.data.name === 'Hand cream');
    receiver.answer(() => (told().length === 1 ? 503 : 204));
    const id = await createFormula(ann, 'Hand cream');
    await eventually(() => expect(told()).toHaveLength(2));
    const [first, second] = told();
    expect(first).toMatchObject({ path: '/hook', body: { type: 'formula.created', recordId: id } });
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it('may break a rule of the laboratory, which is told with ours', async () => {
    const refused = await ann.post('/api/formulas', { name: 'Copy of x', phases: phasesOf(ann.user.id) });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe('name: must not begin with "Copy of"');
    const id = await createFormula(ann, 'Foot cream');
    expect((await ann.put(`/api/formulas/${id}`, { name: 'copy of x' })).status).toBe(400);
    expect((await ann.put(`/api/formulas/${id}`, { description: 'x' })).status).toBe(200);
  });
});

it('A webhook without an address is a fault of the settings, told with all others', async () => {
  const started = createTestApp({ extensions: [WebhookModule], settings: { HOOK_URL: 'hook', PORT: 'x' } });
  await expect(started).rejects.toThrow(/PORT[^]*HOOK_URL/);
});
