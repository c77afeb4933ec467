import type { BackupHead } from './backup';

export type Query = <Row>(text: string, values?: unknown[]) => Promise<Row[]>;

export interface CatalogTable {
  readonly name: string;
  /** The quoted name for statements. */
  readonly quoted: string;
  /** Source of the rows: excludes those of tables that inherit from it, which are read separately. */
  readonly source: string;
  readonly columns: readonly { readonly name: string; readonly quoted: string; readonly type: string }[];
}

/**
 * Tables of the current schema, including those of the service's extensions. Excluded are tables of PostgreSQL
 * extensions, partitions (their rows are read through the partitioned table), generated columns, and the list of
 * migrations.
 */
const TABLES = `
  SELECT c.relname::text AS name, quote_ident(c.relname) AS quoted,
         CASE c.relkind WHEN 'r' THEN 'ONLY ' ELSE '' END || quote_ident(c.relname) AS source,
         coalesce((SELECT json_agg(json_build_object('name', attname, 'quoted', quote_ident(attname),
                                                     'type', format_type(atttypid, atttypmod)) ORDER BY attnum)
                   FROM pg_attribute
                   WHERE attrelid = c.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''), '[]') AS columns
  FROM pg_class c
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND c.relpersistence <> 't' AND c.relname <> 'migrations'
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY c.relname COLLATE "C"`;

/** Tables of other schemas, at most 20. They are not part of a backup. */
export const TABLES_ELSEWHERE = `
  SELECT c.oid::regclass::text AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.oid <> current_schema()::regnamespace AND n.nspname !~ '^pg_' AND n.nspname <> 'information_schema'
    AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  ORDER BY 1 LIMIT 20`;

export const tablesOf = (query: Query): Promise<CatalogTable[]> => query<CatalogTable>(TABLES);

/** Query for a table's rows as JSON, in the column `row`. Every value is its text, which is exact for every type. */
export const rowsOf = ({ columns, source }: CatalogTable): string => `
  SELECT row_to_json(texts)::text AS row
  FROM (SELECT ${columns.map(({ quoted }) => `${quoted}::text AS ${quoted}`).join(', ')} FROM ${source}) AS texts`;

/** Statement that inserts rows of such a query, passed as one JSON array. */
export const insertOf = ({ columns, quoted: table }: CatalogTable): string => {
  const names = columns.map(({ quoted }) => quoted).join(', ');
  const texts = columns.map(({ quoted }) => `${quoted} text`).join(', ');
  const values = columns.map(({ quoted, type }) => `texts.${quoted}::${type}`).join(', ');
  return `
    INSERT INTO ${table} (${names}) OVERRIDING SYSTEM VALUE
    SELECT ${values} FROM json_to_recordset($1::json) AS texts (${texts})`;
};

/**
 * Settings of the transaction: values have the same text on every server, row security raises an error instead of
 * hiding rows, and statements have no timeout.
 */
export const TRANSACTION_SETTINGS = `
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
  SELECT sequencename::text AS name, quote_ident(sequencename) AS quoted FROM pg_sequences
  WHERE schemaname = current_schema() AND sequencename <> 'migrations_id_seq' ORDER BY 1`;

export async function sequencesOf(query: Query): Promise<BackupHead['sequences']> {
  const sequences: BackupHead['sequences'] = [];
  for (const { name, quoted } of await query<{ name: string; quoted: string }>(SEQUENCES)) {
    const [state] = await query<{ value: string; isCalled: boolean }>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${quoted}`,
    );
    sequences.push({ name, ...state! });
  }
  return sequences;
}
