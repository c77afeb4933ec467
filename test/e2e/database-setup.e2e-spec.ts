import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import type { DatabaseLocation } from '../../src/platform/config/environment';
import { setUpDatabase } from '../../src/platform/database/database-setup';
import { DatabaseSetupError } from '../../src/platform/database/database-errors';
import { coreMigrations } from '../../src/platform/database/migrations';
import { createDataSource, openDataSource } from '../../src/platform/database/open-data-source';
import { createTestDatabase, onServer, TEST_SERVER } from '../support/databases';

const NAMES = coreMigrations.map(({ name }) => name);

class Labels1800000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE TABLE labels (formula_id uuid NOT NULL REFERENCES formulas (id))');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE labels');
  }
}

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

function notices() {
  const logged: string[] = [];
  const warned: string[] = [];
  return {
    logged,
    warned,
    log: (message: string) => logged.push(message),
    warn: (message: string) => warned.push(message),
  };
}

/**
 * An empty database that can be opened again: on the embedded one only after the last opening has let go of
 * it.
 */
async function lastingDatabase(): Promise<DatabaseLocation> {
  if (TEST_SERVER) {
    const database = await createTestDatabase(TEST_SERVER);
    cleanUps.push(() => database.drop());
    return { kind: 'server', url: database.url };
  }
  const folder = mkdtempSync(join(tmpdir(), 'setup-'));
  cleanUps.push(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })));
  return { kind: 'directory', dataDir: join(folder, 'data') };
}

const namesIn = async (dataSource: DataSource) =>
  (await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id')).map(
    ({ name }) => name,
  );

describe('An empty database', () => {
  it('gets our migrations, then those of extensions, once', async () => {
    const database = TEST_SERVER ? await createTestDatabase(TEST_SERVER) : undefined;
    if (database) cleanUps.push(() => database.drop());
    const dataSource = await createDataSource({
      location: database ? { kind: 'server', url: database.url } : { kind: 'memory' },
      poolSize: 2,
      extraMigrations: [Labels1800000000000],
      ...notices(),
    });
    cleanUps.push(() => dataSource.destroy());
    await dataSource.initialize();

    const first = notices();
    await setUpDatabase(dataSource, { ...first, isServer: database !== undefined });
    expect(first.logged).toEqual(['Migrating the database']);
    const again = notices();
    await setUpDatabase(dataSource, { ...again, isServer: database !== undefined });
    expect(again.logged).toEqual([]);
    expect(await namesIn(dataSource)).toEqual([...NAMES, Labels1800000000000.name]);
  });

  it('of an extension’s leftovers is refused without that extension, and left as it was and free', async () => {
    const location = await lastingDatabase();
    const open = () => openDataSource({ location, poolSize: 2, ...notices() });
    const connect = async () => {
      const dataSource = await createDataSource({ location, poolSize: 2, ...notices() });
      await dataSource.initialize();
      return dataSource;
    };
    const before = await connect();
    await before.query(`CREATE TABLE migrations (id serial, timestamp bigint, name varchar);
                        INSERT INTO migrations (name) VALUES ('Labels1800000000000')`);
    await before.destroy();

    await expect(open()).rejects.toThrow(/extension that is not registered.* \(Labels1800000000000\)/);

    const after = await connect();
    const tables = await after.query<unknown[]>(
      `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public'`,
    );
    await after.destroy();
    expect(tables).toEqual([{ name: 'migrations' }]);
  });
});

