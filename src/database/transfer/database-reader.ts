import type { DataSource, QueryRunner } from 'typeorm';
import { DatabaseSetupError } from '../database-setup-error';
import { createDataSource, type OpenOptions } from '../open-data-source';
import { appliedMigrations, refuseUnknownMigrations } from '../migration-names';
import {
  type CataloguedTable,
  longRowOf,
  partOf,
  sequencesOf,
  type ShortRow,
  shortRowsOf,
  TABLES_ELSEWHERE,
  tablesOf,
  TRANSFER_SETTINGS,
} from './table-catalogue';
import { LONGEST_ROW_BYTES, type TransferPart } from './transfer-parts';

/**
 * How much text of rows is asked for at once, about, in characters: what is on its way is all that is
 * held. Behind short rows long ones may come, a megabyte each, and two pieces are held: so many must fit too.
 * Rows that are longer (in bytes) are asked for one by one.
 */
const PIECE_CHARACTERS = 1_000_000;
const LONG_ROW_BYTES = 1_000_000;
const FIRST_PIECE_ROWS = 50;
const MOST_PIECE_ROWS = 100;

export type ReadOptions = Pick<
  OpenOptions,
  'location' | 'extraMigrations' | 'log' | 'warn'
>;

/**
 * One state of a database: what is written meanwhile does not show. It is neither migrated nor changed.
 */
export class DatabaseReader {
  private constructor(
    private readonly runner: QueryRunner,
    /** What was acknowledged before this moment is in it. */
    private readonly readAt: Date,
  ) {}

  /**
   * @throws DatabaseSetupError where it is no database of the service, or has had migrations that are not
   * known
   * @throws EmbeddedDatabaseInUseError
   */
  static async use<T>(options: ReadOptions, work: (reader: DatabaseReader) => Promise<T>): Promise<T> {
    const dataSource = await sourceOf(options);
    try {
      await dataSource.initialize();
      await refuseOthers(dataSource);
      const tables = await tablesOf(dataSource);
      const runner = dataSource.createQueryRunner();
      try {
        await runner.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
        await runner.query(TRANSFER_SETTINGS);
        await keepFromChanges(runner, tables);
        const readAt = new Date();
        // The first statement takes the snapshot: nothing that is asked for or waited for comes before it.
        await warnOfOtherSchemas(runner, options.warn);
        return await work(new DatabaseReader(runner, readAt));
      } finally {
        // A rollback that fails means the connection is gone, and with it the transaction.
        await runner.query('ROLLBACK').catch(() => undefined);
        await runner.release();
      }
    } finally {
      await dataSource.destroy().catch(() => undefined);
    }
  }

  async query<Row>(text: string): Promise<Row[]> {
    return (await this.runner.query(text)) as Row[];
  }

  /**
   * Everything in it.
   * @param sealed sealed settings as they are to stand in the head
   */
  async *parts(sealed: Readonly<Record<string, string>>): AsyncGenerator<TransferPart> {
    const migrations = await this.query<{ name: string }>('SELECT name FROM migrations ORDER BY id');
    yield {
      kind: 'head',
      migrations: migrations.map(({ name }) => name),
      readAt: this.readAt.toISOString(),
      sealed,
    };
    for (const table of await tablesOf(this)) {
      yield partOf(table);
      for await (const rows of this.rows(table)) yield { kind: 'rows', rows };
    }
    // Sequences know no snapshot: read behind the rows, they are not before any number among them.
    yield { kind: 'sequences', sequences: await sequencesOf(this) };
  }

  /** The next piece is on its way while one is worked on. */
  private async *rows(table: CataloguedTable): AsyncGenerator<string[]> {
    await this.query(`DECLARE transfer NO SCROLL CURSOR FOR ${shortRowsOf(table, LONG_ROW_BYTES)}`);
    let pieceRows = FIRST_PIECE_ROWS;
    const fetch = () => {
      const piece = this.query<ShortRow>(`FETCH ${pieceRows} FROM transfer`);
      // Whoever reads may have gone by then; the error comes when it is waited for.
      piece.catch(() => undefined);
      return piece;
    };
    let next = fetch();
    for (;;) {
      const found = await next.catch(namingTable(table));
      if (found.length === 0) break;
      const rows = found.flatMap(({ row }) => row ?? []);
      for (const long of found) if (long.row === null) yield [await this.longRow(table, long)];
      const characters = rows.reduce((sum, row) => sum + row.length, 0);
      const fitting = Math.floor((PIECE_CHARACTERS / (characters + 1)) * found.length);
      pieceRows = Math.max(1, Math.min(fitting, MOST_PIECE_ROWS));
      next = fetch();
      if (rows.length > 0) yield rows;
    }
    await this.query('CLOSE transfer');
  }

  private async longRow(table: CataloguedTable, long: ShortRow & { row: null }): Promise<string> {
    if (long.bytes > LONGEST_ROW_BYTES) throw tooLong(table);
    const [found] = await this.query<{ row: string }>(longRowOf(table, long));
    return found!.row;
  }
}

const tooLong = ({ name }: CataloguedTable, cause?: unknown) =>
  new DatabaseSetupError(
    `The table ${name} has a row of more than ${LONGEST_ROW_BYTES / 1e6} MB, which cannot be moved: shorten or delete it first`,
    { cause },
  );

/** PostgreSQL makes no text of more than 1 GB. */
const namingTable = (table: CataloguedTable) => (error: unknown) => {
  const { code, message } = error as { code?: string; message: string };
  if (code === '54000' || message.startsWith('invalid memory alloc request size'))
    throw tooLong(table, error);
  throw error;
};

/**
 * To an earlier snapshot a table that was truncated, or written anew by a migration, is empty: who would do
 * that waits until all is read. This takes no snapshot.
 */
async function keepFromChanges(runner: QueryRunner, tables: readonly CataloguedTable[]): Promise<void> {
  if (tables.length === 0) return;
  await runner.query(`LOCK TABLE ${tables.map(({ quoted }) => quoted).join(', ')} IN ACCESS SHARE MODE`);
}

async function warnOfOtherSchemas(runner: QueryRunner, warn: (message: string) => void): Promise<void> {
  const left = (await runner.query(TABLES_ELSEWHERE)) as { name: string }[];
  if (left.length === 0) return;
  const names = left.map(({ name }) => name).join(', ');
  warn(`Tables of other schemas are left out: ${names}. Only what is in the service's own schema is read`);
}

const sourceOf = (options: ReadOptions): Promise<DataSource> =>
  createDataSource({
    ...options,
    poolSize: 3,
    limits: undefined,
    applicationName: 'formula-transfer',
    owner: 'command',
    entities: [],
  });

async function refuseOthers(dataSource: DataSource): Promise<void> {
  if ((await appliedMigrations(dataSource)).length === 0)
    throw new DatabaseSetupError('There is no database of the service: it has no table migrations');
  await refuseUnknownMigrations(dataSource);
}
