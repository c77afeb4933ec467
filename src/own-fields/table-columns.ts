import type { Database } from '../database/database';

/** A column as PostgreSQL's catalogue has it. Of a domain counts what it is a domain over. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** What a list is of; null where the column is none. */
  readonly element: string | null;
  /** The elements have a type that `pg` cannot read: an enumeration or a domain. */
  readonly isElementOwn: boolean;
  readonly notNull: boolean;
  readonly hasDefault: boolean;
}

const COLUMNS = {
  text: `
    WITH RECURSIVE columns AS (
      SELECT attname, attnotnull, atthasdef, attnum, atttypid AS type, false AS of_list, false AS own
      FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
      UNION ALL
      SELECT attname, attnotnull, atthasdef, attnum,
        CASE typtype WHEN 'd' THEN typbasetype ELSE typelem END, of_list OR typtype <> 'd', of_list AND typtype = 'd'
      FROM columns JOIN pg_type ON oid = type
      WHERE typtype = 'd' OR typcategory = 'A' AND NOT of_list),
    known AS (SELECT * FROM columns JOIN pg_type ON oid = type WHERE typtype <> 'd')
    SELECT whole.attname AS name, whole.type::regtype::text AS type, element.type::regtype::text AS element,
      coalesce(element.own OR element.typtype = 'e', false) AS "isElementOwn",
      whole.attnotnull AS "notNull", whole.atthasdef AS "hasDefault"
    FROM known whole LEFT JOIN known element ON element.attnum = whole.attnum AND element.of_list
    WHERE NOT whole.of_list ORDER BY whole.attnum`,
};

/** By name; none where there is no such table. */
export async function columnsOf(table: string, database: Database): Promise<Map<string, Column>> {
  const columns = await database.query<Column>(COLUMNS, [table]);
  return new Map(columns.map((column) => [column.name, column]));
}

/** `pg` makes something else of them: of a day a point in time by this machine's clock, or an object. */
const READ_AS_TEXT = new Set(['date', 'interval', 'timestamp without time zone']);

/** As what a value is read so that it is what was written; undefined: as it is. */
export function readAs({ type, element, isElementOwn }: Column): string | undefined {
  if (element === null) return READ_AS_TEXT.has(type) ? 'text' : undefined;
  if (READ_AS_TEXT.has(element)) return 'text[]';
  return isElementOwn ? `${isNumber(element) || element === 'boolean' ? element : 'text'}[]` : undefined;
}

const isNumber = (type: string): boolean =>
  /^(smallint|integer|bigint|numeric|real|double precision)$/.test(type);

/** Whether words are values of it that come back as something else or not at all: `now`, `infinity`. */
export const hasWords = ({ type, element }: Column): boolean =>
  isNumber(element ?? type) || /^(date|time|interval)/.test(element ?? type);

/** Whether its values can be compared. */
export async function isComparable({ type, element }: Column, database: Database): Promise<boolean> {
  // A list's operator looks for that of its elements when it is called, and with null it is not.
  const value = element === null ? 'NULL' : "'{}'";
  return database.query({ text: `SELECT ${value}::${type} = ${value}::${type}` }).then(
    () => true,
    (error: unknown) => {
      if ((error as { code?: unknown }).code === UNDEFINED_FUNCTION) return false;
      throw error;
    },
  );
}

const UNDEFINED_FUNCTION = '42883';