describe('A database with an extension', () => {
  const migrationOf = (time: number, up: string, down: string, transaction?: boolean) => {
    class Migration implements MigrationInterface {
      name = `Extension${time}`;
      transaction = transaction;
      up = (runner: QueryRunner) => runner.query(up);
      down = (runner: QueryRunner) => runner.query(down);
    }
    return Migration;
  };
  const Labels = migrationOf(
    1800000000001,
    'CREATE TABLE ext_labels (id integer CONSTRAINT pk_ext_labels PRIMARY KEY)',
    'DROP TABLE ext_labels',
  );
  const Prints = migrationOf(
    1800000000002,
    'CREATE TABLE ext_prints (label integer CONSTRAINT fk_ext_prints_label REFERENCES ext_labels)',
    'DROP TABLE ext_prints',
  );
  type Migrations = (new () => MigrationInterface)[];
  const open = async (location: DatabaseLocation, extra: Migrations, removed: Migrations = []) => {
    const told = notices();
    const dataSource = await openDataSource({
      location,
      poolSize: 2,
      extraMigrations: extra,
      removedMigrations: removed,
      ...told,
    });
    const [names, tables] = [await namesIn(dataSource), await extensionTables(dataSource)];
    await dataSource.destroy();
    return { names: names.slice(NAMES.length), tables, logged: told.logged };
  };
  const extensionTables = async (dataSource: DataSource) =>
    (
      await dataSource.query<{ name: string }[]>(
        `SELECT tablename AS name FROM pg_tables WHERE tablename LIKE 'ext\\_%' ORDER BY 1`,
      )
    ).map(({ name }) => name);

  it('gets them in the order of their times, whatever the order of the list', async () => {
    expect(await open(await lastingDatabase(), [Prints, Labels])).toMatchObject({
      names: ['Extension1800000000001', 'Extension1800000000002'],
      tables: ['ext_labels', 'ext_prints'],
    });
  });

  it('gets an older one that comes later, as ours may', async () => {
    const location = await lastingDatabase();
    const Early = migrationOf(1795000000000, 'CREATE TABLE ext_early (id integer)', 'DROP TABLE ext_early');
    await open(location, [Labels]);
    const { names, tables } = await open(location, [Labels, Early]);
    expect(names).toEqual(['Extension1800000000001', 'Extension1795000000000']);
    expect(tables).toEqual(['ext_early', 'ext_labels']);
  });

  it('loses what is to be removed, the last first, and starts without it from then on', async () => {
    const location = await lastingDatabase();
    await open(location, [Labels, Prints]);
    const { names, tables, logged } = await open(location, [], [Labels, Prints]);
    expect({ names, tables }).toEqual({ names: [], tables: [] });
    expect(logged.filter((message) => message.startsWith('Undoing'))).toEqual([
      'Undoing the migration Extension1800000000002',
      'Undoing the migration Extension1800000000001',
    ]);
    expect((await open(location, [], [Labels, Prints])).logged.join()).not.toContain('Undoing');
    expect((await open(location, [Labels])).tables).toEqual(['ext_labels']);
  });

  it('has lost nothing on its first start', async () => {
    expect(await open(await lastingDatabase(), [Labels], [Prints])).toMatchObject({ tables: ['ext_labels'] });
  });

  it('keeps all of a migration that cannot be undone', async () => {
    const location = await lastingDatabase();
    const Whole = migrationOf(1800000000003, 'CREATE TABLE ext_broken (id integer)', 'DROP TABLE ext_broken');
    class Broken extends Whole {
      override down = async (runner: QueryRunner) => {
        await runner.query('DROP TABLE ext_broken');
        await runner.query('DROP TABLE ext_nothing');
      };
    }
    await open(location, [Broken]);
    await expect(open(location, [], [Broken])).rejects.toThrow('ext_nothing');
    expect(await open(location, [Broken])).toMatchObject({
      names: ['Extension1800000000003'],
      tables: ['ext_broken'],
    });
  });

  it('undoes one without a transaction where it says so', async () => {
    const location = await lastingDatabase();
    // Neither is possible inside a transaction.
    const Index = migrationOf(
      1800000000004,
      'CREATE INDEX CONCURRENTLY ext_projects_name ON projects (name)',
      'DROP INDEX CONCURRENTLY ext_projects_name',
      false,
    );
    await open(location, [Index]);
    expect(await open(location, [], [Index])).toMatchObject({ names: [] });
  });
});

