import { RECORD_TABLES, type RowFilter } from '../access/row-filter';
import { ExtensionError } from '../common/extension-tokens';
import { offsetOf, type PageQuery } from '../common/pagination';
import { type FieldMetadata, requestedFields } from '../validation/field-metadata';
import type { DatabaseService, Statement } from '../database/database.service';
import type { CustomFields } from './custom-fields';

/** A statement with the values of its parameters. */
type BoundStatement = readonly [statement: Statement, values: readonly unknown[]];

/** The column with the name of a record. */
const NAME_COLUMNS = { formula: 'name', project: 'name', ingredient: 'inci_name' } as const;

/** Names that results use for the record itself. */
const RESERVED_FIELDS = ['id', 'recordId', 'recordName'];

export const columnName = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A column name may be a keyword of SQL. */
const quoted = (field: string): string => `"${columnName(field)}"`;

/** Selects a column with the JSON type of its field, whatever type the column has. */
function selected({ name, kind }: FieldMetadata): string {
  const column = `written.${quoted(name)}`;
  if (kind?.type === 'text' || kind?.type === 'enum') return `${column}::text`;
  if (kind?.type === 'number' || kind?.type === 'integer') return `${column}::float8`;
  return `to_jsonb(${column})`;
}

/**
 * The statements of one table of custom fields. Values are sent as one JSON object by column, and
 * `jsonb_populate_record` converts them to the columns' types.
 */
export class CustomFieldsTable {
  readonly fields: readonly FieldMetadata[];
  /** Parameters: the id, all values, and the columns that change. */
  readonly write: Statement;

  private readonly key: string;
  private readonly records: string;
  private readonly selectList: string;

  constructor(private readonly declared: CustomFields<object>) {
    const { of: kind, table } = declared;
    this.fields = requestedFields(declared.fields);
    this.key = `${kind}_id`;
    this.records = `${RECORD_TABLES[kind]} record`;
    this.selectList = this.fields.map((field) => `${selected(field)} AS "${field.name}"`).join(', ');
    const columns = this.fields.map(({ name }) => quoted(name));
    const changes = this.fields.map(({ name }) => {
      const column = quoted(name);
      const isChanged = `'${columnName(name)}' = ANY ($3::text[])`;
      return `${column} = CASE WHEN ${isChanged} THEN excluded.${column} ELSE written.${column} END`;
    });
    this.write = {
      text: `
        INSERT INTO ${table} AS written (${[this.key, ...columns].join(', ')})
        SELECT $1::uuid, ${columns.map((column) => `given.${column}`).join(', ')}
        FROM jsonb_populate_record(NULL::${table}, $2::jsonb) given
        ON CONFLICT (${this.key}) DO UPDATE SET ${changes.join(', ')}
        RETURNING ${this.selectList}`,
    };
  }

  read(filter: RowFilter, ids: readonly string[]): BoundStatement {
    const { of: kind, table } = this.declared;
    const readable = filter.for(kind, 'record', 2);
    const text = `
      SELECT record.id AS "recordId", ${this.selectList}
      FROM ${this.records} LEFT JOIN ${table} written ON written.${this.key} = record.id
      WHERE record.id = ANY ($1::uuid[]) AND ${readable.sql}`;
    return [{ text }, [ids, ...readable.values]];
  }

  /** Returns the creator of the record. */
  owner(filter: RowFilter, id: string): BoundStatement {
    const { of: kind } = this.declared;
    const readable = filter.for(kind, 'record', 2);
    const text = `
      SELECT ${kind === 'ingredient' ? 'NULL' : 'record.created_by'} AS "createdBy" FROM ${this.records}
      WHERE record.id = $1 AND ${readable.sql}`;
    return [{ text }, [id, ...readable.values]];
  }

  /**
   * Finds the records with these values.
   * @param values by field; null finds records without a value
   */
  find(
    filter: RowFilter,
    values: Readonly<Record<string, unknown>>,
    query: PageQuery,
  ): { page: BoundStatement; count: BoundStatement } {
    const { of: kind, table } = this.declared;
    const readable = filter.for(kind, 'record', 2);
    const set = Object.entries(values).filter(([, value]) => value !== null);
    const isSet = set.map(([name]) => `written.${quoted(name)} = given.${quoted(name)}`);
    const empty = Object.keys(values).filter((name) => values[name] === null);
    const isEmpty = empty.map((name) => `written.${quoted(name)} IS NULL`);
    // A record without a row has no values.
    const join = set.length === 0 && empty.length > 0 ? 'LEFT JOIN' : 'JOIN';
    const found = `
      FROM ${this.records} ${join} ${table} written ON written.${this.key} = record.id
      CROSS JOIN jsonb_populate_record(NULL::${table}, $1::jsonb) given
      WHERE ${[...isSet, ...isEmpty, readable.sql].join(' AND ')}`;
    const limit = readable.values.length + 2;
    const page = `
      SELECT record.id, record.${NAME_COLUMNS[kind]} AS "recordName", ${this.selectList} ${found}
      ORDER BY record.id LIMIT $${limit} OFFSET $${limit + 1}`;
    const json = JSON.stringify(Object.fromEntries(set.map(([name, value]) => [columnName(name), value])));
    const parameters = [json, ...readable.values];
    return {
      page: [{ text: page }, [...parameters, query.limit, offsetOf(query)]],
      count: [{ text: `SELECT count(*) AS total ${found}` }, parameters],
    };
  }

  /**
   * Makes PostgreSQL plan the statements, so that a table that does not fit is reported at start.
   * @returns the name of the foreign key to the record
   * @throws ExtensionError naming the module and the table
   */
  async check(place: string, database: DatabaseService): Promise<string> {
    const { of: kind, table } = this.declared;
    const misfit = (what: string) => new ExtensionError(`CUSTOM_FIELDS in ${place}: ${table} ${what}.`);
    if (this.fields.length === 0)
      throw misfit('has no field: each has a decorator, @TextField() for example');
    const reserved = this.fields.find(({ name }) => RESERVED_FIELDS.includes(name));
    if (reserved) throw misfit(`has the field ${reserved.name}, which results call the record by`);
    const names = this.fields.map(({ name }) => name);
    const equal = names.map((name) => `${quoted(name)} = ${quoted(name)}`).join(' AND ');
    try {
      await database.query({
        text: `SELECT ${this.selectList} FROM ${table} written WHERE ${equal} LIMIT 0`,
      });
      await database.query({ text: `EXPLAIN ${this.write.text}` }, [null, '{}', []]);
    } catch (error) {
      throw misfit(`does not fit: ${(error as Error).message}`);
    }
    const [reference] = await database.query<{ name: string }>(REFERENCE, [
      table,
      RECORD_TABLES[kind],
      this.key,
    ]);
    if (!reference)
      throw misfit(`must reference ${RECORD_TABLES[kind]} (id) by ${this.key} ON DELETE CASCADE`);
    return reference.name;
  }
}

const REFERENCE: Statement = {
  text: `
    SELECT conname AS name FROM pg_constraint
    JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
    WHERE conrelid = to_regclass($1) AND confrelid = to_regclass($2)
      AND contype = 'f' AND confdeltype = 'c' AND attname = $3`,
};
