import { ConcurrencyLimiter } from 'formula-development-service';
import { StabilityModule } from '../src/stability/stability.module';
import { TeamsModule } from '../src/teams/teams.module';
import { TeamsService } from '../src/teams/teams.service';
import {
  createTestApp,
  type TestAccount,
  type TestApp,
  type TestClient,
} from 'formula-development-service/testing';
import { createFormula } from './formulas';

const TESTS = '/api/ext/stability-tests';
const REPORTS = '/api/ext/stability-reports';

describe('Stability tests', () => {
  let app: TestApp;
  let ann: TestAccount;
  let bob: TestClient;
  let formulaId: string;

  beforeAll(async () => {
    app = await createTestApp({ extensions: [TeamsModule, StabilityModule] });
    ann = await app.account('ann');
    bob = await app.account('bob');
    await app.get(TeamsService).join('ann', 'Skin');
    await app.get(TeamsService).join('bob', 'Hair');
    formulaId = await createFormula(ann, 'Day cream');
  });
  afterAll(() => app.close());
  afterEach(() => jest.restoreAllMocks());

  const start = async (formula = formulaId, climate = 'warm'): Promise<string> =>
    (await ann.post(TESTS, { formulaId: formula, climate, days: 90 })).body.data.id;

  /** What is written of a stream until it ends, as the messages come. */
  async function* messagesOf(path: string, { token }: TestAccount) {
    const answer = await fetch(`${app.url}${path}`, { headers: { Authorization: `Bearer ${token}` } });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      for (const line of chunk.split('\n\n').filter(Boolean)) yield JSON.parse(line.replace('data: ', ''));
    }
  }

  it('tell their state as a stream, up to the result', async () => {
    const id = await start();
    const told = [];
    for await (const message of messagesOf(`${TESTS}/${id}/watch`, ann)) {
      if (told.push(message) === 1) await ann.put(`${TESTS}/${id}/result`, { result: 'passed' });
    }
    expect(told).toEqual([
      { type: 'state', state: 'running' },
      { type: 'state', state: 'passed' },
    ]);
  });

  it('are streamed to nobody who may not see them', async () => {
    const refused = await bob.get(`${TESTS}/${await start()}/watch`);
    expect(refused.status).toBe(404);
    expect(refused.body).toEqual({ error: 'No such stability test', statusCode: 404 });
  });

  it('are reported by climate, each team its own, and those of a project alone', async () => {
    const project = (await ann.post('/api/projects', { name: 'Spring' })).body.data.id;
    await start(formulaId, 'warm');
    const before = (await ann.get(REPORTS)).body.data;
    const gel = await createFormula(ann, 'Gel', project);
    await start(gel, 'cold');
    await ann.put(`${TESTS}/${await start(gel, 'cold')}/result`, { result: 'failed' });

    const cold = { climate: 'cold', running: 1, passed: 0, failed: 1 };
    expect((await ann.get(REPORTS)).body.data).toEqual([cold, ...before]);
    expect((await ann.get(`${REPORTS}/projects/${project}`)).body.data).toEqual([cold]);
    expect((await bob.get(REPORTS)).body.data).toEqual([]);
    expect((await bob.get(`${REPORTS}/projects/${project}`)).status).toBe(404);
  });

  it.each([
    ['a report', REPORTS, ['requests', 'search']],
    ["a project's report", `${REPORTS}/projects/PROJECT`, ['requests', 'search']],
    ['a long page', `${TESTS}?limit=100`, ['requests', 'reading']],
    ['a page far behind', `${TESTS}?page=11`, ['requests', 'search']],
    ['a short page', TESTS, ['requests', 'short']],
  ])('are in a lane for %s', async (_, path, lanes) => {
    const project = (await ann.post('/api/projects', { name: 'Autumn' })).body.data.id;
    const taken = jest.spyOn(app.get(ConcurrencyLimiter), 'acquire');
    expect((await ann.get(path.replace('PROJECT', project))).status).toBe(200);
    expect(taken.mock.calls.map(([lane]) => lane)).toEqual(lanes);
  });
});
