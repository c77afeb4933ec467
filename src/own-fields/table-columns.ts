import type { Database } from '../database/database';

/** A column as PostgreSQL's catalogue has it. Of a domain counts what it is a domain over. */
export interface Column {
  readonly name: string;
  readonly type: string;
  /** What a list is of; null where the column is none. */
  readonly element: string | null;
  /** By the column or by its domain, as is the default. */
  readonly notNull: boolean;
  readonly hasDefault: boolean;
  /** Nobody may write it: it is computed, or always numbered by PostgreSQL. */
  readonly isGenerated: boolean;
}

const COLUMNS = {
  text: `
    WITH RECURSIVE columns AS (
      SELECT attname, attnum, atttypid AS type, false AS of_list, attnotnull AS not_null,
        atthasdef OR attidentity <> '' AS has_default, attgenerated <> '' OR attidentity = 'a' AS generated
      FROM pg_attribute WHERE attrelid = to_regclass($1) AND attnum > 0 AND NOT attisdropped
      UNION ALL
      SELECT attname, attnum, CASE typtype WHEN 'd' THEN typbasetype ELSE typelem END, of_list OR typtype <> 'd',
        not_null OR typnotnull, has_default OR (typtype = 'd' AND typdefault IS NOT NULL), generated
      FROM columns JOIN pg_type ON oid = type
      WHERE typtype = 'd' OR typcategory = 'A' AND NOT of_list),
    known AS (SELECT * FROM columns JOIN pg_type ON oid = type WHERE typtype <> 'd')
    SELECT whole.attname AS name, whole.type::regtype::text AS type, element.type::regtype::text AS element,
      whole.not_null AS "notNull", whole.has_default AS "hasDefault", whole.generated AS "isGenerated"
    FROM known whole LEFT JOIN known element ON element.attnum = whole.attnum AND element.of_list
    WHERE NOT whole.of_list ORDER BY whole.attnum`,
};

/** By name; none where there is no such table. */
export async function columnsOf(table: string, database: Database): Promise<Map<string, Column>> {
  const columns = await database.query<Column>(COLUMNS, [table]);
  return new Map(columns.map((column) => [column.name, column]));
}

/**
 * `pg` makes something else of them: of a day a point in time by this machine's clock, of an interval or of
 * bytes an object. What PostgreSQL fills up with blanks is as long as its text.
 */
const READ_AS_TEXT = new Set(['bytea', 'character', 'date', 'interval', 'timestamp without time zone']);

/** Of these `pg` reads lists; of others, such as enumerations and ranges, a list is one text to it. */
const LISTS =
  /^(boolean|smallint|integer|numeric|real|double precision|timestamp with time zone|jsonb|text|character varying|uuid|inet|cidr|macaddr|money|time with(out)? time zone)$/;

/**
 * As what a value is read so that it is what was written; undefined: as it is.
 * @param isText its field takes texts
 */
export function readAs({ type, element }: Column, isText: boolean): string | undefined {
  if (element === null) {
    const isTextRead = isText && (isNumber(type) || type === 'boolean');
    return isTextRead || READ_AS_TEXT.has(type) ? 'text' : undefined;
  }
  // `pg` would make texts of them.
  if (element === 'bigint') return 'numeric[]';
  return LISTS.test(element) ? `${element}[]` : 'text[]';
}

export const isNumber = (type: string): boolean =>
  /^(smallint|integer|bigint|numeric|real|double precision)$/.test(type);

/** Whether words are values of it that come back as something else or not at all: `now`, `infinity`. */
export const hasWords = ({ type, element }: Column): boolean =>
  isNumber(element ?? type) || /^(date|time|interval)|range$/.test(element ?? type);

/**
 * Whether its values can be compared. Asked of a list: by the operator `=` itself circles are equal whose
 * areas are.
 */
export async function isComparable({ type, element }: Column, database: Database): Promise<boolean> {
  const list = `'{}'::${element ?? type}[]`;
  return database.query({ text: `SELECT ${list} = ${list}` }).then(
    () => true,
    (error: unknown) => {
      if ((error as { code?: unknown }).code === UNDEFINED_FUNCTION) return false;
      throw error;
    },
  );
}

const UNDEFINED_FUNCTION = '42883';
