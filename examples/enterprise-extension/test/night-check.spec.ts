import { randomUUID } from 'node:crypto';
import { DatabaseService } from 'formula-development-service';
import { Client } from 'pg';
import { NightCheckJob } from '../src/night-check/night-check.job';
import { NightCheckModule } from '../src/night-check/night-check.module';
import { StabilityModule } from '../src/stability/stability.module';
import { TeamsModule } from '../src/teams/teams.module';
import { TeamsService } from '../src/teams/teams.service';
import { createTestApp, type TestApp } from 'formula-development-service/testing';
import { eventually } from './eventually';
import { createFormula } from './formulas';

const extensions = [TeamsModule, StabilityModule, NightCheckModule];
/** A server where databases may be created; without it two claims meet on the embedded database. */
const SERVER = process.env.TEST_DATABASE_URL;

describe('The night check', () => {
  const name = `night_check_${randomUUID().replaceAll('-', '')}`;
  let instances: TestApp[];

  const onServer = async (statement: string) => {
    const client = new Client({ connectionString: SERVER });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };

  beforeAll(async () => {
    if (SERVER) {
      await onServer(`CREATE DATABASE ${name}`);
      const url = new URL(SERVER);
      url.pathname = name;
      const settings = { DATABASE_URL: url.href };
      instances = [
        await createTestApp({ extensions, settings }),
        await createTestApp({ extensions, settings }),
      ];
    } else {
      const one = await createTestApp({ extensions });
      instances = [one, one];
    }
  });
  afterAll(async () => {
    for (const instance of new Set(instances)) await instance.close();
    if (SERVER) await onServer(`DROP DATABASE ${name}`);
  });

  const database = () => instances[0]!.get(DatabaseService);
  const becomeDue = (ago: string) =>
    database().query({ text: `UPDATE ext_jobs SET due_at = now() - $1::interval` }, [ago]);
  const runEverywhere = () => Promise.all(instances.map((instance) => instance.get(NightCheckJob).run()));

  it('runs once, however many instances there are', async () => {
    const [{ account, get }] = instances as [TestApp];
    const ann = await account('ann');
    await get(TeamsService).join('ann', 'Skin');
    const formulaId = await createFormula(ann, 'Day cream');
    await ann.post('/api/ext/stability-tests', { formulaId, climate: 'warm', days: 1 });
    await database().query({ text: 'UPDATE ext_stability_tests SET due_on = due_on - 2' });

    await becomeDue('1 minute');
    expect((await runEverywhere()).sort()).toEqual([1, undefined]);
    expect((await ann.get('/api/ext/stability-tests')).body.data[0].state).toBe('overdue');
    expect(await runEverywhere()).toEqual([undefined, undefined]);
  });

  it('is due again where its work fails', async () => {
    await becomeDue('1 minute');
    await database().query({ text: 'ALTER TABLE ext_stability_tests RENAME TO ext_gone' });
    await expect(instances[0]!.get(NightCheckJob).run()).rejects.toThrow();
    await database().query({ text: 'ALTER TABLE ext_gone RENAME TO ext_stability_tests' });
    expect(await instances[1]!.get(NightCheckJob).run()).toBe(0);
  });

  it('is shown by health, which says so when it is late', async () => {
    const shown = async () => {
      const { status, body } = await instances[0]!.anonymous.get('/api/health');
      return { status, state: body.indicators['night-check'] };
    };
    await becomeDue('2 hours');
    await eventually(async () => expect(await shown()).toEqual({ status: 200, state: 'down' }));
    await runEverywhere();
    await eventually(async () => expect(await shown()).toEqual({ status: 200, state: 'up' }));
  });
});
