import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource, type MigrationInterface } from 'typeorm';
import { coreMigrations } from '../../src/database/migrations';
import { prepareDatabase } from '../../src/database/database-setup';
import { createDataSource } from '../../src/database/open-data-source';
import { bootApp } from '../support/app';
import { createTestDatabase, TEST_SERVER, type TestDatabase } from '../support/databases';

/** Every entity there is: the application loads those that its modules register. */
const ENTITIES = join(__dirname, '..', '..', 'src', '**', '*.entity.ts');

const silent = () => undefined;

describe('The schema', () => {
  let database: TestDatabase | undefined;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = TEST_SERVER ? await createTestDatabase(TEST_SERVER) : undefined;
    dataSource = await createDataSource({
      location: database ? { kind: 'server', url: database.url } : { kind: 'memory' },
      poolSize: 4,
      entities: [ENTITIES],
      log: silent,
      warn: silent,
    });
    await dataSource.initialize();
    await prepareDatabase(dataSource, { warn: silent });
    await dataSource.runMigrations();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database?.drop();
  });

  /** Tables with columns, constraints and indexes, as text that tells any difference. */
  async function description(): Promise<string[]> {
    const rows = await dataSource.query<{ line: string }[]>(`
      SELECT format('column %s.%s %s %s %s', table_name, column_name, udt_name, is_nullable, column_default) AS line
      FROM information_schema.columns WHERE table_schema = 'public' AND table_name <> 'migrations'
      UNION ALL
      SELECT format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'migrations'
      UNION ALL
      SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'
      UNION ALL
      SELECT format('function %s', p.oid::regprocedure) FROM pg_proc p
      WHERE pronamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
      ORDER BY 1`);
    return rows.map(({ line }) => line);
  }

  it('that the migrations make is the one of the entities', async () => {
    const { upQueries } = await dataSource.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('is described by entities that a module of the application registers, all of them', async () => {
    const app = await bootApp();
    try {
      const namesIn = (source: DataSource) => source.entityMetadatas.map(({ name }) => name).sort();
      expect(namesIn(dataSource).length).toBeGreaterThan(10);
      expect(namesIn(app.app.get(DataSource))).toEqual(namesIn(dataSource));
    } finally {
      await app.close();
    }
  });

  it('has names of ours for every constraint and index', async () => {
    const named = await dataSource.query<{ name: string }[]>(`
      SELECT conname AS name FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> 'migrations' AND contype <> 'n'
      UNION SELECT indexname FROM pg_indexes WHERE schemaname = 'public' AND tablename <> 'migrations'`);
    expect(named.length).toBeGreaterThan(20);
    expect(
      named.map(({ name }) => name).filter((name) => !/^(pk|uq|fk|ck|ix)_[a-z0-9_]+$/.test(name)),
    ).toEqual([]);
  });

  it('goes down to nothing, up again, and is the same', async () => {
    const before = await description();
    for (const _ of coreMigrations) await dataSource.undoLastMigration();
    expect(await description()).toEqual([]);
    await dataSource.runMigrations();
    expect(await description()).toEqual(before);
  });

  it('has every migration file in its list, in the order of their times, under the name of its class', () => {
    const folder = join(__dirname, '..', '..', 'src', 'database', 'migrations');
    const files = readdirSync(folder).filter((name) => /^\d+-.*\.ts$/.test(name));
    const times = coreMigrations.map(({ name }) => Number(/\d+$/.exec(name)![0]));
    expect(times).toEqual([...times].sort((one, two) => one - two));
    expect(times).toEqual(files.map((name) => Number.parseInt(name, 10)).sort((one, two) => one - two));
    for (const migration of coreMigrations) {
      expect((new migration() as MigrationInterface).name).toBe(migration.name);
    }
  });
});

it("TypeORM's own commands work on the database of the settings", () => {
  const root = join(__dirname, '..', '..');
  const output = execFileSync(process.execPath, [join(root, 'scripts', 'typeorm.mjs'), 'migration:show'], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test' },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  for (const { name } of coreMigrations) expect(output).toContain(`[ ] ${name}`);
});
