import { Client } from 'pg';
import { openDataSource } from '../../src/database/open-data-source';
import { bootApp } from '../support/app';
import { createMigratedDatabase, TEST_SERVER, type TestDatabase } from '../support/databases';
import { PGBOUNCER, startPgBouncer } from '../support/pgbouncer';

jest.setTimeout(120_000);

const canRun = TEST_SERVER !== undefined && PGBOUNCER !== undefined;
const describeBehind = canRun ? describe : undefined;
const describeWithout = canRun ? undefined : describe;

describeWithout?.('Behind PgBouncer', () => {
  it('nothing was tried: it takes a server and an installed PgBouncer, which CI has', () => {
    expect(process.env.CI !== undefined && TEST_SERVER !== undefined).toBe(false);
  });
});

describeBehind?.('Behind PgBouncer', () => {
  const cleanUps: (() => unknown)[] = [];
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createMigratedDatabase(TEST_SERVER!);
    cleanUps.push(() => database.drop());
  });
  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  });

  const startBouncer = async (mode: 'session' | 'transaction' | 'statement') => {
    const bouncer = await startPgBouncer(database.url, mode);
    cleanUps.push(() => bouncer.close());
    return bouncer.url;
  };

  /** Clients whose statements mix up who gets which session. */
  async function keepBusy(url: string) {
    const clients = Array.from({ length: 4 }, () => new Client(url));
    await Promise.all(clients.map((client) => client.connect()));
    let isOver = false;
    const loops = clients.map(async (client) => {
      while (!isOver) await client.query('SELECT 1');
      await client.end();
    });
    return {
      end: async () => {
        isOver = true;
        await Promise.all(loops);
      },
    };
  }

  it('in session mode the service works, for many at once', async () => {
    const service = await bootApp({ settings: { DATABASE_URL: await startBouncer('session') } });
    cleanUps.push(() => service.close());
    const user = await service.register();
    for (let round = 0; round < 5; round += 1) {
      const paths = ['/api/formulas', '/api/ingredients', '/api/projects', '/api/auth/me', '/api/health'];
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, at) => user.get(paths[at % paths.length]!)),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    }
  });

  it.each(['transaction', 'statement'] as const)(
    'in %s mode it does not start, and says why',
    async (mode) => {
      const location = { kind: 'server', url: await startBouncer(mode) } as const;
      const silent = () => undefined;
      const others = await keepBusy(location.url);
      cleanUps.push(() => others.end());
      for (let start = 0; start < 5; start += 1) {
        const opening = openDataSource({ location, poolSize: 10, log: silent, warn: silent });
        await expect(opening).rejects.toMatchObject({
          name: 'DatabaseSetupError',
          message: expect.stringMatching(
            /^The pooler at DATABASE_URL gives [^\n]*pool_mode = session[^\n]*$/,
          ),
        });
      }
    },
  );
});
