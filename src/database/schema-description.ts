/** One property of a table or function: two schemas are the same when they have the same lines. */
export interface SchemaLine {
  /** The table or function it belongs to. */
  object: string;
  line: string;
}

/**
 * Neither what an extension of PostgreSQL brought nor TypeORM's list of migrations belongs to a schema of
 * ours.
 */
const TABLES = `
  tables AS (
    SELECT c.* FROM pg_class c
    WHERE c.relnamespace = current_schema()::regnamespace
      AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND c.relname NOT IN ('migrations', 'migrations_id_seq')
      AND NOT EXISTS (SELECT FROM pg_depend d
                      WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
  )`;

const TABLE_LINES = `
  SELECT relname::text AS object,
         format('table %s: kind %s, %s, options %s, row security %s',
                relname, relkind, relpersistence, reloptions, relrowsecurity) AS line
  FROM tables`;

/** Places are counted without dropped columns: a column that came and went leaves no trace. */
const COLUMN_LINES = `
  SELECT t.relname,
         format('column %s.%s: place %s, %s, collation %s, not null %s, default %s, identity %s, generated %s, storage %s',
                t.relname, a.attname, row_number() OVER (PARTITION BY t.oid ORDER BY a.attnum),
                format_type(a.atttypid, a.atttypmod), a.attcollation::regcollation, a.attnotnull,
                pg_get_expr(d.adbin, d.adrelid), a.attidentity, a.attgenerated, a.attstorage)
  FROM tables t
  JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum`;

/** NOT NULL is a constraint of its own from PostgreSQL 18 on; the columns' lines say it for every version. */
const CONSTRAINT_LINES = `
  SELECT t.relname, format('constraint %s on %s: %s', c.conname, t.relname, pg_get_constraintdef(c.oid, true))
  FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid AND c.contype <> 'n'`;

const INDEX_LINES = `
  SELECT t.relname, format('index: %s, valid %s', pg_get_indexdef(i.indexrelid, 0, true), i.indisvalid)
  FROM tables t JOIN pg_index i ON i.indrelid = t.oid`;

const TRIGGER_LINES = `
  SELECT t.relname, format('trigger: %s, enabled %s', pg_get_triggerdef(g.oid, true), g.tgenabled)
  FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid AND NOT g.tgisinternal`;

const FUNCTION_LINES = `
  SELECT p.proname,
         format('function %s(%s): %s, language %s, %s, strict %s, parallel %s, security definer %s, settings %s, body %s',
                p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid), l.lanname,
                p.provolatile, p.proisstrict, p.proparallel, p.prosecdef, p.proconfig,
                regexp_replace(coalesce(pg_get_function_sqlbody(p.oid), p.prosrc), '\\s+', ' ', 'g'))
  FROM pg_proc p JOIN pg_language l ON l.oid = p.prolang
  WHERE p.pronamespace = current_schema()::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend d
                    WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')`;

const DESCRIPTION = `
  WITH ${TABLES}
  ${[TABLE_LINES, COLUMN_LINES, CONSTRAINT_LINES, INDEX_LINES, TRIGGER_LINES, FUNCTION_LINES].join('\n UNION ALL ')}
  ORDER BY 1, 2`;

/**
 * Tables with their columns, constraints, indexes and triggers, and functions of the current schema, as
 * PostgreSQL's catalogs have them. Names are unqualified where the search path finds them, so that schemas
 * compare.
 */
export async function describeSchema(database: {
  query(text: string): Promise<unknown>;
}): Promise<SchemaLine[]> {
  return (await database.query(DESCRIPTION)) as SchemaLine[];
}
