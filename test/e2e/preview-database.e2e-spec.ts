import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DataSource, MigrationInterface, QueryRunner } from 'typeorm';
import { setUpDatabase } from '../../src/database/database-setup';
import { DatabaseSetupError } from '../../src/database/database-setup-error';
import { coreMigrations } from '../../src/database/find-migrations';
import { createDataSource, openDataSource } from '../../src/database/open-data-source';
import { describeSchema } from '../../src/database/schema-description';
import type { DatabaseLocation } from '../../src/environment/environment';
import { createTestDatabase, TEST_SERVER } from '../support/databases';
import { runMigration } from '../support/migrations';
import { installPreview, previewMigrations } from '../support/preview-schema';
import { insertRows, readRows } from '../support/rows';

const PREVIEW = previewMigrations.map(({ name }) => name);
const CURRENT = coreMigrations.map(({ name }) => name);

/** Two databases are made and one is opened twice; the machine may be busy. */
const PATIENCE = 240_000;

/**
 * What an extension may bring: a table that refers to ours, and an index on ours. Its time lies between the
 * six.
 */
class Labels1767230000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE labels (formula_id uuid NOT NULL REFERENCES formulas (id), label text NOT NULL);
      CREATE INDEX ix_labels_supplier ON ingredients (supplier);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX ix_labels_supplier; DROP TABLE labels');
  }
}

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** An empty database, to be opened once. */
async function emptyDatabase(): Promise<DatabaseLocation> {
  if (!TEST_SERVER) return { kind: 'memory' };
  const database = await createTestDatabase(TEST_SERVER);
  cleanUps.push(() => database.drop());
  return { kind: 'server', url: database.url };
}

