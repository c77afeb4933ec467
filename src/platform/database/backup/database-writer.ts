import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { explainingMissingRights, prepareDatabase, withMigrationLock } from '../database-setup';
import { DatabaseSetupError } from '../database-errors';
import {
  appliedMigrations,
  MIGRATIONS_OF_EARLIER_BUILDS,
  MIGRATIONS_THAT_FIT,
  nameOfMigration,
} from '../migration-names';
import { coreMigrations } from '../migrations';
import { areReferenceColorsChanged } from '../migrations/baseline/reference-colors';
import { createDataSource, type OpenOptions } from '../open-data-source';
import type { Backup, BackupHead } from './backup';
import { removeConstraints } from './constraints';
import { type CatalogTable, insertOf, type Query, tablesOf, TRANSACTION_SETTINGS } from './table-catalog';

/** A migration fills this table, so its rows are replaced. */
const FILLED_BY_MIGRATION = 'reference_colors';

/** Earlier builds also stored counts of formulas by day and by hour. */
const DELETE_FORMER_COUNTS = `DELETE FROM record_counts WHERE list IN ('formulas of day', 'formulas of hour')`;

/** The service computes the keys of further names, and earlier builds compared names in another form. */
const REFRESH_NAME_KEYS = `
  UPDATE ingredient_names SET key = name_key(name) WHERE key <> name_key(name) COLLATE "C"`;

type WriteOptions = Pick<OpenOptions, 'location' | 'extraMigrations' | 'log' | 'warn'>;

/**
 * Fills an empty database in one transaction: the schema of the backup, its rows, and the migrations that were
 * added since. After a failure the database is unchanged.
 * @throws DatabaseSetupError if the database is not empty, or its schema does not fit the rows
 */
export async function fillDatabase(options: WriteOptions, backup: Backup): Promise<void> {
  const { location, log, warn } = options;
  const dataSource = await createDataSource({
    ...options,
    poolSize: 3,
    limits: undefined,
    applicationName: 'formula-restore',
    owner: 'command',
    entities: [],
  });
  try {
    await dataSource.initialize();
    const fill = async () => {
      await prepareDatabase(dataSource, { log, warn });
      await fillInTransaction(dataSource, options, backup);
    };
    const explained = () => explainingMissingRights(dataSource, fill);
    await (location.kind === 'server' ? withMigrationLock(dataSource, explained) : explained());
    // VACUUM cannot run in a transaction. Without it the first reads are slow, but correct.
    await dataSource.query('VACUUM (ANALYZE)').catch((error: Error) => {
      warn(`The tables could not be vacuumed (${error.message}): run VACUUM ANALYZE`);
    });
  } finally {
    await dataSource.destroy().catch(() => undefined);
  }
}

