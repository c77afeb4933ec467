import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { DatabaseSetupError } from '../database-setup-error';
import { explainingMissingRights, prepareDatabase, withMigrationLock } from '../database-setup';
import { CONFIGURATION_CHANNEL } from '../instances';
import { areReferenceColorsChanged } from '../migrations/baseline/reference-colors';
import { MIGRATIONS_OF_EARLIER_BUILDS, nameOfMigration } from '../migration-names';
import { coreMigrations } from '../migrations';
import { createDataSource, type OpenOptions } from '../open-data-source';
import { BulkTables } from './bulk-tables';
import { RowChecksum, type RowsSum, rowsSumOf } from './row-checksum';
import { type CataloguedTable, rowsOf, tablesOf, TRANSFER_SETTINGS } from './table-catalogue';
import type { RowValues, SequenceState, TransferPart, TransferParts, TransferTable } from './transfer-parts';

/** Filled by a migration: a database that has no other rows is empty, unless somebody has changed these. */
const FILLED_BY_MIGRATIONS = new Map([['reference_colors', areReferenceColorsChanged]]);

/**
 * On the embedded database nobody else makes room in the write-ahead log: after so many characters of
 * rows.
 */
const CHECKPOINT_CHARACTERS = 64 * 1024 * 1024;

export interface WriteOptions extends Pick<
  OpenOptions,
  'location' | 'extraMigrations' | 'applicationName' | 'log' | 'warn'
> {
  onProgress?: (step: string, count: number) => void;
}

/** By table, what was written and found again in the database. */
export type TransferReport = ReadonlyMap<string, RowsSum>;

/**
 * Fills an empty database, in one transaction: the schema as it was where the rows come from, the rows, then
 * the migrations that have come since. Where it fails or is cut, nothing of it is there.
 * @returns what is in it, when every table has what was read
 * @throws DatabaseSetupError where it is not empty, or its schema cannot take the rows
 */
export async function fillDatabase(options: WriteOptions, parts: TransferParts): Promise<TransferReport> {
  const { location, log, warn } = options;
  const dataSource = await createDataSource({
    ...options,
    poolSize: 3,
    limits: undefined,
    applicationName: 'formula-transfer',
    owner: 'command',
    entities: [],
  });
  const isServer = location.kind === 'server';
  try {
    await dataSource.initialize();
    const fill = async () => {
      await prepareDatabase(dataSource, { log, warn });
      return inTransaction(dataSource, (runner) =>
        new DatabaseWriter(dataSource, runner, options).write(parts),
      );
    };
    const explained = () => explainingMissingRights(dataSource, fill);
    const report = await (isServer ? withMigrationLock(dataSource, explained) : explained());
    await tidy(dataSource, options);
    return report;
  } finally {
    await dataSource.destroy().catch(() => undefined);
  }
}

