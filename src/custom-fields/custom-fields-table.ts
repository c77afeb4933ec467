import { ExtensionError } from '../common/extension-tokens';
import { type FieldMetadata, requestedFields } from '../common/validation/field-metadata';
import type { Database, Statement } from '../database/database';
import { mayRead, OWN_KINDS } from '../database/readable';
import type { CustomFields } from './custom-fields';

/** The column that a record is called by. */
const NAME_COLUMNS = { formula: 'name', project: 'name', ingredient: 'inci_name' } as const;

/** What results call the record itself. */
const RESERVED_FIELDS = ['id', 'recordId', 'recordName'];

export const columnName = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** A column name may be a keyword of SQL. */
const quoted = (field: string): string => `"${columnName(field)}"`;

/** Reads a column as the type that its field has in JSON, whatever type the column has. */
function selected({ name, kind }: FieldMetadata): string {
  const column = `written.${quoted(name)}`;
  if (kind?.type === 'text' || kind?.type === 'enum') return `${column}::text`;
  if (kind?.type === 'number' || kind?.type === 'integer') return `${column}::float8`;
  return `to_jsonb(${column})`;
}

/**
 * The statements of one table of custom fields. Values are sent as one JSON object by column, and
 * `jsonb_populate_record` makes them values of the columns' types.
 */
export class CustomFieldsTable {
  readonly fields: readonly FieldMetadata[];
  /** Parameter: the ids. */
  readonly read: Statement;
  /** Who created the record. Parameter: the id. */
  readonly owner: Statement;
  /** Parameters: the id, all values, and the columns that change. */
  readonly write: Statement;

  private readonly key: string;
  private readonly records: string;
  private readonly selectList: string;

  constructor(private readonly declared: CustomFields<object>) {
    const { of: kind, table } = declared;
    this.fields = requestedFields(declared.fields);
    this.key = `${kind}_id`;
    this.records = `${OWN_KINDS[kind]} record`;
    this.selectList = this.fields.map((field) => `${selected(field)} AS "${field.name}"`).join(', ');
    const columns = this.fields.map(({ name }) => quoted(name));
    const changes = this.fields.map(({ name }) => {
      const column = quoted(name);
      const isChanged = `'${columnName(name)}' = ANY ($3::text[])`;
      return `${column} = CASE WHEN ${isChanged} THEN excluded.${column} ELSE written.${column} END`;
    });
    this.read = {
      text: `
        SELECT record.id AS "recordId", ${this.selectList}
        FROM ${this.records} LEFT JOIN ${table} written ON written.${this.key} = record.id
        WHERE record.id = ANY ($1::uuid[]) AND ${mayRead(kind, 'record')}`,
    };
    this.owner = {
      text: `
        SELECT ${kind === 'ingredient' ? 'NULL' : 'record.created_by'} AS "createdBy" FROM ${this.records}
        WHERE record.id = $1 AND ${mayRead(kind, 'record')}`,
    };
    this.write = {
      text: `
        INSERT INTO ${table} AS written (${[this.key, ...columns].join(', ')})
        SELECT $1::uuid, ${columns.map((column) => `given.${column}`).join(', ')}
        FROM jsonb_populate_record(NULL::${table}, $2::jsonb) given
        ON CONFLICT (${this.key}) DO UPDATE SET ${changes.join(', ')}
        RETURNING ${this.selectList}`,
    };
  }

  /**
   * The records that have these values. Parameters: the values, the limit and the offset.
   * @param set fields that have the given value
   * @param empty fields that have none
   */
  find(set: readonly string[], empty: readonly string[]): { page: Statement; count: Statement } {
    const { of: kind, table } = this.declared;
    // A record without a row has no value at all.
    const join = set.length === 0 && empty.length > 0 ? 'LEFT JOIN' : 'JOIN';
    const conditions = [
      ...set.map((name) => `written.${quoted(name)} = given.${quoted(name)}`),
      ...empty.map((name) => `written.${quoted(name)} IS NULL`),
      mayRead(kind, 'record'),
    ];
    const found = `
      FROM ${this.records} ${join} ${table} written ON written.${this.key} = record.id
      CROSS JOIN jsonb_populate_record(NULL::${table}, $1::jsonb) given
      WHERE ${conditions.join(' AND ')}`;
    return {
      page: {
        text: `SELECT record.id, record.${NAME_COLUMNS[kind]} AS "recordName", ${this.selectList} ${found}
               ORDER BY record.id LIMIT $2 OFFSET $3`,
      },
      count: { text: `SELECT count(*) AS total ${found}` },
    };
  }

  /**
   * Has PostgreSQL plan the statements, so that what does not fit is known at start.
   * @returns the name of the foreign key to the record
   * @throws ExtensionError that names the module and the table
   */
  async check(place: string, database: Database): Promise<string> {
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
    const [reference] = await database.query<{ name: string }>(REFERENCE, [table, OWN_KINDS[kind], this.key]);
    if (!reference) throw misfit(`must reference ${OWN_KINDS[kind]} (id) by ${this.key} ON DELETE CASCADE`);
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