async function fillInTransaction(
  dataSource: DataSource,
  { location, log }: WriteOptions,
  { head, batches }: Backup,
): Promise<void> {
  const runner = dataSource.createQueryRunner();
  const query: Query = async <Row>(text: string, values?: unknown[]) =>
    (await runner.query(text, values)) as Row[];
  try {
    await runner.startTransaction();
    await query(TRANSACTION_SETTINGS);
    await lockEmpty(query);
    const migrations = migrationsHere(head.migrations);
    refuseOtherMigrations(dataSource, await appliedMigrations(runner), migrations);
    await migrate(dataSource, runner, (name) => migrations.includes(name));
    const all = await tablesOf(query);
    const inserts = insertsOf(head, all);
    const restoreConstraints = await removeConstraints(query);
    await query(`TRUNCATE ${all.map(({ quoted }) => quoted).join(', ')}`);
    let current: string | undefined;
    let unsaved = 0;
    for await (const { table, rows } of batches) {
      if (table !== current) {
        log(`${table} ...`);
        current = table;
      }
      await query(inserts.get(table)!, [`[${rows.join(',')}]`]);
      unsaved += rows.reduce((sum, row) => sum + row.length, 0);
      // The embedded database runs no checkpoint by itself, so the write-ahead log would grow.
      if (location.kind !== 'server' && unsaved > 64 * 1024 * 1024) {
        unsaved = 0;
        await query('CHECKPOINT');
      }
    }
    await compareCounts(query, head, all);
    await query(DELETE_FORMER_COUNTS);
    await query(REFRESH_NAME_KEYS);
    await setSequences(query, head);
    log('Constraints and migrations ...');
    await restoreConstraints();
    const later = await migrate(dataSource, runner, () => true);
    if (later.length > 0) log(`Migrated: ${later.join(', ')}`);
    await runner.commitTransaction();
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** Locks an empty database against writers until the end. A database with rows is refused without waiting for locks. */
async function lockEmpty(query: Query): Promise<void> {
  const tables = await tablesOf(query);
  await refuseRows(query, tables);
  if (tables.length === 0) return;
  await query(`LOCK TABLE ${tables.map(({ quoted }) => quoted).join(', ')} IN ACCESS EXCLUSIVE MODE`);
  await refuseRows(query, tables);
}

async function refuseRows(query: Query, tables: readonly CatalogTable[]): Promise<void> {
  const full: string[] = [];
  for (const { name, quoted } of tables) {
    const [found] = await query<{ exists: boolean }>(`SELECT EXISTS (SELECT FROM ${quoted})`);
    const isOurs = name === FILLED_BY_MIGRATION && !(await areReferenceColorsChanged(query));
    if (found!.exists && !isOurs) full.push(name);
  }
  if (full.length === 0) return;
  throw new DatabaseSetupError(
    `The database to be filled is not empty (${full.join(', ')}): nothing was changed. Use a new, empty one`,
  );
}

function refuseOtherMigrations(
  dataSource: DataSource,
  applied: readonly string[],
  wanted: readonly string[],
): void {
  const known = dataSource.migrations.map(nameOfMigration);
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new DatabaseSetupError(
      `The rows were written by another version of the service, or with an extension that is not here ` +
        `(${unknown.join(', ')}): use that version, or name the extension's module with --app`,
    );
  }
  const later = applied.filter((name) => !wanted.includes(name));
  if (later.length > 0) {
    throw new DatabaseSetupError(
      `The database to be filled has had migrations that the rows have not (${later.join(', ')}): nothing was ` +
        'changed. Use a new, empty one',
    );
  }
}

/** The rows of the last earlier builds fit into the baseline, which has further tables. */
function migrationsHere(written: readonly string[]): readonly string[] {
  if (!MIGRATIONS_THAT_FIT.some((name) => written.includes(name))) return written;
  const others = written.filter((name) => !MIGRATIONS_OF_EARLIER_BUILDS.includes(name));
  return [...coreMigrations.map((migration) => nameOfMigration(new migration())), ...others];
}

/** Runs the selected migrations that are missing, within the transaction. */
async function migrate(
  dataSource: DataSource,
  runner: QueryRunner,
  isChosen: (name: string) => boolean,
): Promise<string[]> {
  const migrations = dataSource.migrations.filter((migration) => isChosen(nameOfMigration(migration)));
  const withChosen = Object.create(dataSource, { migrations: { value: migrations } }) as DataSource;
  const executor = new MigrationExecutor(withChosen, runner);
  executor.transaction = 'none';
  return (await executor.executePendingMigrations()).map(({ name }) => name);
}

/** Returns the INSERT statement for the backup's rows, by table. */
function insertsOf(head: BackupHead, tables: readonly CatalogTable[]): Map<string, string> {
  const inserts = new Map<string, string>();
  for (const { name, columns } of head.tables) {
    const table = tables.find((one) => one.name === name);
    const missing = table && columns.find((column) => !table.columns.some((one) => one.name === column));
    if (!table || missing !== undefined) {
      const what = table ? `column ${missing} of the table ${name}` : `table ${name}`;
      throw new DatabaseSetupError(
        `The ${what} is made by no migration that is here: name its extension's module with --app, or drop it where ` +
          'it comes from',
      );
    }
    inserts.set(
      name,
      insertOf({ ...table, columns: table.columns.filter((one) => columns.includes(one.name)) }),
    );
  }
  return inserts;
}

async function compareCounts(query: Query, head: BackupHead, tables: readonly CatalogTable[]): Promise<void> {
  for (const { name, source } of tables) {
    const wanted = head.tables.find((table) => table.name === name)?.rows ?? 0;
    const [found] = await query<{ rows: string }>(`SELECT count(*) AS rows FROM ${source}`);
    if (Number(found!.rows) === wanted) continue;
    throw new DatabaseSetupError(
      `The table ${name} has ${found!.rows} rows and not the ${wanted} that were read: nothing was kept`,
    );
  }
}

async function setSequences(query: Query, { sequences }: BackupHead): Promise<void> {
  for (const { name, value, isCalled } of sequences) {
    await query('SELECT setval(quote_ident($1)::regclass, $2::bigint, $3)', [name, value, isCalled]);
  }
}
