import { Client, type Pool } from 'pg';
import { DataSource } from 'typeorm';
import { bootApp, type TestApp } from '../support/app';
import { TEST_SERVER } from '../support/databases';

const PATIENT = { DATABASE_LOCK_TIMEOUT: '100', DATABASE_STATEMENT_TIMEOUT: '100' };

// Nobody waits for a limit of time, but the machine may be busy.
jest.setTimeout(120_000);

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A service, a user, and two sessions beside its own: one may hold locks, one looks at the others. */
async function start() {
  const service = await bootApp({ settings: { DATABASE_POOL_SIZE: '10', ...PATIENT } });
  cleanUps.push(() => service.close());
  const user = await service.register();
  const [row] = await service.app
    .get(DataSource)
    .query<{ name: string }[]>('SELECT current_database() AS name');
  const url = new URL(TEST_SERVER!);
  url.pathname = `/${row!.name}`;
  const [locker, watcher] = [1, 2].map(() => new Client({ connectionString: url.toString() })) as [
    Client,
    Client,
  ];
  for (const client of [locker, watcher]) {
    await client.connect();
    cleanUps.push(() => client.end());
  }
  return { service, user, locker, watcher };
}

const poolOf = (service: TestApp): Pool =>
  (service.app.get(DataSource).driver as unknown as { master: Pool }).master;

/** Process of the server that the short reads are sent to. */
function pipelined(service: TestApp): number | undefined {
  const { _clients: clients } = poolOf(service) as unknown as {
    _clients: { pipeline: boolean; processID: number }[];
  };
  return clients.find(({ pipeline }) => pipeline)?.processID;
}

/** Waits until so many of the service's statements wait for a lock. */
async function waitForLocks(watcher: Client, expected: (count: number) => boolean): Promise<void> {
  const text = `SELECT count(*)::int AS waiting FROM pg_stat_activity
                WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  for (;;) {
    const { rows } = await watcher.query<{ waiting: number }>(text);
    if (expected(rows[0]!.waiting)) return;
    await pause(20);
  }
}

describe('Short reads', () => {
  it('have their own answers, however many are asked for at once', async () => {
    const service = await bootApp();
    cleanUps.push(() => service.close());
    const users = await Promise.all(Array.from({ length: 6 }, () => service.register()));
    const ids: string[] = [];
    for (let number = 0; number < 6; number += 1) {
      const project = { name: `project ${number}` };
      const { body } = await users[0]!.post('/api/projects', project).expect(201);
      ids.push((body as { data: { id: string } }).data.id);
    }
    for (let round = 0; round < 5; round += 1) {
      const asked = users.flatMap((user) => ids.map((id) => ({ user, id })));
      const found = await Promise.all(
        asked.map(({ user, id }) => user.get(`/api/projects/${id}`).expect(200)),
      );
      expect(found.map(({ body }) => (body as { data: { id: string } }).data.id)).toEqual(
        asked.map(({ id }) => id),
      );
      const own = await Promise.all(users.map((user) => user.get('/api/auth/me').expect(200)));
      expect(own.map(({ body }) => (body as { data: { id: string } }).data.id)).toEqual(
        users.map(({ id }) => id),
      );
    }
  });
});

const describeOnServer = TEST_SERVER ? describe : undefined;

describeOnServer?.('Short reads on a server', () => {
  it('share a connection, which goes back to the pool when they are over', async () => {
    const { service, user } = await start();
    await Promise.all(Array.from({ length: 12 }, () => user.get('/api/ingredients').expect(200)));
    const process = pipelined(service);
    expect(process).toBeDefined();
    await user.get('/api/formulas').expect(200);
    expect(pipelined(service)).toBe(process);
    while (pipelined(service) !== undefined) await pause(50);
    const { idleCount, totalCount } = poolOf(service);
    expect(idleCount).toBe(totalCount);
    await user.get('/api/ingredients').expect(200);
  });

  it('wait for no locked table but their own', async () => {
    const { service, user, locker, watcher } = await start();
    await locker.query('BEGIN; LOCK TABLE ingredients');
    const paths = [
      '/api/formulas',
      '/api/projects',
      '/api/auth/me',
      '/api/color/formulas/match?L=50&a=0&b=0',
    ];
    for (let round = 0; round < 3; round += 1) {
      const stuck = await service.register();
      const asked = ['/api/ingredients', '/api/ingredients?search=aqua', '/api/ingredients?limit=21'].map(
        (path) => stuck.get(path).then(({ status }) => status),
      );
      // At the same moment, and while they wait.
      const others = await Promise.all([1, 2, 3].map(() => service.register()));
      await Promise.all(others.flatMap((other) => paths.map((path) => other.get(path).expect(200))));
      await waitForLocks(watcher, (count) => count > 0);
      for (const path of paths) await user.get(path).expect(200);
      if (round < 2) {
        void Promise.all(asked);
        continue;
      }
      await locker.query('ROLLBACK');
      expect(await Promise.all(asked)).toEqual([200, 200, 200]);
    }
    await user.get('/api/ingredients').expect(200);
  });

  it('are ended when their clients go away, and others get the connection', async () => {
    const { service, user, locker, watcher } = await start();
    await locker.query('BEGIN; LOCK TABLE ingredients');
    const requests = ['/api/ingredients', '/api/ingredients?search=aqua'].map((path) => user.get(path));
    const left = requests.map((request) =>
      request.then(
        ({ status }) => status,
        () => 'left',
      ),
    );
    await waitForLocks(watcher, (count) => count >= 2);
    for (const request of requests) request.abort();
    expect(await Promise.all(left)).toEqual(['left', 'left']);
    await waitForLocks(watcher, (count) => count === 0);
    await locker.query('ROLLBACK');
    await Promise.all(Array.from({ length: 8 }, () => user.get('/api/ingredients').expect(200)));
    expect(pipelined(service)).toBeDefined();
  });

  it('get a new connection when theirs has been cut', async () => {
    const { service, user, watcher } = await start();
    for (let round = 0; round < 3; round += 1) {
      await user.get('/api/ingredients').expect(200);
      const process = pipelined(service);
      await watcher.query('SELECT pg_terminate_backend($1)', [process]);
      while (pipelined(service) === process) await pause(5);
      await user.get('/api/ingredients').expect(200);
    }
  });
});
