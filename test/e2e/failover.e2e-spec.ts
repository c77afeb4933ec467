import { Database } from '../../src/database/database';
import { bootApp } from '../support/app';
import { TEST_SERVER } from '../support/databases';
import { POSTGRES_PROGRAMS, startReplicatedPostgres } from '../support/replicated-postgres';

// Servers are started, and the machine may be busy.
jest.setTimeout(120_000);

const canRun = TEST_SERVER !== undefined && POSTGRES_PROGRAMS !== undefined;
const describeWith = canRun ? describe : undefined;
const describeWithout = canRun ? undefined : describe;

describeWithout?.('With a primary and a standby', () => {
  it('nothing was tried: it takes a server and the programs to make others, which CI has', () => {
    expect(process.env.CI !== undefined && TEST_SERVER !== undefined).toBe(false);
  });
});

describeWith?.('With a primary and a standby', () => {
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function start() {
    const servers = await startReplicatedPostgres();
    cleanUps.push(() => servers.close());
    const service = await bootApp({ settings: { DATABASE_URL: servers.url, DATABASE_POOL_SIZE: '5' } });
    cleanUps.push(() => service.close());
    return { servers, service, user: await service.register() };
  }

  /** Asks again until this is answered. */
  async function until<T extends { status: number }>(status: number, ask: () => PromiseLike<T>): Promise<T> {
    for (;;) {
      const answer = await ask();
      if (answer.status === status) return answer;
      expect(answer.status).toBe(503);
    }
  }

  it('writes go to the standby that was promoted, without a restart', async () => {
    const { servers, user } = await start();
    const write = (name: string) => user.post('/api/projects', { name });
    await write('before').expect(201);
    await servers.killPrimary();
    await until(503, () => write('between'));
    await servers.promoteStandby();
    await until(201, () => write('after'));
    const { body } = await user.get('/api/projects').expect(200);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['after', 'before']);
  });

  it('a session on a server that takes no writes any more is given up, in a transaction too', async () => {
    const { service, user } = await start();
    const database = service.app.get(Database);
    // As after a change of roles behind connections that stayed open.
    const readOnly = { text: "SELECT set_config('default_transaction_read_only', 'on', false)" };
    const sessions = 5;
    await Promise.all(
      Array.from({ length: sessions }, () => database.query({ text: `${readOnly.text}, pg_sleep(0.2)` })),
    );
    const write = { text: 'CREATE TABLE IF NOT EXISTS written ()' };
    const attempts: string[] = [];
    for (;;) {
      const outcome = await database
        .transaction(() => database.query(write))
        .then(
          () => 'written',
          ({ name }: Error) => name,
        );
      attempts.push(outcome);
      if (outcome === 'written' || attempts.length > sessions) break;
    }
    expect(attempts.at(-1)).toBe('written');
    await user.post('/api/projects', { name: 'p' }).expect(201);
  });

  it('the former primary, back as a standby, gets no writes', async () => {
    const { servers, user } = await start();
    await servers.killPrimary();
    await servers.promoteStandby();
    await servers.startFormerPrimary();
    const write = (name: string) => user.post('/api/projects', { name });
    await until(201, () => write('first'));
    for (let n = 0; n < 5; n++) await write(`p${n}`).expect(201);
  });
});
