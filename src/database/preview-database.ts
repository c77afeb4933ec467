import type { DataSource, QueryRunner } from 'typeorm';
import { DatabaseSetupError } from './database-setup-error';
import { coreMigrations } from './find-migrations';
import { nameOfMigration } from './migration-names';
import { createSchema } from './migrations/baseline/schema';
import { Baseline1767225600000 } from './migrations/1767225600000-baseline';
import { TABLES } from './migrations/baseline/tables';
import { describeSchema, type SchemaLine } from './schema-description';

/** The migrations of the previews before the first release; the baseline took their place. */
const PREVIEW_MIGRATIONS = [
  'CoreSchema1767225600000',
  'ColorSchema1767225700000',
  'RuntimeSettings1767229200000',
  'Ai1767232800000',
  'SearchKeys1767236400000',
  'ColorCells1767240000000',
];

/** What a database says about itself before anything is done to it. */
interface DatabaseState {
  /** Names in the table of migrations; none when there is no such table. */
  migrations: readonly string[];
  /** Tables with a name of ours. */
  tables: readonly string[];
}

/**
 * Whether a database is new, on the baseline, or one of a preview.
 * @param extensions names of the migrations of registered extensions
 * @throws DatabaseSetupError when it is none of these
 */
function classify(
  { migrations, tables }: DatabaseState,
  extensions: readonly string[],
): 'new' | 'current' | 'preview' {
  const preview = PREVIEW_MIGRATIONS.filter((name) => migrations.includes(name));
  if (preview.length === 0 && migrations.includes(Baseline1767225600000.name)) return 'current';

  if (migrations.includes(Baseline1767225600000.name)) {
    throw new DatabaseSetupError(
      `The table migrations names ${Baseline1767225600000.name} and migrations of the preview that it took the place of; ` +
        `nothing was changed. Restore that table from a backup.`,
    );
  }
  const unknown = migrations.filter(
    (name) => !PREVIEW_MIGRATIONS.includes(name) && !extensions.includes(name),
  );
  if (unknown.length > 0) {
    throw new DatabaseSetupError(
      `The table migrations names ${unknown.join(', ')}, which this version does not know; nothing was changed. ` +
        `Register the extension they belong to, or use a database of the service's own.`,
    );
  }
  if (preview.length === 0) {
    if (tables.length === 0) return 'new';
    throw new DatabaseSetupError(
      `The database has the tables ${tables.join(', ')}, but its table migrations is missing or does not name what ` +
        `made them; nothing was changed. Restore that table from a backup, or use an empty database.`,
    );
  }
  if (preview.length < PREVIEW_MIGRATIONS.length) {
    throw new DatabaseSetupError(
      `The database is of an early preview: only ${preview.length} of its ${PREVIEW_MIGRATIONS.length} migrations have ` +
        `run; nothing was changed. Start the last preview on it once, then this version.`,
    );
  }
  return 'preview';
}

/**
 * Puts a database of the last preview onto the baseline: the names of the six migrations become the
 * baseline's in one transaction, when the schema is what the baseline makes. Nothing else changes; the
 * extension `cube`, which the six needed, stays.
 * @returns true when that was done
 * @throws DatabaseSetupError when the database is neither new nor of this version nor of the last preview, or
 *   was altered
 */
export async function adoptPreviewDatabase(dataSource: DataSource): Promise<boolean> {
  const extensions = extensionMigrations(dataSource);
  const state = await readState(dataSource);
  if (classify(state, extensions) !== 'preview') return false;

  const runner = dataSource.createQueryRunner();
  try {
    await runner.startTransaction();
    await runner.query('LOCK TABLE migrations IN EXCLUSIVE MODE');
    // What an extension's migration has added to our tables is not an alteration.
    const mayHaveMore = state.migrations.some((name) => extensions.includes(name));
    await requireBaselineSchema(runner, mayHaveMore);
    await replaceNames(runner);
    await runner.commitTransaction();
    return true;
  } catch (error) {
    await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

function extensionMigrations(dataSource: DataSource): string[] {
  const core = coreMigrations.map(({ name }) => name);
  const known = dataSource.migrations.map(nameOfMigration);
  return known.filter((name) => !core.includes(name));
}

async function readState(dataSource: DataSource): Promise<DatabaseState> {
  const found = await dataSource.query<{ name: string }[]>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  );
  const names = found.map(({ name }) => name);
  // The table may be another program's and have no column of that name.
  const rows = names.includes('migrations')
    ? await dataSource.query<{ name: string | null }[]>(
        `SELECT to_jsonb(m) ->> 'name' AS name FROM migrations m ORDER BY 1`,
      )
    : [];
  return {
    migrations: rows.map(({ name }) => name ?? 'migrations of another program'),
    tables: TABLES.filter((table) => names.includes(table)),
  };
}

/** Rolled back with everything in it. */
const SCRATCH_SCHEMA = 'formula_baseline_check';

async function requireBaselineSchema(runner: QueryRunner, mayHaveMore: boolean): Promise<void> {
  const found = await describeSchema(runner);
  const wanted = await baselineSchema(runner);
  const [missing, more] = differences(wanted, found);
  const altered = [
    ...missing.map((line) => `missing: ${line}`),
    ...(mayHaveMore ? [] : more.map((line) => `found: ${line}`)),
  ];
  if (altered.length === 0) return;
  const shown = altered.slice(0, 3).join('; ');
  throw new DatabaseSetupError(
    `The database is of the last preview, but its schema was altered (${shown}${altered.length > 3 ? '; …' : ''}); ` +
      `nothing was changed. Undo the alteration, or restore a backup from before it.`,
  );
}

/** Lines of the wanted schema that are not found, and lines found about its objects that are not wanted. */
function differences(wanted: readonly SchemaLine[], found: readonly SchemaLine[]): [string[], string[]] {
  const objects = new Set(wanted.map(({ object }) => object));
  const wantedLines = wanted.map(({ line }) => line);
  const foundLines = found.filter(({ object }) => objects.has(object)).map(({ line }) => line);
  return [
    wantedLines.filter((line) => !foundLines.includes(line)),
    foundLines.filter((line) => !wantedLines.includes(line)),
  ];
}

/**
 * What the baseline makes on this very server: PostgreSQL's versions word definitions differently, so that a
 * stored description would fit one of them only.
 */
async function baselineSchema(runner: QueryRunner): Promise<SchemaLine[]> {
  try {
    await runner.startTransaction();
    await runner.query(`CREATE SCHEMA ${SCRATCH_SCHEMA}`);
    await runner.query(
      `SELECT set_config('search_path', '${SCRATCH_SCHEMA}, ' || current_setting('search_path'), true)`,
    );
    await createSchema(runner);
    return await describeSchema(runner);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseSetupError(
      `The database is of the last preview, but its schema could not be compared with this version's (${reason}); ` +
        `nothing was changed. This one start needs the right CREATE on the database.`,
      { cause: error },
    );
  } finally {
    // A rollback that fails means the connection is gone, and with it the transaction.
    await runner.rollbackTransaction().catch(() => undefined);
  }
}

async function replaceNames(runner: QueryRunner): Promise<void> {
  const [first, ...others] = PREVIEW_MIGRATIONS;
  const { name } = Baseline1767225600000;
  // The first row is kept: its id stays before those of extensions.
  await runner.query('UPDATE migrations SET name = $1, timestamp = $2 WHERE name = $3', [
    name,
    /\d+$/.exec(name)![0],
    first,
  ]);
  await runner.query('DELETE FROM migrations WHERE name = ANY ($1)', [others]);
}
