import { setTimeout as pause } from 'node:timers/promises';
import { bootApp } from '../../support/app';
import { TEST_SERVER } from '../../support/databases';
import { HAPROXY, startHaproxy } from '../../support/haproxy';
import { POSTGRES_PROGRAMS, PostgresServer } from '../../support/postgres-server';

// Servers are started, and the machine may be busy.
jest.setTimeout(120_000);

const canRun = TEST_SERVER !== undefined && POSTGRES_PROGRAMS !== undefined && HAPROXY !== undefined;
const describeWith = canRun ? describe : undefined;
const describeWithout = canRun ? undefined : describe;

describeWithout?.('Behind HAProxy, with a primary and a standby', () => {
  it('nothing was tried: it takes a server, HAProxy and the programs to make servers, which CI has', () => {
    expect(process.env.CI !== undefined && TEST_SERVER !== undefined).toBe(false);
  });
});

describeWith?.('Behind HAProxy, with a primary and a standby', () => {
  const cleanUps: (() => unknown)[] = [];
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  async function closedAfterwards<T extends { close(): unknown }>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    cleanUps.push(() => started.close());
    return started;
  }

  /** Repeats the request until it has this status. */
  async function until<T extends { status: number }>(status: number, ask: () => PromiseLike<T>): Promise<T> {
    for (;;) {
      const answer = await ask();
      if (answer.status === status) return answer;
      expect(answer.status).toBe(503);
    }
  }

  it('writes go to the promoted standby, without a restart of the service', async () => {
    const primary = await closedAfterwards(PostgresServer.create());
    const standby = await closedAfterwards(primary.createStandby());
    const nodes = [primary, standby].map((server) => ({ server, port: server.port }));
    const { port } = await closedAfterwards(startHaproxy(nodes));
    const settings = {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
      DATABASE_POOL_SIZE: '5',
    };
    const service = await closedAfterwards(bootApp({ settings }));
    const user = await service.register();
    const write = (name: string) => user.post('/api/projects', { name });

    await write('before').expect(201);
    // Replication is asynchronous.
    while ((await standby.query(`SELECT 1 FROM projects WHERE name = 'before'`)).length === 0)
      await pause(20);
    await primary.kill();
    await until(503, () => write('between'));
    await standby.promote();
    await until(201, () => write('after'));
    const { body } = await user.get('/api/projects').expect(200);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['after', 'before']);

    // The former primary comes back as a standby: it gets no writes.
    await primary.follow(standby);
    for (let n = 0; n < 5; n++) await write(`p${n}`).expect(201);
  });
});