async function inTransaction<T>(
  dataSource: DataSource,
  work: (runner: QueryRunner) => Promise<T>,
): Promise<T> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    const result = await work(runner);
    await runner.commitTransaction();
    return result;
  } catch (error) {
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** What no transaction may do: without it the first reads are slow, but right. */
async function tidy(dataSource: DataSource, { onProgress, warn }: WriteOptions): Promise<void> {
  onProgress?.('Tidying', 0);
  try {
    for (const { quoted } of await tablesOf(dataSource)) await dataSource.query(`VACUUM (ANALYZE) ${quoted}`);
  } catch (error) {
    warn(`The tables could not be vacuumed (${(error as Error).message}): run VACUUM ANALYZE`);
  }
}

/** Earlier builds also counted formulas by day and by hour. */
const DELETE_FORMER_COUNTS = `DELETE FROM record_counts WHERE list IN ('formulas of day', 'formulas of hour')`;

/** A backup of the last earlier build has the schema that the baseline makes. */
function migrationsHere(written: readonly string[]): readonly string[] {
  if (!MIGRATIONS_OF_EARLIER_BUILDS.every((name) => written.includes(name))) return written;
  const others = written.filter((name) => !MIGRATIONS_OF_EARLIER_BUILDS.includes(name));
  return [...coreMigrations.map((migration) => nameOfMigration(new migration())), ...others];
}

class DatabaseWriter {
  private readonly written = new Map<string, RowsSum>();
  private tables = new Map<string, CataloguedTable>();
  private bulk?: BulkTables;
  private current?: { table: CataloguedTable; columns: CataloguedTable['columns']; sum: RowChecksum };
  private sinceCheckpoint = 0;

  /** Names of the migrations that are here. */
  private readonly known: readonly string[];

  constructor(
    private readonly dataSource: DataSource,
    private readonly runner: QueryRunner,
    private readonly options: WriteOptions,
  ) {
    this.known = dataSource.migrations.map(nameOfMigration);
  }

  async write(parts: TransferParts): Promise<TransferReport> {
    await this.query(TRANSFER_SETTINGS);
    // The last part of what is read may be that it is damaged: it is read to its end before anything is kept.
    for await (const part of parts) await this.take(part);
    await this.endTable();
    const { onProgress } = this.options;
    onProgress?.('Indexes', 0);
    await this.query(DELETE_FORMER_COUNTS);
    await this.bulk!.restore((statements) => onProgress?.('Indexes', statements));
    await this.migrate();
    await this.refreshViews();
    await this.query('ANALYZE');
    // Instances that run on it have read the configuration of an empty database.
    await this.query('SELECT pg_notify($1, $2)', [CONFIGURATION_CHANNEL, '']);
    return this.written;
  }

  private async take(part: TransferPart): Promise<void> {
    if (part.kind !== 'rows') await this.endTable();
    switch (part.kind) {
      case 'head':
        return this.makeSchema(migrationsHere(part.migrations));
      case 'table':
        this.beginTable(part);
        return;
      case 'rows':
        return this.insert(part.rows);
      case 'sequences':
        return this.setSequences(part.sequences);
    }
  }

  /** The schema that the rows were written under, without rows. */
  private async makeSchema(wanted: readonly string[]): Promise<void> {
    const unknown = wanted.filter((name) => !this.known.includes(name));
    if (unknown.length > 0) {
      throw new DatabaseSetupError(
        `What is read was written by a newer version of the service, or with an extension that is not here ` +
          `(${unknown.join(', ')}): use that version, or name the extension's module with --app`,
      );
    }
    await this.lockEmpty();
    await this.undo(wanted);
    await this.migrate(wanted);
    const tables = await tablesOf(this);
    this.tables = new Map(tables.map((table) => [table.name, table]));
    this.bulk = await BulkTables.clear(this, tables);
  }

  /** Writers are kept out of an empty database until the end; whoever works on another is not held up. */
  private async lockEmpty(): Promise<void> {
    const tables = await tablesOf(this);
    await this.refuseRows(tables);
    for (const { quoted } of tables) await this.query(`LOCK TABLE ${quoted} IN ACCESS EXCLUSIVE MODE`);
    // What came in between.
    await this.refuseRows(tables);
  }

  private async refuseRows(tables: readonly CataloguedTable[]): Promise<void> {
    const full: string[] = [];
    for (const { name, quoted } of tables) {
      const [found] = await this.query<{ is: boolean }>(`SELECT EXISTS (SELECT FROM ${quoted}) AS is`);
      if (!found?.is) continue;
      const isChanged = FILLED_BY_MIGRATIONS.get(name);
      if (!isChanged) full.push(name);
      else if (await isChanged((text, values) => this.query(text, values))) {
        full.push(`${name}, with other rows than the service brings`);
      }
    }
    if (full.length === 0) return;
    throw new DatabaseSetupError(
      `The database to be filled is not empty (${full.join(', ')}): nothing was changed. Use a new, empty one`,
    );
  }

  /** The database may be there already, empty, as a later version has made it. */
  private async undo(wanted: readonly string[]): Promise<void> {
    const [table] = await this.query<{ there: boolean }>(
      `SELECT to_regclass('migrations') IS NOT NULL AS there`,
    );
    if (!table?.there) return;
    const executor = this.executor(this.dataSource.migrations);
    for (;;) {
      const applied = await this.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
      if (applied.every(({ name }) => wanted.includes(name))) return;
      const last = applied.at(-1)!.name;
      if (!this.known.includes(last)) {
        throw new DatabaseSetupError(
          `The database to be filled was migrated by a newer version of the service, or with an extension that is not ` +
            `here (${last}): nothing was changed. Use a new, empty one, or name the extension's module with --app`,
        );
      }
      await executor.undoLastMigration();
    }
  }

  /** @param wanted absent: all that are known */
  private async migrate(wanted?: readonly string[]): Promise<void> {
    const { migrations } = this.dataSource;
    const chosen = wanted ? migrations.filter((one) => wanted.includes(nameOfMigration(one))) : migrations;
    const run = await this.executor(chosen).executePendingMigrations();
    if (!wanted && run.length > 0) this.options.log(`Migrated: ${run.map(({ name }) => name).join(', ')}`);
  }

  /** Runs migrations within the transaction. */
  private executor(migrations: DataSource['migrations']): MigrationExecutor {
    const withThese = Object.create(this.dataSource, { migrations: { value: migrations } }) as DataSource;
    const executor = new MigrationExecutor(withThese, this.runner);
    executor.transaction = 'none';
    return executor;
  }

  private beginTable({ name, columns: names }: TransferTable): void {
    const table = this.tables.get(name);
    if (!table) {
      throw new DatabaseSetupError(
        `The table ${name} is made by no migration that is here. Name its extension's module with --app; or drop it ` +
          `where it comes from; or start the service once on the new database, create the table there, and try again`,
      );
    }
    const columns = names.map((column) => {
      const found = table.columns.find((one) => one.name === column);
      if (found) return found;
      throw new DatabaseSetupError(
        `The column ${column} of the table ${name} is made by no migration that is here: start the service once on ` +
          `the new database, add the column there, and try again`,
      );
    });
    this.current = { table: { ...table, columns }, columns, sum: new RowChecksum() };
    this.options.onProgress?.(name, 0);
  }

  private async insert(rows: readonly string[]): Promise<void> {
    const { table, columns, sum } = this.current!;
    sum.add(rows);
    const values = columns.map(() => [] as RowValues);
    for (const row of rows) {
      (JSON.parse(row) as RowValues).forEach((value, column) => values[column]!.push(value));
    }
    if (columns.length === 0) {
      await this.query(`INSERT INTO ${table.quoted} SELECT FROM generate_series(1, $1)`, [rows.length]);
    } else {
      const names = columns.map(({ quoted }) => quoted).join(', ');
      const casts = columns.map(({ type }, column) => `c${column}::${type}`).join(', ');
      const arrays = columns.map((_, column) => `$${column + 1}::text[]`).join(', ');
      const given = columns.map((_, column) => `c${column}`).join(', ');
      await this.query(
        `INSERT INTO ${table.quoted} (${names}) OVERRIDING SYSTEM VALUE
         SELECT ${casts} FROM unnest(${arrays}) AS given (${given})`,
        values,
      );
    }
    this.options.onProgress?.(table.name, sum.result.rows);
    await this.makeRoom(rows);
  }

  private async makeRoom(rows: readonly string[]): Promise<void> {
    if (this.options.location.kind === 'server') return;
    for (const row of rows) this.sinceCheckpoint += row.length;
    if (this.sinceCheckpoint < CHECKPOINT_CHARACTERS) return;
    this.sinceCheckpoint = 0;
    await this.query('CHECKPOINT');
  }

  /** @throws DatabaseSetupError where the database has other rows than were read */
  private async endTable(): Promise<void> {
    if (!this.current) return;
    const { table, sum } = this.current;
    this.current = undefined;
    const [found] = await this.query<{ rows: string; checksum: string }>(rowsSumOf(rowsOf(table)));
    const wanted = sum.result;
    if (Number(found?.rows) !== wanted.rows || found?.checksum !== wanted.checksum) {
      throw new DatabaseSetupError(
        `The table ${table.name} has other rows than were read (${found?.rows} of ${wanted.rows}, checksum ` +
          `${found?.checksum} and not ${wanted.checksum}): nothing was kept`,
      );
    }
    this.written.set(table.name, wanted);
  }

  private async setSequences(sequences: readonly SequenceState[]): Promise<void> {
    for (const { name, value, isCalled } of sequences) {
      const [found] = await this.query<{ there: boolean }>(
        'SELECT to_regclass(quote_ident($1)) IS NOT NULL AS there',
        [name],
      );
      if (!found?.there) {
        throw new DatabaseSetupError(`The sequence ${name} is made by no migration that is here`);
      }
      await this.query('SELECT setval(quote_ident($1)::regclass, $2::bigint, $3)', [name, value, isCalled]);
    }
  }

  private async refreshViews(): Promise<void> {
    const views = await this.query<{ quoted: string }>(`
      SELECT quote_ident(relname) AS quoted FROM pg_class
      WHERE relnamespace = current_schema()::regnamespace AND relkind = 'm' AND relispopulated ORDER BY oid`);
    for (const { quoted } of views) await this.query(`REFRESH MATERIALIZED VIEW ${quoted}`);
  }

  async query<Row>(text: string, values?: unknown[]): Promise<Row[]> {
    return (await this.runner.query(text, values)) as Row[];
  }
}