describe('A new database in a directory', () => {
  it('has its schema in its files once it is open, not only in the log', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'setup-'));
    cleanUps.push(() => Promise.resolve(rmSync(folder, { recursive: true, force: true })));
    const location = { kind: 'directory', dataDir: join(folder, 'data') } as const;
    const dataSource = await openDataSource({ location, poolSize: 1, ...notices() });
    cleanUps.push(() => dataSource.destroy());
    const [log] = await dataSource.query<{ bytes: number }[]>(
      'SELECT pg_wal_lsn_diff(pg_current_wal_lsn(), redo_lsn)::int AS bytes FROM pg_control_checkpoint()',
    );
    // The checkpoint's own records; those of the migrations are some megabytes.
    expect(log!.bytes).toBeLessThan(10_000);
  });
});

describe('A database with migrations that are not here', () => {
  const open = (location: DatabaseLocation) => openDataSource({ location, poolSize: 2, ...notices() });

  async function changed(name: string) {
    const location = await lastingDatabase();
    const dataSource = await open(location);
    await dataSource.query('INSERT INTO migrations (timestamp, name) VALUES ($1, $2)', [
      /\d{13}$/.exec(name)![0],
      name,
    ]);
    await dataSource.destroy();
    return location;
  }

  it.each([
    [
      'of a newer version',
      'SupplierTable9999999999999',
      /^A newer version .* \(SupplierTable9999999999999\): .*$/,
    ],
    [
      'of an extension',
      'Labels1767225600001',
      /extension that is not registered.* \(Labels1767225600001\): .*--app/,
    ],
    [
      'of an earlier build',
      'Baseline1767225600000',
      /^An earlier build .* \(db backup FILE\).* \(db restore FILE\)$/,
    ],
  ])('%s is refused in one line', async (_, name, message) => {
    const location = await changed(name);
    await expect(open(location)).rejects.toThrow(DatabaseSetupError);
    await expect(open(location)).rejects.toThrow(message);
  });
});