/** An empty database that can be opened again. */
async function lastingDatabase(): Promise<DatabaseLocation> {
  if (TEST_SERVER) return emptyDatabase();
  const folder = mkdtempSync(join(tmpdir(), 'preview-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  return { kind: 'directory', dataDir: join(folder, 'data') };
}

function notices() {
  const logged: string[] = [];
  return { logged, log: (message: string) => logged.push(message), warn: () => undefined };
}

/** A data source that is connected and nothing more. */
async function connect(location: DatabaseLocation, extraMigrations?: (new () => MigrationInterface)[]) {
  const dataSource = await createDataSource({ location, poolSize: 4, extraMigrations, ...notices() });
  await dataSource.initialize();
  return dataSource;
}

const migrationNames = async (dataSource: DataSource) => {
  const rows = await dataSource.query<{ name: string }[]>('SELECT name FROM migrations ORDER BY id');
  return rows.map(({ name }) => name);
};

/** Rows with the place and transaction that PostgreSQL wrote them at: a row written anew has others. */
const rowPlaces = async (dataSource: DataSource) =>
  dataSource.query<unknown[]>('SELECT ctid::text, xmin::text, id FROM reference_colors ORDER BY id');

async function snapshot(dataSource: DataSource) {
  return { rows: await readRows(dataSource), places: await rowPlaces(dataSource) };
}

describe('A database of the last preview', () => {
  it(
    'is on the baseline after a start, with the schema of a new one and every row as it was',
    async () => {
      const location = await lastingDatabase();
      const preview = await connect(location);
      await installPreview(preview);
      await insertRows(preview);
      const before = await snapshot(preview);
      await preview.destroy();
      expect(Object.entries(before.rows).filter(([, rows]) => rows.length === 0)).toEqual([]);

      const { logged, ...told } = notices();
      const dataSource = await openDataSource({
        location,
        poolSize: 4,
        log: (line) => logged.push(line),
        warn: told.warn,
      });
      const after = await snapshot(dataSource);
      const names = await migrationNames(dataSource);
      const schema = await describeSchema(dataSource);
      await dataSource.destroy();

      expect(after).toMatchObject(before);
      expect(names).toEqual(CURRENT);
      expect(logged).toContain(
        'This database of the last preview is now on the first schema of this version',
      );

      const fresh = await openDataSource({ location: await emptyDatabase(), poolSize: 4, ...notices() });
      const freshSchema = await describeSchema(fresh);
      const { reference_colors: library } = await readRows(fresh);
      await fresh.destroy();
      expect(schema).toEqual(freshSchema);
      expect(library).toEqual(before.rows.reference_colors);
    },
    PATIENCE,
  );

  it('may have migrations of an extension, which keep their place in the list', async () => {
    const dataSource = await connect(await emptyDatabase(), [Labels1767230000000]);
    try {
      await installPreview(dataSource);
      await runMigration(dataSource, Labels1767230000000);
      await insertRows(dataSource);
      const before = await snapshot(dataSource);

      await setUpDatabase(dataSource, notices(), { server: false });

      expect(await snapshot(dataSource)).toMatchObject(before);
      const [baseline, ...later] = CURRENT;
      expect(await migrationNames(dataSource)).toEqual([baseline, Labels1767230000000.name, ...later]);
      const [row] = await dataSource.query<{ timestamp: number }[]>(
        'SELECT timestamp FROM migrations ORDER BY id LIMIT 1',
      );
      expect(row).toEqual({ timestamp: 1767225600000 });
    } finally {
      await dataSource.destroy();
    }
  });
});

describe('A database is refused', () => {
  it('that has one table with a name of ours, and no list of migrations', async () => {
    const dataSource = await connect(await emptyDatabase());
    try {
      await dataSource.query('CREATE TABLE projects (id integer)');
      await expect(setUpDatabase(dataSource, notices(), { server: false })).rejects.toThrow(
        'has the tables projects, but',
      );
    } finally {
      await dataSource.destroy();
    }
  });

  it('that was altered, also when an extension is registered whose migration has not run', async () => {
    const dataSource = await connect(await emptyDatabase(), [Labels1767230000000]);
    try {
      await installPreview(dataSource);
      await dataSource.query('CREATE INDEX ix_more ON users (role)');
      await expect(setUpDatabase(dataSource, notices(), { server: false })).rejects.toThrow(
        'schema was altered',
      );
    } finally {
      await dataSource.destroy();
    }
  });
});

describe('A database that is not of the last preview as it was made', () => {
  let dataSource: DataSource;
  let undo: (() => unknown)[];

  beforeAll(async () => {
    dataSource = await connect(await emptyDatabase());
    undo = cleanUps.splice(0);
    await installPreview(dataSource);
    await insertRows(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    for (const cleanUp of undo) await cleanUp();
  });

  /** Refused in one line, with schema, rows and names as before. */
  async function expectRefused(...words: string[]): Promise<string> {
    const state = async () => ({
      schema: await describeSchema(dataSource),
      names: await migrationNames(dataSource).catch(() => 'no table'),
      rows: await readRows(dataSource).catch(() => 'no tables'),
      extensions: await dataSource.query('SELECT extname FROM pg_extension ORDER BY 1'),
    });
    const before = await state();
    const { logged, ...told } = notices();
    const error: unknown = await setUpDatabase(
      dataSource,
      { log: (l) => logged.push(l), warn: told.warn },
      { server: false },
    ).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DatabaseSetupError);
    const { message } = error as Error;
    for (const word of [...words, 'nothing was changed']) expect(message).toContain(word);
    expect(message).not.toContain('\n');
    expect(logged).toEqual([]);
    expect(await state()).toEqual(before);
    return message;
  }

  it.each([
    [
      'a column more',
      'ALTER TABLE users ADD COLUMN email text',
      'ALTER TABLE users DROP COLUMN email',
      'users.email',
    ],
    [
      'another type',
      'ALTER TABLE ai_audit_logs ALTER tokens_used TYPE bigint',
      'ALTER TABLE ai_audit_logs ALTER tokens_used TYPE integer',
      'ai_audit_logs.tokens_used',
    ],
    [
      'another precision',
      'ALTER TABLE runtime_settings ALTER updated_at TYPE timestamptz(6)',
      'ALTER TABLE runtime_settings ALTER updated_at TYPE timestamptz(3)',
      'runtime_settings.updated_at',
    ],
    [
      'another collation',
      'ALTER TABLE projects ALTER name TYPE text COLLATE "C"',
      'ALTER TABLE projects ALTER name TYPE text COLLATE "default"',
      'projects.name',
    ],
    [
      'another default',
      `ALTER TABLE ingredients ALTER unit SET DEFAULT 'g'`,
      `ALTER TABLE ingredients ALTER unit SET DEFAULT 'kg'`,
      'ingredients.unit',
    ],
    [
      'a column that may be null',
      'ALTER TABLE formulas ALTER search_key DROP NOT NULL',
      'ALTER TABLE formulas ALTER search_key SET NOT NULL',
      'formulas.search_key',
    ],
    [
      'a constraint less',
      'ALTER TABLE color_formulas DROP CONSTRAINT ck_color_formulas_delta_e',
      `ALTER TABLE color_formulas ADD CONSTRAINT ck_color_formulas_delta_e CHECK (delta_e >= 0 AND delta_e < 'Infinity')`,
      'ck_color_formulas_delta_e',
    ],
    [
      'a constraint of another meaning',
      `ALTER TABLE formulas DROP CONSTRAINT fk_formulas_project,
         ADD CONSTRAINT fk_formulas_project FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE CASCADE`,
      `ALTER TABLE formulas DROP CONSTRAINT fk_formulas_project,
         ADD CONSTRAINT fk_formulas_project FOREIGN KEY (project_id) REFERENCES projects (id) ON DELETE SET NULL`,
      'fk_formulas_project',
    ],
    [
      'an index less',
      'DROP INDEX ix_formulas_embedding_stale',
      `CREATE INDEX ix_formulas_embedding_stale ON formulas (updated_at, id) WHERE embedding_stamp IS DISTINCT FROM updated_at`,
      'ix_formulas_embedding_stale',
    ],
    ['an index more', 'CREATE INDEX ix_more ON users (role)', 'DROP INDEX ix_more', 'ix_more'],
    [
      'a trigger that is off',
      'ALTER TABLE formulas DISABLE TRIGGER tr_formulas_search_key',
      'ALTER TABLE formulas ENABLE TRIGGER tr_formulas_search_key',
      'tr_formulas_search_key',
    ],
    [
      'a trigger more',
      'CREATE TRIGGER tr_more BEFORE UPDATE ON users FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
      'DROP TRIGGER tr_more ON users',
      'tr_more',
    ],
    [
      'another storage option',
      'ALTER TABLE formulas RESET (toast_tuple_target)',
      'ALTER TABLE formulas SET (toast_tuple_target = 512)',
      'table formulas',
    ],
    [
      'row security',
      'ALTER TABLE users ENABLE ROW LEVEL SECURITY',
      'ALTER TABLE users DISABLE ROW LEVEL SECURITY',
      'table users',
    ],
    [
      'a table that a crash empties',
      'ALTER TABLE ai_audit_logs SET UNLOGGED',
      'ALTER TABLE ai_audit_logs SET LOGGED',
      'table ai_audit_logs',
    ],
    [
      'another storage',
      'ALTER TABLE users ALTER username SET STORAGE EXTERNAL',
      'ALTER TABLE users ALTER username SET STORAGE EXTENDED',
      'users.username',
    ],
    [
      'numbers of its own',
      'ALTER TABLE formula_phases ALTER sort_order ADD GENERATED BY DEFAULT AS IDENTITY',
      'ALTER TABLE formula_phases ALTER sort_order DROP IDENTITY',
      'formula_phases.sort_order',
    ],
    [
      'a function that is no constant',
      'ALTER FUNCTION search_key(text) VOLATILE',
      'ALTER FUNCTION search_key(text) IMMUTABLE',
      'function search_key',
    ],
    [
      'a function that runs alone',
      'ALTER FUNCTION search_key(text) PARALLEL UNSAFE',
      'ALTER FUNCTION search_key(text) PARALLEL SAFE',
      'function search_key',
    ],
    [
      'a function with rights of its own',
      'ALTER FUNCTION formulas_search_key() SECURITY DEFINER',
      'ALTER FUNCTION formulas_search_key() SECURITY INVOKER',
      'function formulas_search_key',
    ],
    [
      'a function with settings of its own',
      `ALTER FUNCTION formulas_search_key() SET work_mem = '1MB'`,
      'ALTER FUNCTION formulas_search_key() RESET ALL',
      'function formulas_search_key',
    ],
    [
      'a function less careful',
      'ALTER FUNCTION search_key(text) CALLED ON NULL INPUT',
      'ALTER FUNCTION search_key(text) STRICT',
      'function search_key',
    ],
  ])('is refused with %s', async (_, alter, back, word) => {
    await dataSource.query(alter);
    try {
      await expectRefused('schema was altered', word, 'Undo the alteration');
    } finally {
      await dataSource.query(back);
    }
  });

  it('is refused with another function of the same name', async () => {
    const [kept] = await dataSource.query<{ source: string }[]>(
      `SELECT pg_get_functiondef('formulas_search_key'::regproc) AS source`,
    );
    await dataSource.query(kept!.source.replace('NEW.description', 'NEW.name'));
    try {
      await expectRefused('schema was altered', 'formulas_search_key');
    } finally {
      await dataSource.query(kept!.source);
    }
  });

  it('names three differences, when there are no more', async () => {
    const indexes = ['ix_more_a', 'ix_more_b', 'ix_more_c'];
    await dataSource.query(indexes.map((name) => `CREATE INDEX ${name} ON users (role)`).join(';'));
    try {
      expect(await expectRefused(...indexes)).not.toContain('…');
    } finally {
      await dataSource.query(`DROP INDEX ${indexes.join(', ')}`);
    }
  });

  it('names three differences and says that there are more', async () => {
    await dataSource.query('ALTER TABLE users RENAME TO accounts');
    try {
      await expectRefused('missing: constraint fk_color_formulas_created_by', '; …');
    } finally {
      await dataSource.query('ALTER TABLE accounts RENAME TO users');
    }
  });

  it.each([
    [
      'only some of the six migrations have run',
      `DELETE FROM migrations WHERE name = '${PREVIEW[5]}'`,
      `INSERT INTO migrations (timestamp, name) VALUES (1767240000000, '${PREVIEW[5]}')`,
      ['only 5 of its 6 migrations', 'Start the last preview on it once'],
    ],
    [
      'a migration is neither ours nor of a registered extension',
      `INSERT INTO migrations (timestamp, name) VALUES (1, '${Labels1767230000000.name}')`,
      `DELETE FROM migrations WHERE timestamp = 1`,
      [Labels1767230000000.name, 'Register the extension'],
    ],
    [
      'the baseline stands beside the six',
      `INSERT INTO migrations (timestamp, name) VALUES (1, '${CURRENT[0]}')`,
      `DELETE FROM migrations WHERE timestamp = 1`,
      [CURRENT[0]!, 'took the place of', 'from a backup'],
    ],
    [
      'the list of migrations is missing',
      'ALTER TABLE migrations RENAME TO elsewhere',
      'ALTER TABLE elsewhere RENAME TO migrations',
      ['users, projects', 'missing', 'Restore that table'],
    ],
    [
      'the list of migrations is empty',
      'ALTER TABLE migrations RENAME TO elsewhere; CREATE TABLE migrations (LIKE elsewhere)',
      'DROP TABLE migrations; ALTER TABLE elsewhere RENAME TO migrations',
      ['users, projects', 'Restore that table'],
    ],
    [
      'the list of migrations is another program’s',
      'ALTER TABLE migrations RENAME TO elsewhere; CREATE TABLE migrations (version) AS VALUES (7)',
      'DROP TABLE migrations; ALTER TABLE elsewhere RENAME TO migrations',
      ['another program', 'a database of the service'],
    ],
  ])('is refused when %s', async (_, alter, back, words) => {
    await dataSource.query(alter);
    try {
      await expectRefused(...words);
    } finally {
      await dataSource.query(back);
    }
  });

  it('is refused when its schema cannot be compared', async () => {
    await dataSource.query('CREATE SCHEMA formula_baseline_check');
    try {
      await expectRefused('could not be compared', 'already exists', 'right CREATE on the database');
    } finally {
      await dataSource.query('DROP SCHEMA formula_baseline_check');
    }
  });

  // The last one: the database is of this version afterwards.
  it('is taken over when nothing of that is so any more; a table of somebody else’s beside ours is no matter', async () => {
    await dataSource.query('CREATE TABLE notes (note text)');
    const before = await readRows(dataSource);
    await setUpDatabase(dataSource, notices(), { server: false });
    expect(await migrationNames(dataSource)).toEqual(CURRENT);
    expect(await readRows(dataSource)).toMatchObject(before);
  });
});
