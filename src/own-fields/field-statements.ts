import { createHash } from 'node:crypto';
import { offsetOf, type PageQuery } from '../common/pagination';
import { type FieldMetadata, requestedFields } from '../common/validation/field-metadata';
import type { Statement } from '../database/database';
import { RECORD_TABLES, type RowFilter } from '../database/row-filter';
import type { FieldedKind, OwnFields } from './own-fields';

export const columnOf = (field: string): string =>
  field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

export const keyOf = (kind: FieldedKind): string => `${kind}_id`;

/** A column in a statement: what it is called may be a word of SQL. */
const quoted = (field: string): string => `"${columnOf(field)}"`;

/** A statement with the values of its parameters. */
type BoundStatement = readonly [statement: Statement, values: readonly unknown[]];

/** What is to be known of the columns before there can be a statement. */
export interface FieldColumns {
  /** Fields whose values are sent as JSON text. */
  readonly json: ReadonlySet<string>;
  /** By field, the type as which it is read. */
  readonly readAs: ReadonlyMap<string, string>;
}

/**
 * Named by the text, as far as a name can be long: there may be two applications in a process, with two
 * declarations of one table.
 */
function prepared(table: string, text: string): Statement {
  const digest = createHash('sha256').update(text).digest('hex').slice(0, 16);
  return { name: `own-fields.${table.slice(0, 24)}.${digest}`, text };
}

/** The column that a record is called by. */
const NAMES = { formula: 'name', project: 'name', ingredient: 'inci_name' } as const;

/** The statements of one declaration; all but `matching` are prepared. */
export class FieldStatements {
  readonly fields: readonly FieldMetadata[];
  /** Writes the values that are flagged. Parameters: the id, the values, their flags. */
  readonly write: Statement;

  private readonly records: string;
  private readonly shown: string;

  constructor(
    private readonly declared: OwnFields<object>,
    columnsOf: FieldColumns,
  ) {
    const { of: kind, table } = declared;
    this.fields = requestedFields(declared.fields);
    const columns = this.fields.map(({ name }) => quoted(name));
    const key = keyOf(kind);
    const values = columns.map((_, index) => `$${index + 2}`);
    const changes = columns.map((column, index) => {
      const flag = `$${columns.length + index + 2}::boolean`;
      return `${column} = CASE WHEN ${flag} THEN excluded.${column} ELSE written.${column} END`;
    });
    this.records = `${RECORD_TABLES[kind]} record`;
    this.shown = this.fields
      .map(({ name }) => {
        const type = columnsOf.readAs.get(name);
        return `written.${quoted(name)}${type === undefined ? '' : `::${type}`} AS "${name}"`;
      })
      .join(', ');
    this.write = prepared(
      table,
      `INSERT INTO ${table} AS written (${[key, ...columns].join(', ')})
             VALUES (${['$1', ...values].join(', ')})
             ON CONFLICT (${key}) DO UPDATE SET ${changes.join(', ')}
             RETURNING ${this.shown}`,
    );
  }

  /**
   * Values of the records that may be read, null where nothing is written.
   * @param ids at most as many as a page has
   */
  read(filter: RowFilter, ids: readonly string[]): BoundStatement {
    const { of: kind, table } = this.declared;
    const readable = filter.for(kind, 'record', 2);
    const text = `SELECT record.id AS "recordId", ${this.shown}
                  FROM ${this.records} LEFT JOIN ${table} written ON written.${keyOf(kind)} = record.id
                  WHERE record.id = ANY($1::uuid[]) AND ${readable.sql}`;
    return [prepared(table, text), [ids, ...readable.values]];
  }

  /** Who made the record, which decides about a change. */
  owner(filter: RowFilter, id: string): BoundStatement {
    const { of: kind, table } = this.declared;
    const readable = filter.for(kind, 'record', 2);
    const text = `SELECT ${kind === 'ingredient' ? 'NULL' : 'record.created_by'} AS "createdBy" FROM ${this.records}
                  WHERE record.id = $1 AND ${readable.sql}`;
    return [prepared(table, text), [id, ...readable.values]];
  }

  /**
   * The records with values of these fields, and how many there are. Not prepared: what is asked for differs.
   * @param fields with a value each
   * @param empty fields that have none
   */
  matching(
    filter: RowFilter,
    fields: readonly { name: string; value: unknown }[],
    empty: readonly string[],
    query: PageQuery,
  ): { page: BoundStatement; count: BoundStatement } {
    const { of: kind, table } = this.declared;
    const readable = filter.for(kind, 'record', fields.length + 1);
    const values = [...fields.map(({ value }) => value), ...readable.values];
    const conditions = [
      ...fields.map(({ name }, index) => `written.${quoted(name)} = $${index + 1}`),
      ...empty.map((name) => `written.${quoted(name)} IS NULL`),
      readable.sql,
    ];
    // Of a record that was never written nothing has a value.
    const written = fields.length === 0 && empty.length > 0 ? 'RIGHT JOIN' : 'JOIN';
    const found = `FROM ${table} written ${written} ${this.records} ON record.id = written.${keyOf(kind)}
                   WHERE ${conditions.join(' AND ')}`;
    const page = `SELECT record.id, record.${NAMES[kind]} AS "recordName", ${this.shown} ${found}
                  ORDER BY record.id LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
    return {
      page: [{ text: page }, [...values, query.limit, offsetOf(query)]],
      count: [{ text: `SELECT count(*) AS total ${found}` }, values],
    };
  }
}
