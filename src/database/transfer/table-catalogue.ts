import type { TransferTable, SequenceState } from './transfer-parts';

export interface Queries {
  query<Row>(text: string, values?: unknown[]): Promise<Row[]>;
}

export interface CataloguedTable {
  readonly name: string;
  /** As it stands in statements. */
  readonly quoted: string;
  /** As it is read from: without the rows of tables that inherit from it, which are read by themselves. */
  readonly source: string;
  readonly columns: readonly { readonly name: string; readonly quoted: string; readonly type: string }[];
}

/**
 * Tables of the current schema, those of extensions and whoever else's among them: but what an extension of
 * PostgreSQL brought, partitions (their rows are read through the table that is parted), and the list of
 * migrations.
 */
const TABLES = `
  SELECT c.oid, c.relname::text AS name, quote_ident(c.relname) AS quoted,
         CASE c.relkind WHEN 'r' THEN 'ONLY ' ELSE '' END || quote_ident(c.relname) AS source
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence <> 't' AND c.relname <> 'migrations'
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`;

/** What those leave out because it is in another schema, at most 20 of them. */
export const TABLES_ELSEWHERE = `
  SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.oid <> current_schema()::regnamespace AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1 LIMIT 20`;

/** Generated columns are computed anew. */
const TABLES_WITH_COLUMNS = `
  SELECT t.name, t.quoted, t.source, coalesce((
    SELECT json_agg(json_build_object('name', attname, 'quoted', quote_ident(attname),
                                      'type', format_type(atttypid, atttypmod)) ORDER BY attnum)
    FROM pg_attribute WHERE attrelid = t.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''), '[]') AS columns
  FROM (${TABLES}) AS t ORDER BY t.name COLLATE "C"`;

export const tablesOf = (queries: Queries): Promise<CataloguedTable[]> =>
  queries.query<CataloguedTable>(TABLES_WITH_COLUMNS);

/** A query of a table's rows as texts, in the column `row`. Texts of values depend on `TEXT_SETTINGS`. */
export const rowsOf = (table: CataloguedTable): string =>
  `SELECT ${rowTextOf(table)} AS row FROM ${table.source}`;

const rowTextOf = ({ columns }: CataloguedTable): string =>
  `array_to_json(ARRAY[${columns.map((column) => `${column.quoted}::text`).join(', ')}]::text[])::text`;

/** Of a long row its length and place, in place of its text. */
export type ShortRow =
  { row: string; place: null } | { row: null; bytes: number; part: string; place: string };

/** A query of the same rows; those of more bytes than `long` without their texts. */
export const shortRowsOf = (table: CataloguedTable, long: number): string => `
  SELECT CASE WHEN bytes <= ${long} THEN row END AS row, CASE WHEN bytes > ${long} THEN bytes END AS bytes,
         CASE WHEN bytes > ${long} THEN part::regclass::text END AS part,
         CASE WHEN bytes > ${long} THEN place::text END AS place
    FROM (SELECT row, octet_length(row) AS bytes, part, place
            FROM (SELECT ${rowTextOf(table)} AS row, tableoid AS part, ctid AS place FROM ${table.source} OFFSET 0) AS texts
          OFFSET 0) AS counted`;

/** A query of one long row, to be asked in the same transaction. */
export const longRowOf = (table: CataloguedTable, { part, place }: { part: string; place: string }): string =>
  `${rowsOf({ ...table, source: `ONLY ${part}` })} WHERE ctid = '${place}'::tid`;

export const partOf = ({ name, columns }: CataloguedTable): TransferTable => ({
  kind: 'table',
  name,
  columns: columns.map((column) => column.name),
});

/**
 * For the current transaction: values have the same text on every server, no policy of row security hides
 * rows in silence, and statements may take their time.
 */
export const TRANSFER_SETTINGS = `
  SET LOCAL timezone = 'UTC';
  SET LOCAL datestyle = 'ISO, YMD';
  SET LOCAL intervalstyle = 'postgres';
  SET LOCAL extra_float_digits = 1;
  SET LOCAL bytea_output = 'hex';
  SET LOCAL lc_monetary = 'C';
  SET LOCAL row_security = off;
  SET LOCAL statement_timeout = 0;
  SET LOCAL idle_in_transaction_session_timeout = 0`;

const SEQUENCES = `
  SELECT c.relname::text AS name, quote_ident(c.relname) AS quoted FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'S' AND c.relpersistence <> 't'
    AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                    AND (d.deptype = 'e' OR d.refobjid = to_regclass('migrations')))
  ORDER BY 1`;

export async function sequencesOf(queries: Queries): Promise<SequenceState[]> {
  const states: SequenceState[] = [];
  for (const { name, quoted } of await queries.query<{ name: string; quoted: string }>(SEQUENCES)) {
    const [state] = await queries.query<Omit<SequenceState, 'name'>>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${quoted}`,
    );
    states.push({ name, ...state! });
  }
  return states;
}
