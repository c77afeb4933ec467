import type { DataSource } from 'typeorm';
import { DatabaseSetupError } from '../database-errors';
import { appliedMigrations, MIGRATIONS_OF_EARLIER_BUILDS, refuseUnknownMigrations } from '../migration-names';
import { createDataSource, type OpenOptions } from '../open-data-source';
import {
  type Backup,
  BACKUP_FORMAT,
  BATCH_CHARACTERS,
  BATCH_ROWS,
  type BackupHead,
  type RowBatch,
} from './backup';
import {
  type CatalogTable,
  type Query,
  rowsOf,
  sequencesOf,
  TABLES_ELSEWHERE,
  tablesOf,
  TRANSACTION_SETTINGS,
} from './table-catalog';

export interface ReadOptions extends Pick<OpenOptions, 'location' | 'extraMigrations' | 'log' | 'warn'> {
  /** A query that returns the encrypted settings as `name` and `value`. */
  readonly encryptedSettings: string;
}

/**
 * Reads a database in one snapshot, without migrating or changing it.
 * @param work may read the backup until it returns
 * @throws DatabaseSetupError if it is not a database of the service, or contains unknown migrations
 */
export async function readDatabase<T>(
  options: ReadOptions,
  work: (backup: Backup) => Promise<T>,
): Promise<T> {
  const dataSource = await createDataSource({
    ...options,
    poolSize: 1,
    limits: undefined,
    applicationName: 'formula-backup',
    owner: 'command',
    entities: [],
  });
  try {
    await dataSource.initialize();
    await refuseOthers(dataSource);
    const tables = await tablesOf((text) => dataSource.query(text));
    const runner = dataSource.createQueryRunner();
    try {
      const query: Query = async <Row>(text: string) => (await runner.query(text)) as Row[];
      await query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await query(TRANSACTION_SETTINGS);
      await lockTables(query, tables);
      return await work(await readSnapshot(query, options));
    } finally {
      // If the rollback fails, the connection is lost, and the transaction has ended with it.
      await runner.query('ROLLBACK').catch(() => undefined);
      await runner.release();
    }
  } finally {
    await dataSource.destroy().catch(() => undefined);
  }
}

/**
 * Makes TRUNCATE and migrations wait until everything is read, because a table that they rewrite is empty for
 * earlier snapshots. LOCK takes no snapshot yet.
 */
async function lockTables(query: Query, tables: readonly CatalogTable[]): Promise<void> {
  if (tables.length === 0) return;
  await query(`LOCK TABLE ${tables.map(({ quoted }) => quoted).join(', ')} IN ACCESS SHARE MODE`);
}

async function readSnapshot(query: Query, { encryptedSettings, warn }: ReadOptions): Promise<Backup> {
  const readAt = new Date().toISOString();
  const tables = await tablesOf(query);
  await warnOfOtherSchemas(query, warn);
  const migrations = await query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
  const settings = await query<{ name: string; value: string }>(encryptedSettings);
  const counted: BackupHead['tables'] = [];
  for (const { name, source, columns } of tables) {
    const [count] = await query<{ rows: string }>(`SELECT count(*) AS rows FROM ${source}`);
    counted.push({ name, columns: columns.map((column) => column.name), rows: Number(count!.rows) });
  }
  const head = {
    formulaBackup: BACKUP_FORMAT,
    readAt,
    migrations: migrations.map(({ name }) => name),
    encryptedSettings: Object.fromEntries(settings.map(({ name, value }) => [name, value])),
    tables: counted,
    // Sequences are not part of a snapshot. Read after it was taken, they are beyond every number in the rows.
    sequences: await sequencesOf(query),
  } as const;
  return { head, batches: readBatches(query, tables) };
}

async function* readBatches(query: Query, tables: readonly CatalogTable[]): AsyncGenerator<RowBatch> {
  for (const table of tables) {
    await query(`DECLARE backup_rows NO SCROLL CURSOR FOR ${rowsOf(table)}`);
    for (let limit = BATCH_ROWS; ;) {
      const found = await query<{ row: string }>(`FETCH ${limit} FROM backup_rows`);
      if (found.length === 0) break;
      const rows = found.map(({ row }) => row);
      yield { table: table.name, rows };
      const averageCharacters = rows.reduce((sum, row) => sum + row.length, 0) / rows.length;
      limit = Math.max(1, Math.min(BATCH_ROWS, Math.floor(BATCH_CHARACTERS / averageCharacters)));
    }
    await query('CLOSE backup_rows');
  }
}

async function warnOfOtherSchemas(query: Query, warn: (message: string) => void): Promise<void> {
  const left = await query<{ name: string }>(TABLES_ELSEWHERE);
  if (left.length === 0) return;
  const names = left.map(({ name }) => name).join(', ');
  warn(`Tables of other schemas are left out: ${names}. Only what is in the service's own schema is read`);
}

/** Accepts a database of an earlier build too: its backup is the way to the current baseline. */
async function refuseOthers(dataSource: DataSource): Promise<void> {
  const applied = await appliedMigrations(dataSource);
  if (applied.length === 0) {
    throw new DatabaseSetupError('There is no database of the service: it has no table migrations');
  }
  const isOfEarlierBuild = applied.some((name) => MIGRATIONS_OF_EARLIER_BUILDS.includes(name));
  if (!isOfEarlierBuild) await refuseUnknownMigrations(dataSource);
}
