import { setTimeout as sleep } from 'node:timers/promises';
import { Module } from '@nestjs/common';
import { DataSource, type MigrationInterface, type QueryRunner } from 'typeorm';
import { AppModule, EXTRA_MIGRATIONS } from '../../src';
import { expectDeleted, expectError } from '../support/answers';
import { type Account, bootApp, type TestApp } from '../support/app';
import { TEST_SERVER } from '../support/databases';
import { createFormula, createIngredient, wholeOf } from '../support/factories';

const TRASH = '/api/ext/trash';

/** Tables that refer to a formula, to its parts, to each other and to themselves. */
class Trials1799000001000 implements MigrationInterface {
  name = 'Trials1799000001000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE ext_batches (
        id integer CONSTRAINT pk_ext_batches PRIMARY KEY, lot text DEFAULT 'L',
        CONSTRAINT uq_ext_batches_lot UNIQUE (id, lot));
      CREATE TABLE ext_a_results (
        id bigint GENERATED ALWAYS AS IDENTITY CONSTRAINT pk_ext_a_results PRIMARY KEY,
        formula_id uuid CONSTRAINT fk_ext_a_results_formula REFERENCES formulas (id) ON DELETE CASCADE,
        trial text NOT NULL,
        "Trial (no)" integer NOT NULL,
        value numeric,
        CONSTRAINT ck_ext_a_results_value CHECK (value > 0));
      CREATE TABLE ext_trials (
        trial text NOT NULL,
        "Trial (no)" integer NOT NULL,
        formula_id uuid CONSTRAINT fk_ext_trials_formula REFERENCES formulas (id) ON DELETE CASCADE,
        parent text, parent_no integer,
        batch_id integer CONSTRAINT fk_ext_trials_batch REFERENCES ext_batches (id) ON DELETE CASCADE,
        "Next" integer CONSTRAINT fk_ext_trials_next REFERENCES ext_batches (id) ON DELETE SET NULL,
        twice integer GENERATED ALWAYS AS ("Trial (no)" * 2) STORED,
        notes json, ratio double precision, at timestamptz, seal bytea,
        CONSTRAINT pk_ext_trials PRIMARY KEY (trial, "Trial (no)"),
        CONSTRAINT fk_ext_trials_parent FOREIGN KEY (parent, parent_no)
          REFERENCES ext_trials (trial, "Trial (no)") ON DELETE CASCADE);
      ALTER TABLE ext_a_results ADD CONSTRAINT fk_ext_a_results_trial FOREIGN KEY (trial, "Trial (no)")
        REFERENCES ext_trials (trial, "Trial (no)") ON DELETE CASCADE;
      CREATE TABLE ext_approvals (
        version_id uuid CONSTRAINT fk_ext_approvals_version REFERENCES formula_versions (id) ON DELETE CASCADE, by text,
        batch_id integer, lot text,
        CONSTRAINT fk_ext_approvals_batch FOREIGN KEY (batch_id, lot)
          REFERENCES ext_batches (id, lot) ON DELETE SET NULL (batch_id));
      CREATE TABLE ext_steps (
        phase_id uuid CONSTRAINT fk_ext_steps_phase REFERENCES formula_phases (id) ON DELETE CASCADE,
        line_id uuid CONSTRAINT fk_ext_steps_line REFERENCES formula_ingredients (id) ON DELETE CASCADE, step text)`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP TABLE ext_steps, ext_approvals, ext_a_results, ext_trials, ext_batches');
  }
}

@Module({ providers: [{ provide: EXTRA_MIGRATIONS, useValue: [Trials1799000001000] }] })
class TrialsModule {}

let service: TestApp;
let database: DataSource;
let user: Account;

beforeAll(async () => {
  service = await bootApp({ module: { imports: [AppModule.register({ extensions: [TrialsModule] })] } });
  database = service.app.get(DataSource);
  user = await service.register();
});
afterAll(() => service.close());
afterEach(() => database.query('TRUNCATE ext_steps, ext_approvals, ext_a_results, ext_trials, ext_batches'));

const formula = async (): Promise<string> =>
  (await createFormula(user, wholeOf((await createIngredient(user)).id))).id;

const trash = async (id: string) => expectDeleted(await user.delete(`/api/formulas/${id}`));
const restore = (id: string) => user.post(`${TRASH}/${id}/restore`);

/** All rows of the tables, as text. */
const rows = async (): Promise<Record<string, string[]>> => {
  const all: Record<string, string[]> = {};
  for (const table of ['ext_trials', 'ext_a_results', 'ext_approvals', 'ext_steps']) {
    const found: { row: string }[] = await database.query(`SELECT t::text AS row FROM ${table} t ORDER BY 1`);
    all[table] = found.map(({ row }) => row);
  }
  return all;
};

const addTrial = (formulaId: string | null, trial: string, columns = '', values = '') =>
  database.query(
    `INSERT INTO ext_trials (formula_id, trial, "Trial (no)"${columns}) VALUES ($1, $2, 1${values})`,
    [formulaId, trial],
  );

it('Rows of extensions come back with their formula, and those that refer to them', async () => {
  const [id, other] = [await formula(), await formula()];
  await database.query('INSERT INTO ext_batches VALUES (1)');
  await addTrial(
    id,
    'root',
    ', batch_id, notes, ratio, at, seal',
    `, 1, '{"b": 1,  "a": "\\u4e2d", "a": 2}', 'NaN', '2030-01-02 03:04:05.678901+00', '\\x00ff'`,
  );
  await addTrial(null, 'child', ', parent, parent_no', `, 'root', 1`);
  await addTrial(null, 'grandchild', ', parent, parent_no, ratio', `, 'child', 1, 0.1::float8 + 0.2::float8`);
  await addTrial(other, 'of another');
  await database.query(
    `INSERT INTO ext_a_results (formula_id, trial, "Trial (no)", value) VALUES
       ($1, 'root', 1, 1.234567890123456789012345), (NULL, 'grandchild', 1, 2.50), ($2, 'of another', 1, 3)`,
    [id, other],
  );
  // Without a primary key, two rows can be the same.
  await database.query(
    `INSERT INTO ext_approvals SELECT id, 'Ann "A"' FROM formula_versions, generate_series(1, 2) WHERE formula_id = ANY ($1)`,
    [[id, other]],
  );
  await database.query(
    `INSERT INTO ext_steps SELECT p.id, NULL, 'mix' FROM formula_phases p JOIN formula_versions v ON v.id = formula_version_id
       WHERE formula_id = ANY ($1)
     UNION ALL SELECT NULL, l.id, 'add' FROM formula_ingredients l JOIN formula_versions v ON v.id = formula_version_id
       WHERE formula_id = ANY ($1)`,
    [[id, other]],
  );
  const before = await rows();
  expect(Object.values(before).map((list) => list.length)).toEqual([4, 3, 4, 4]);

  await trash(id);
  expect(Object.values(await rows()).map((list) => list.length)).toEqual([1, 1, 2, 2]);
  await restore(id).expect(200);
  expect(await rows()).toEqual(before);

  await trash(id);
  await restore(id).expect(200);
  expect(await rows()).toEqual(before);
});

it('A row whose other parent has been deleted meanwhile stays deleted with it, or refers to null', async () => {
  const id = await formula();
  await database.query('INSERT INTO ext_batches VALUES (1), (2)');
  await addTrial(id, 'one', ', batch_id', ', 1');
  await addTrial(id, 'two', ', batch_id, "Next"', ', 2, 1');
  await addTrial(id, 'three', ', "Next"', ', 2');
  await trash(id);
  await database.query('DELETE FROM ext_batches WHERE id = 1');
  await restore(id).expect(200);
  expect(await database.query('SELECT trial, batch_id, "Next" FROM ext_trials ORDER BY 1')).toEqual([
    { trial: 'three', batch_id: null, Next: 2 },
    { trial: 'two', batch_id: 2, Next: null },
  ]);
});

it('Only the columns that a foreign key sets to null refer to null', async () => {
  const id = await formula();
  await database.query('INSERT INTO ext_batches VALUES (1), (2)');
  await database.query(
    `INSERT INTO ext_approvals SELECT v.id, 'Ann', b.id, 'L' FROM formula_versions v, ext_batches b WHERE formula_id = $1`,
    [id],
  );
  await trash(id);
  await database.query('DELETE FROM ext_batches WHERE id = 1');
  await restore(id).expect(200);
  expect(await database.query('SELECT batch_id, lot FROM ext_approvals ORDER BY 1')).toEqual([
    { batch_id: 2, lot: 'L' },
    { batch_id: null, lot: 'L' },
  ]);
});

it('A formula stays in the trash while a table refuses its rows, and nothing of it is written', async () => {
  const [id, other] = [await formula(), await formula()];
  await addTrial(id, 'one');
  await database.query(
    `INSERT INTO ext_a_results (trial, "Trial (no)", value) SELECT trial, "Trial (no)", 1 FROM ext_trials`,
  );
  await trash(id);
  await addTrial(other, 'one');
  const refused = await restore(id);
  expectError(refused, 409, '扩展表 ext_trials, ext_a_results 的数据与现有记录冲突,无法恢复该配方');
  expectError(await user.get(`/api/formulas/${id}`), 404, '配方不存在');
  await database.query('DELETE FROM ext_trials');
  // A later version of the extension requires more than an earlier one has stored.
  const refuses = async (table: string, change: string, undo: string) => {
    await database.query(`ALTER TABLE ${table} ${change}`);
    expectError(
      await restore(id),
      409,
      '扩展表 ext_trials, ext_a_results 的数据与现有记录冲突,无法恢复该配方',
    );
    await database.query(`ALTER TABLE ${table} ${undo}`);
  };
  const check = 'CONSTRAINT ck_ext_a_results_two';
  await refuses('ext_a_results', `ADD ${check} CHECK (value > 1)`, `DROP ${check}`);
  await refuses('ext_trials', 'ALTER ratio SET NOT NULL', 'ALTER ratio DROP NOT NULL');
  await refuses('ext_trials', 'ALTER trial TYPE varchar(2)', 'ALTER trial TYPE text');
  await database.query(`ALTER TABLE ext_trials ADD place text NOT NULL DEFAULT 'here', DROP seal`);
  await restore(id).expect(200);
  expect(await database.query('SELECT trial, place FROM ext_trials')).toEqual([
    { trial: 'one', place: 'here' },
  ]);
  await database.query('ALTER TABLE ext_trials DROP place, ADD seal bytea');
});

it('Rows of a table that is gone are left out, and those that earlier builds kept come back', async () => {
  const id = await formula();
  await addTrial(id, 'one');
  const before = await rows();
  await trash(id);
  await database.query(
    `UPDATE trashed_formulas SET custom_fields =
       json_build_object('ext_gone', json_build_array(json_build_object('id', 1)), 'ext_trials', custom_fields -> 'ext_trials' -> 0)
     WHERE id = $1`,
    [id],
  );
  await restore(id).expect(200);
  expect(await rows()).toEqual(before);
});

it('A formula whose rows exceed ten million characters is not deleted', async () => {
  const id = await formula();
  await addTrial(id, 'one', ', notes', `, '""'`);
  await addTrial(id, 'two');
  const measured: { length: number }[] = await database.query(
    'SELECT length(row_to_json(t)::text) AS length FROM ext_trials t',
  );
  // The rows are stored as a list, with a comma between them.
  const left = 10_000_000 - 1 - measured[0]!.length - measured[1]!.length;
  const fill = (characters: number) =>
    database.query(`UPDATE ext_trials SET notes = to_json(repeat('x', $1)) WHERE trial = 'one'`, [
      characters,
    ]);
  await fill(left + 1);
  const { body } = await user.delete(`/api/formulas/${id}`).set('X-Language', 'en').expect(409);
  expect(body.error).toMatch(/rows that the formula has in ext_trials/);
  await user.get(`/api/formulas/${id}`).expect(200);
  await fill(left);
  await trash(id);
  await restore(id).expect(200);
  const [found] = await database.query(
    `SELECT length(notes::text) AS length FROM ext_trials WHERE trial = 'one'`,
  );
  expect(found).toEqual({ length: left + 2 });
});

it('A change of a row that commits before the deletion is kept', async () => {
  // The embedded database has one connection.
  if (!TEST_SERVER) return;
  const id = await formula();
  await addTrial(id, 'one');
  const runner = database.createQueryRunner();
  await runner.startTransaction();
  await runner.query('UPDATE ext_trials SET ratio = 7');
  const deletion = trash(id);
  const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  while ((await database.query<unknown[]>(waiting)).length === 0) await sleep(20);
  await runner.commitTransaction();
  await runner.release();
  await deletion;
  await restore(id).expect(200);
  expect(await database.query('SELECT ratio FROM ext_trials')).toEqual([{ ratio: 7 }]);
});

it('The rows leave the trash with the formula', async () => {
  const id = await formula();
  await addTrial(id, 'one');
  await trash(id);
  expectDeleted(await user.delete(`${TRASH}/${id}`));
  expect(await database.query('SELECT id FROM trashed_formulas')).toEqual([]);
  expect(await rows()).toMatchObject({ ext_trials: [] });
});
