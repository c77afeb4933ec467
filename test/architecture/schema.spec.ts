import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { prepareDatabase } from '../../src/database/database-setup';
import { coreMigrations } from '../../src/database/find-migrations';
import { TABLES } from '../../src/database/migrations/baseline/tables';
import { createDataSource } from '../../src/database/open-data-source';
import { describeSchema } from '../../src/database/schema-description';
import { bootApp } from '../support/app';
import { createTestDatabase, TEST_SERVER, type TestDatabase } from '../support/databases';
import { runMigration } from '../support/migrations';
import { insertRows, readRows } from '../support/rows';

/** Every entity there is: the application loads those that its modules register. */
const ENTITIES = join(__dirname, '..', '..', 'src', '**', '*.entity.ts');

const silent = { log: () => undefined, warn: () => undefined };

describe('The schema', () => {
  let database: TestDatabase | undefined;
  let dataSource: DataSource;

  beforeAll(async () => {
    database = TEST_SERVER ? await createTestDatabase(TEST_SERVER) : undefined;
    dataSource = await createDataSource({
      location: database ? { kind: 'server', url: database.url } : { kind: 'memory' },
      poolSize: 4,
      entities: [ENTITIES],
      ...silent,
    });
    await dataSource.initialize();
    await prepareDatabase(dataSource, silent);
    await dataSource.runMigrations();
  });
  afterAll(async () => {
    await dataSource.destroy();
    await database?.drop();
  });

  /** Whatever stands in the schema, of any kind, but what an extension of PostgreSQL or TypeORM brought. */
  async function objects(): Promise<string[]> {
    const rows = await dataSource.query<{ object: string }[]>(`
      SELECT pg_describe_object(classid, objid, objsubid) AS object FROM pg_depend inside
      WHERE refclassid = 'pg_namespace'::regclass AND refobjid = current_schema()::regnamespace
        AND NOT EXISTS (SELECT FROM pg_depend e
                        WHERE e.classid = inside.classid AND e.objid = inside.objid AND e.deptype = 'e')
      ORDER BY 1`);
    return rows
      .map(({ object }) => object)
      .filter((object) => !/^extension | migrations(_id_seq)?$/.test(object));
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

  it('has an index that begins with the column of every foreign key', async () => {
    const bare = await dataSource.query<unknown[]>(`
      SELECT conname FROM pg_constraint c
      WHERE contype = 'f' AND connamespace = 'public'::regnamespace
        AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indkey[0] = c.conkey[1])`);
    expect(bare).toEqual([]);
  });

  it('has what extensions may refer to, as their guide says', async () => {
    const guide = readFileSync(join(__dirname, '..', '..', 'docs', 'extending', 'stable.md'), 'utf8');
    const promised = [...guide.matchAll(/^\| `(\w+)` +\| (`.*?) *\|$/gm)].flatMap(([, table, columns]) =>
      [...columns!.matchAll(/`(\w+)` ([a-z ]+)/g)].map(([, column, type]) => `${table}.${column} ${type}`),
    );
    const columns = await dataSource.query<{ name: string }[]>(`
      SELECT table_name || '.' || column_name || ' ' || data_type AS name FROM information_schema.columns
      WHERE table_schema = 'public'`);
    expect(promised.length).toBeGreaterThan(20);
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(promised));
  });

  it('needs one extension of PostgreSQL', async () => {
    const extensions = await dataSource.query<{ name: string }[]>('SELECT extname AS name FROM pg_extension');
    const names = extensions.map(({ name }) => name).filter((name) => !['plpgsql', 'vector'].includes(name));
    expect(names).toEqual(['pg_trgm']);
  });

  it('keeps every row while migrations after the first go down and up again', async () => {
    await insertRows(dataSource);
    const rows = await readRows(dataSource);
    expect(Object.keys(rows).filter((table) => rows[table]!.length === 0)).toEqual([]);
    const schema = await describeSchema(dataSource);

    for (const _ of coreMigrations.slice(1)) {
      await dataSource.undoLastMigration();
      expect(rows).toMatchObject(await readRows(dataSource));
    }
    expect(await describeSchema(dataSource)).not.toEqual(schema);
    await dataSource.runMigrations();
    expect(await readRows(dataSource)).toEqual(rows);
    expect(await describeSchema(dataSource)).toEqual(schema);
    // The numbers of records that were there before.
    const numberOf = (table: string, column: string, value: string) =>
      rows[table]!.filter((row) => row[column] === value).length;
    const project = rows.projects![0]!.id!;
    const changedIn = (unit: string, form: string) =>
      dataSource.query<object[]>(
        `SELECT 'formulas of ${unit}' AS list, to_char(updated_at AT TIME ZONE 'UTC', $1) AS part,
                count(*)::int AS delta
         FROM formulas GROUP BY 2 ORDER BY 2`,
        [form],
      );
    expect(
      await dataSource.query(
        `SELECT list, part, delta::int FROM record_counts ORDER BY list COLLATE "C", part COLLATE "C"`,
      ),
    ).toEqual([
      { list: 'formulas', part: '', delta: rows.formulas!.length },
      ...(await changedIn('day', 'YYYY-MM-DD')),
      ...(await changedIn('hour', 'YYYY-MM-DD HH24')),
      { list: 'formulas of project', part: project, delta: numberOf('formulas', 'project_id', project) },
      ...['humectant', 'other'].map((part) => ({
        list: 'ingredients',
        part,
        delta: numberOf('ingredients', 'function_category', part),
      })),
    ]);
    // The words of formulas that were there before, with their times.
    expect(
      await dataSource.query(
        `SELECT FROM formulas f LEFT JOIN formula_words w ON formula_id = id
         WHERE (f.updated_at, f.created_at) IS DISTINCT FROM (w.updated_at, w.created_at)`,
      ),
    ).toEqual([]);
    const words = await dataSource.query<unknown[]>(
      `SELECT name, ARRAY(SELECT unnest(words) COLLATE "C" ORDER BY 1) AS words
       FROM formulas JOIN formula_words ON formula_id = id ORDER BY name COLLATE "C"`,
    );
    expect(words).toEqual([
      { name: 'Empty', words: ['empty'] },
      { name: '保湿精华', words: ['café', '保湿精华'] },
    ]);
    expect(await dataSource.query('SELECT word FROM search_words ORDER BY word COLLATE "C"')).toEqual(
      ['café', 'empty', '保湿精华'].map((word) => ({ word })),
    );
  });

  it('has functions and indexes for searches, with what the planner is to know of them', async () => {
    const functions = await dataSource.query<unknown[]>(
      `SELECT proname AS name, procost AS cost, provolatile AS kind, proisstrict AS strict, proparallel AS parallel,
              proconfig AS settings
       FROM pg_proc WHERE proname IN ('formulas_words', 'name_keys', 'reads_out_of_line', 'words_of') ORDER BY 1`,
    );
    expect(functions).toEqual([
      {
        name: 'formulas_words',
        cost: 100,
        kind: 'v',
        strict: false,
        parallel: 'u',
        settings: ['enable_seqscan=off'],
      },
      { name: 'name_keys', cost: 1000, kind: 'i', strict: true, parallel: 's', settings: null },
      { name: 'reads_out_of_line', cost: 1000, kind: 'v', strict: false, parallel: 's', settings: null },
      { name: 'words_of', cost: 100, kind: 'i', strict: true, parallel: 's', settings: null },
    ]);
    const indexes = await dataSource.query<{ text: string }[]>(
      `SELECT replace(indexdef, 'public.', '') AS text FROM pg_indexes
       WHERE tablename IN ('formula_words', 'search_words') OR indexname LIKE '%name_keys' ORDER BY indexname`,
    );
    expect(indexes.map(({ text }) => text)).toEqual([
      'CREATE INDEX ix_formula_words_words ON formula_words USING gin (words)',
      'CREATE INDEX ix_ingredients_chinese_name_keys ON ingredients USING gin (name_keys(chinese_name))',
      'CREATE INDEX ix_ingredients_inci_name_keys ON ingredients USING gin (name_keys(inci_name))',
      'CREATE INDEX ix_search_words_similar ON search_words USING gin (word gin_trgm_ops)',
      'CREATE INDEX ix_search_words_word ON search_words USING btree (word)',
      'CREATE UNIQUE INDEX pk_formula_words ON formula_words USING btree (formula_id)',
    ]);
  });

  it('goes down migration by migration to nothing, and up again through the same states', async () => {
    const { reference_colors: library } = await readRows(dataSource);
    const states = [];
    for (const _ of coreMigrations) {
      states.unshift(await describeSchema(dataSource));
      await dataSource.undoLastMigration();
      expect(await describeSchema(dataSource)).not.toEqual(states[0]);
    }
    expect(await objects()).toEqual([]);
    expect(await dataSource.query('SELECT name FROM migrations')).toEqual([]);

    for (const [index, migration] of coreMigrations.entries()) {
      await runMigration(dataSource, migration);
      expect(await describeSchema(dataSource)).toEqual(states[index]);
    }
    expect(await objects()).toEqual(expect.arrayContaining(TABLES.map((table) => `table ${table}`)));
    expect((await readRows(dataSource)).reference_colors).toEqual(library);
  });

  (TEST_SERVER ? it : it.skip)('searches go on while the words of formulas are copied', async () => {
    const migration = new (coreMigrations.find(({ name }) => name.startsWith('TimesOfWords'))!)();
    const runner = dataSource.createQueryRunner();
    const searching = dataSource.createQueryRunner();
    const isWaiting = async () =>
      (
        await dataSource.query<unknown[]>(
          `SELECT FROM pg_locks WHERE NOT granted AND relation = 'formulas'::regclass`,
        )
      ).length > 0;
    try {
      for (const way of ['down', 'up'] as const) {
        await searching.startTransaction();
        await searching.query('SELECT FROM formulas');
        await runner.startTransaction();
        const changed = migration[way](runner);
        while (!(await isWaiting())) await new Promise((resolve) => setTimeout(resolve, 5));
        await searching.query('SELECT FROM formula_words');
        await searching.commitTransaction();
        await changed;
        await runner.commitTransaction();
      }
    } finally {
      await searching.release();
      await runner.release();
    }
  });

  (TEST_SERVER ? it : it.skip)(
    'the words of formulas are copied though somebody who has read writes',
    async () => {
      const migration = new (coreMigrations.find(({ name }) => name.startsWith('TimesOfWords'))!)();
      const runner = dataSource.createQueryRunner();
      const writing = dataSource.createQueryRunner();
      try {
        for (const way of ['down', 'up'] as const) {
          await writing.startTransaction();
          await writing.query(`SET LOCAL lock_timeout = '3s'`);
          await writing.query('SELECT FROM formulas');
          await runner.startTransaction();
          await runner.query('LOCK TABLE formulas IN SHARE ROW EXCLUSIVE MODE');
          const written = writing.query('DELETE FROM formulas').catch(({ code }: { code: string }) => code);
          await migration[way](runner);
          await runner.commitTransaction();
          expect(['55P03', '40P01']).toContain(await written);
          await writing.rollbackTransaction();
        }
      } finally {
        await writing.release();
        await runner.release();
      }
    },
  );

  it('numbers versions from 1 on', async () => {
    await insertRows(dataSource);
    for (const statement of [
      'UPDATE formulas SET current_version = 0',
      'UPDATE formula_versions SET version_number = 0',
    ]) {
      await expect(dataSource.query(statement)).rejects.toThrow(
        /ck_formula(s_current_version|_versions_number)/,
      );
    }
  });

  it('brings what was stored before into the form that searches compare, and back', async () => {
    await dataSource.query(
      `UPDATE ingredients SET inci_name = ' Ｃａｆｅ\u0301 ', chinese_name = 'Gly\u00adcerin'`,
    );
    await dataSource.query(
      `UPDATE formulas SET name = 'Ｃａｆｅ\u0301', description = '保\u200b湿\u00a05％'`,
    );
    const keys = async () => ({
      ingredient: (await dataSource.query<object[]>('SELECT DISTINCT search_key FROM ingredients'))[0],
      formula: (await dataSource.query<object[]>('SELECT DISTINCT search_key FROM formulas'))[0],
      words: (await dataSource.query<object[]>('SELECT DISTINCT words FROM formula_words'))[0],
    });
    const now = await keys();
    expect(now).toEqual({
      ingredient: { search_key: 'cafééé\u001fglycerin' },
      formula: { search_key: 'cafééé\u001f保保保湿湿湿 5%' },
      words: { words: expect.arrayContaining(['café', '保湿']) },
    });
    const times = await dataSource.query('SELECT id, updated_at FROM formulas ORDER BY id');
    const migration = coreMigrations.find(({ name }) => name.startsWith('NamesInOneForm'))!;
    await dataSource.query(`DELETE FROM search_words WHERE word = 'café'`);
    for (const _ of coreMigrations.slice(coreMigrations.indexOf(migration))) {
      await dataSource.undoLastMigration();
    }
    expect(await keys()).not.toEqual(now);
    await dataSource.runMigrations();
    expect(await keys()).toEqual(now);
    expect(await dataSource.query('SELECT id, updated_at FROM formulas ORDER BY id')).toEqual(times);
    expect(await dataSource.query(`SELECT word FROM search_words WHERE word = 'café'`)).toHaveLength(1);
  });

  it('holds the form of a role, and keeps the role of every user when it goes down', async () => {
    await dataSource.query(`INSERT INTO users (username, password_hash) VALUES ('role holder', '0a:0b')`);
    const setRole = (role: string) =>
      dataSource.query(`UPDATE users SET role = $1 WHERE username = 'role holder'`, [role]);
    for (const role of ['', 'Viewer', 'a role', 'viewer\n', 'ä', 'x'.repeat(51)]) {
      await expect(setRole(role)).rejects.toThrow('ck_users_role');
    }
    await setRole('x'.repeat(50));
    await setRole('qa-lab_2');

    const migration = new (coreMigrations.find(({ name }) => name.startsWith('OpenRoles'))!)();
    const runner = dataSource.createQueryRunner();
    try {
      await runner.startTransaction();
      await expect(migration.down(runner)).rejects.toThrow('change theirs first (qa-lab_2)');
      await runner.rollbackTransaction();
      await setRole('admin');
      await runner.startTransaction();
      await migration.down(runner);
      await expect(runner.query(`UPDATE users SET role = 'viewer'`)).rejects.toThrow('ck_users_role');
      await runner.rollbackTransaction();
    } finally {
      await runner.release();
    }
  });
});

it("TypeORM's own commands work on the database of the settings", () => {
  const script = join(__dirname, '..', '..', 'scripts', 'typeorm.mjs');
  const run = (command: string) =>
    execFileSync(process.execPath, [script, command], {
      env: { PATH: process.env.PATH, NODE_ENV: 'test' },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const shown = run('migration:show');
  const made = run('migration:run');
  for (const { name } of coreMigrations) {
    expect(shown).toContain(`[ ] ${name}`);
    expect(made).toContain(`Migration ${name} has been executed successfully`);
  }
});
