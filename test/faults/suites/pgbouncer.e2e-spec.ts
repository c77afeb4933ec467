import { bootApp } from '../../support/app';
import { createMigratedDatabase, TEST_SERVER, type TestDatabase } from '../../support/databases';
import { PGBOUNCER, startPgBouncer } from '../../support/pgbouncer';

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

  const startBouncer = async () => {
    const bouncer = await startPgBouncer(database.url);
    cleanUps.push(() => bouncer.close());
    return bouncer.url;
  };

  it('in session mode the service works, for many at once', async () => {
    const service = await bootApp({ settings: { DATABASE_URL: await startBouncer() } });
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
});