const describeOnServer = TEST_SERVER ? describe : undefined;
describeOnServer?.('A server', () => {
  const server = TEST_SERVER!;

  /** A database of these options, and an address of it for a role that owns nothing and may log in. */
  async function databaseWith(options?: string) {
    const database = await createTestDatabase(server, options);
    const { url, name } = database;
    // A name that SQL has to quote.
    const role = `"Formula-Role-${randomUUID()}"`;
    await onServer(server, `CREATE ROLE ${role} LOGIN`);
    cleanUps.push(async () => {
      await database.drop();
      await onServer(server, `DROP ROLE ${role}`);
    });
    const forRole = new URL(url);
    forRole.username = role.slice(1, -1);
    return { url, name, role, forRole: forRole.toString() };
  }

  async function open(url: string) {
    const told = notices();
    const dataSource = await openDataSource({ location: { kind: 'server', url }, poolSize: 2, ...told });
    cleanUps.push(() => dataSource.destroy());
    return { dataSource, ...told };
  }

  it.each([
    ['may not create', 'GRANT USAGE ON SCHEMA public TO', 'permission denied for schema public'],
    ['may not even look', 'REVOKE ALL ON SCHEMA public FROM PUBLIC,', 'no schema has been selected'],
  ])(
    'where the role %s in the schema is refused in one line that says what to grant',
    async (_, sql, told) => {
      const { url, role, forRole } = await databaseWith();
      await onServer(url, 'CREATE EXTENSION pg_trgm', `${sql} ${role}`);
      const error: unknown = await open(forRole).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(DatabaseSetupError);
      const { message } = error as Error;
      expect(message).toContain(told);
      expect(message).toContain(`GRANT USAGE, CREATE ON SCHEMA public TO ${role};`);
      expect(message).not.toContain('\n');

      await onServer(url, `GRANT USAGE, CREATE ON SCHEMA public TO ${role}`);
      await expect(open(forRole)).resolves.toMatchObject({ logged: expect.anything() });
    },
  );

  it('whose tables belong to another role is refused likewise, unless nothing is left to change', async () => {
    const { url, role, forRole } = await databaseWith();
    await open(url);
    await onServer(url, `GRANT ALL ON ALL TABLES IN SCHEMA public TO ${role}`);
    await open(forRole);
    class Index1800000000009 {
      up = (runner: QueryRunner) => runner.query('CREATE INDEX ext_projects_name ON projects (name)');
      down = (runner: QueryRunner) => runner.query('DROP INDEX ext_projects_name');
    }
    const location = { kind: 'server', url: forRole } as const;
    const opening = openDataSource({
      location,
      poolSize: 2,
      extraMigrations: [Index1800000000009],
      ...notices(),
    });
    await expect(opening).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message: expect.stringMatching(new RegExp(`must be owner of .* must belong to ${role}\\.$`)),
    });
  });

  it('where the role may not create the extension is refused with the right that is missing', async () => {
    const { forRole } = await databaseWith();
    await expect(open(forRole)).rejects.toMatchObject({
      name: 'DatabaseSetupError',
      message: expect.stringMatching(/pg_trgm .*permission denied.* the right CREATE on the database/),
    });
  });

  it('where a superuser has created it will do', async () => {
    const { url, role, forRole } = await databaseWith();
    await onServer(url, `CREATE EXTENSION pg_trgm; GRANT CREATE ON SCHEMA public TO ${role}`);
    const { dataSource } = await open(forRole);
    expect(await namesIn(dataSource)).toEqual(NAMES);
  });

  it('whose database is not in UTF-8 is refused', async () => {
    const { url } = await databaseWith(`TEMPLATE template0 ENCODING 'SQL_ASCII' LC_CTYPE 'C' LC_COLLATE 'C'`);
    await expect(open(url)).rejects.toThrow(DatabaseSetupError);
    await expect(open(url)).rejects.toThrow("The database's encoding is SQL_ASCII");
  });

  it('whose LC_CTYPE folds no letters is warned of', async () => {
    const { url } = await databaseWith(`TEMPLATE template0 ENCODING 'UTF8' LC_CTYPE 'C' LC_COLLATE 'C'`);
    const { warned } = await open(url);
    expect(warned).toEqual([expect.stringContaining('LC_CTYPE')]);
    const good = await databaseWith();
    expect((await open(good.url)).warned).toEqual([]);
  });

  it('migrates once when instances start together', async () => {
    const { url } = await databaseWith();
    const opened = await Promise.all([open(url), open(url), open(url)]);
    expect(
      opened.flatMap(({ logged }) => logged.filter((line) => line.startsWith('Migrating'))),
    ).toHaveLength(1);
    for (const { logged } of opened) {
      expect(logged.filter((line) => line.startsWith('PostgreSQL at'))).toHaveLength(1);
    }
    expect(await namesIn(opened[0].dataSource)).toEqual(NAMES);
  });

  it('keeps nobody waiting after a start, a failed one too', async () => {
    const { url } = await databaseWith();
    await open(url);
    const { url: ascii } = await databaseWith(
      `TEMPLATE template0 ENCODING 'SQL_ASCII' LC_CTYPE 'C' LC_COLLATE 'C'`,
    );
    await expect(open(ascii)).rejects.toThrow(DatabaseSetupError);
    for (const address of [url, ascii]) {
      const { dataSource } = await connectionTo(address);
      const locks = await dataSource.query<unknown[]>(
        `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND database = (
           SELECT oid FROM pg_database WHERE datname = current_database())`,
      );
      expect(locks).toEqual([]);
    }
  });

  async function connectionTo(url: string) {
    const dataSource = await createDataSource({
      location: { kind: 'server', url },
      poolSize: 1,
      ...notices(),
    });
    cleanUps.push(() => dataSource.destroy());
    await dataSource.initialize();
    return { dataSource };
  }
});
