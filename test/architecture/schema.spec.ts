import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { prepareDatabase } from '../../src/platform/database/database-setup';
import { coreMigrations } from '../../src/platform/database/migrations';
import { TABLES } from '../../src/platform/database/migrations/baseline/tables';
import { createDataSource } from '../../src/platform/database/open-data-source';
import { bootApp } from '../support/app';
import { createTestDatabase, TEST_SERVER, type TestDatabase } from '../support/databases';
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
    const names = extensions.map(({ name }) => name).filter((name) => name !== 'plpgsql');
    expect(names).toEqual(['pg_trgm']);
  });

  it('has functions and indexes for searches, with what the planner is to know of them', async () => {
    const functions = await dataSource.query<unknown[]>(
      `SELECT proname AS name, procost AS cost, provolatile AS kind, proisstrict AS strict, proparallel AS parallel,
              proconfig AS settings
       FROM pg_proc WHERE proname IN ('formulas_words', 'name_key', 'reads_out_of_line', 'spelling_key', 'words_of') ORDER BY 1`,
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
      { name: 'name_key', cost: 100, kind: 'i', strict: true, parallel: 's', settings: null },
      { name: 'reads_out_of_line', cost: 1000, kind: 'v', strict: false, parallel: 's', settings: null },
      { name: 'spelling_key', cost: 1000, kind: 'i', strict: true, parallel: 's', settings: null },
      { name: 'words_of', cost: 100, kind: 'i', strict: true, parallel: 's', settings: null },
    ]);
    const indexes = await dataSource.query<{ text: string }[]>(
      `SELECT replace(indexdef, 'public.', '') AS text FROM pg_indexes
       WHERE tablename IN ('formula_words', 'search_words') OR indexname LIKE 'ix_ingredients_%_key' ORDER BY indexname`,
    );
    expect(indexes.map(({ text }) => text)).toEqual([
      `CREATE INDEX ix_formula_words_words ON formula_words USING gin (words) WITH (gin_pending_list_limit='64')`,
      'CREATE INDEX ix_ingredients_chinese_key ON ingredients USING btree (chinese_key)',
      `CREATE INDEX ix_ingredients_chinese_plant_key ON ingredients USING btree (regexp_replace(chinese_key, '[a-z]{4,}'::text, ''::text, 'g'::text))`,
      'CREATE INDEX ix_ingredients_inci_key ON ingredients USING btree (inci_key)',
      'CREATE INDEX ix_ingredients_inci_spelling_key ON ingredients USING btree (spelling_key(inci_name))',
      `CREATE INDEX ix_ingredients_search_key ON ingredients USING gin (search_key gin_trgm_ops) WITH (gin_pending_list_limit='64')`,
      'CREATE INDEX ix_ingredients_substance_key ON ingredients USING hash (substance_key)',
      `CREATE INDEX ix_search_words_similar ON search_words USING gin (word gin_trgm_ops) WITH (gin_pending_list_limit='64')`,
      'CREATE INDEX ix_search_words_word ON search_words USING btree (word)',
      'CREATE UNIQUE INDEX pk_formula_words ON formula_words USING btree (formula_id)',
    ]);
  });

  it('goes down to nothing, and up again to the same', async () => {
    const before = await objects();
    expect(before).toEqual(expect.arrayContaining(Object.keys(TABLES).map((table) => `table ${table}`)));
    const { reference_colors: library } = await readRows(dataSource);
    for (const _ of coreMigrations) await dataSource.undoLastMigration();
    expect(await objects()).toEqual([]);
    expect(await dataSource.query('SELECT name FROM migrations')).toEqual([]);

    await dataSource.runMigrations();
    expect(await objects()).toEqual(before);
    expect((await readRows(dataSource)).reference_colors).toEqual(library);
  });

  it('counts and indexes the words of what is stored', async () => {
    await insertRows(dataSource);
    const rows = await readRows(dataSource);
    expect(Object.keys(rows).filter((table) => rows[table]!.length === 0)).toEqual(['event_deliveries']);
    expect(
      await dataSource.query(
        `SELECT list, part, sum(delta)::int AS count FROM record_counts GROUP BY 1, 2
         ORDER BY list COLLATE "C", part COLLATE "C"`,
      ),
    ).toEqual([
      { list: 'formulas', part: '', count: 2 },
      { list: 'formulas of project', part: rows.projects![0]!.id, count: 1 },
      { list: 'ingredients', part: 'humectant', count: 1 },
      { list: 'ingredients', part: 'other', count: 1 },
    ]);
    const words = await dataSource.query<unknown[]>(
      `SELECT name, ARRAY(SELECT unnest(words) COLLATE "C" ORDER BY 1) AS words
       FROM formulas JOIN formula_words w ON formula_id = id
       WHERE (w.updated_at, w.created_at) = (formulas.updated_at, formulas.created_at) ORDER BY name COLLATE "C"`,
    );
    expect(words).toEqual([
      { name: 'Empty', words: ['empty'] },
      { name: '保湿精华', words: ['café', '保湿精华'] },
    ]);
    expect(await dataSource.query('SELECT word FROM search_words ORDER BY word COLLATE "C"')).toEqual(
      ['café', 'empty', '保湿精华'].map((word) => ({ word })),
    );
  });

  it('numbers versions from 1 on', async () => {
    for (const statement of [
      'UPDATE formulas SET current_version = 0',
      'UPDATE formula_versions SET version_number = 0',
    ]) {
      await expect(dataSource.query(statement)).rejects.toThrow(
        /ck_formula(s_current_version|_versions_number)/,
      );
    }
  });

  it('has search keys and words in the form that searches compare', async () => {
    await dataSource.query(
      `UPDATE ingredients SET inci_name = ' Ｃａｆｅ\u0301 ', chinese_name = 'Gly\u00adcerin'`,
    );
    await dataSource.query(
      `UPDATE formulas SET name = 'Ｃａｆｅ\u0301', description = '保\u200b湿\u00a05％'`,
    );
    expect(await dataSource.query('SELECT DISTINCT search_key FROM ingredients')).toEqual([
      { search_key: 'cafééé\u001fglycerin' },
    ]);
    expect(await dataSource.query('SELECT DISTINCT search_key FROM formulas')).toEqual([
      { search_key: 'cafééé\u001f保保保湿湿湿 5%' },
    ]);
    expect(await dataSource.query('SELECT DISTINCT words FROM formula_words')).toEqual([
      { words: expect.arrayContaining(['café', '保湿']) as unknown },
    ]);
  });

  it('holds the form of a role', async () => {
    await dataSource.query(`INSERT INTO users (username, password_hash) VALUES ('role holder', '0a:0b')`);
    const setRole = (role: string) =>
      dataSource.query(`UPDATE users SET role = $1 WHERE username = 'role holder'`, [role]);
    for (const role of ['', 'Viewer', 'a role', 'viewer\n', 'ä', 'x'.repeat(51)]) {
      await expect(setRole(role)).rejects.toThrow('ck_users_role');
    }
    await setRole('x'.repeat(50));
    await setRole('qa-lab_2');
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
