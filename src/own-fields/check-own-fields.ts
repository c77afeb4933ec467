import { ExtensionError } from '../common/extension-tokens';
import { requestedFields } from '../common/validation/field-metadata';
import type { Database } from '../database/database';
import { RECORD_TABLES } from '../database/row-filter';
import { columnOf, type FieldColumns, keyOf } from './field-statements';
import type { OwnFields } from './own-fields';
import { columnsOf, hasWords, isComparable, isNumber, readAs } from './table-columns';

const TABLE = /^ext_[a-z0-9_]+$/;

interface Constraint {
  readonly name: string;
  /** `p`rimary key, `f`oreign key, `u`nique, `c`heck, e`x`clusion. */
  readonly type: string;
  readonly columns: readonly string[];
  readonly refersTo: string | null;
  readonly cascades: boolean;
  readonly isDeferrable: boolean;
  readonly isDeferred: boolean;
}

/**
 * Unique indexes that are no constraint count as one: they are violated likewise. So are references of other
 * tables to values here, but not those to the key, which does not change.
 */
const CONSTRAINTS = {
  text: `
    SELECT conname AS name, contype AS type, confrelid::regclass::text AS "refersTo", confdeltype = 'c' AS cascades,
      condeferrable AS "isDeferrable", condeferred AS "isDeferred",
      ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint WHERE conrelid = to_regclass($1) AND contype <> 'n'
    UNION ALL
    SELECT relname, 'u', NULL, false, false, false, '{}' FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = to_regclass($1) AND indisunique
      AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = indexrelid AND c.contype <> 'f')
    UNION ALL
    SELECT other.conname, 'f', NULL, false, false, other.condeferred, '{}'
    FROM pg_constraint other JOIN pg_constraint key ON key.conrelid = other.confrelid AND key.contype = 'p'
    WHERE other.confrelid = to_regclass($1) AND other.conrelid <> other.confrelid
      AND other.confkey <> key.conkey AND other.confupdtype IN ('a', 'r')`,
};

/** What results call the record itself. */
const TAKEN = ['id', 'recordId', 'recordName'];

export interface CheckedTable extends FieldColumns {
  /** The name of the foreign key to the record. */
  readonly reference: string;
  /** Fields whose columns take words for values that come back as something else. */
  readonly worded: ReadonlySet<string>;
}

/**
 * What can be known of a declaration without the database.
 * @throws ExtensionError that names the module
 */
export function checkDeclaration(place: string, fields: Partial<OwnFields<object>> | null | undefined): void {
  const wrong = (what: string) => new ExtensionError(`OWN_FIELDS in ${place}: ${what}.`);
  if (!fields || !['formula', 'project', 'ingredient'].includes(fields.of ?? '')) {
    throw wrong("'of' must be formula, project or ingredient");
  }
  if (!TABLE.test(fields.table ?? '')) {
    throw wrong(`the table '${fields.table}' must be lower-case letters, digits and _, and begin with ext_`);
  }
  if (typeof fields.fields !== 'function') throw wrong(`${fields.table} has no class of fields`);
}

/**
 * Says at the start what statements would say later.
 * @throws ExtensionError that names the module and the table
 */
export async function checkTable(
  place: string,
  { of: kind, table, fields: declared, violations = {} }: OwnFields<object>,
  database: Database,
): Promise<CheckedTable> {
  const wrong = (what: string) => new ExtensionError(`OWN_FIELDS in ${place}: ${table} ${what}.`);
  const fields = requestedFields(declared);
  if (fields.length === 0) throw wrong('has no field: each has a decorator, @TextField() for example');
  const taken = fields.find(({ name }) => TAKEN.includes(name));
  if (taken) throw wrong(`has the field ${taken.name}, which results call the record by`);
  const key = keyOf(kind);
  const columns = await columnsOf(table, database);
  if (columns.size === 0) throw wrong('is no table: no migration under EXTRA_MIGRATIONS has made it');
  for (const column of [key, ...fields.map(({ name }) => columnOf(name))]) {
    if (!columns.has(column)) throw wrong(`has no column ${column}`);
  }
  const columnOfField = ({ name }: { name: string }) => columns.get(columnOf(name))!;
  const used = [key, ...fields.map(({ name }) => columnOf(name))];
  const twice = used.find((column, index) => used.indexOf(column) < index);
  if (twice) throw wrong(`has the column ${twice}, which can be the key or of one field`);
  for (const field of fields) {
    const column = columnOfField(field);
    if (column.type === 'json') throw wrong(`has the column ${column.name}: json must be jsonb`);
    if (column.isGenerated) throw wrong(`has the column ${column.name}, which PostgreSQL alone writes`);
    const isOfNumber = ['number', 'integer'].includes(field.kind?.type ?? '');
    if (isOfNumber && !isNumber(column.type) && column.type !== 'jsonb') {
      throw wrong(`has the column ${column.name}: a number does not come back from ${column.type}`);
    }
    if (!(await isComparable(column, database))) {
      throw wrong(`has the column ${column.name}: values of ${column.type} cannot be compared`);
    }
  }
  const constraints = await database.query<Constraint>(CONSTRAINTS, [table]);
  const isKey = ({ columns: [first, ...more] }: Constraint) => first === key && more.length === 0;
  if (!constraints.some((one) => one.type === 'p' && isKey(one) && !one.isDeferrable)) {
    throw wrong(`must have the primary key ${key}, not deferrable`);
  }
  const reference = constraints.find(
    (one) => one.type === 'f' && isKey(one) && one.refersTo === RECORD_TABLES[kind] && one.cascades,
  );
  if (!reference) throw wrong(`must refer with ${key} to ${RECORD_TABLES[kind]} (id) ON DELETE CASCADE`);
  const written = new Map(fields.map((field) => [columnOf(field.name), field]));
  for (const { name, notNull, hasDefault } of columns.values()) {
    const field = written.get(name);
    // A value that is left out is written as null, or as its field's default: the column's does not count.
    const isGiven = name === key || (field ? (field.default ?? null) !== null : hasDefault);
    if (notNull && !isGiven) {
      throw wrong(
        `has the column ${name}, which must be nullable or its field have a default: values come one by one`,
      );
    }
  }
  for (const { name, type, isDeferred } of constraints) {
    if (isDeferred) {
      throw wrong(`has the constraint ${name}, which must not be INITIALLY DEFERRED: writing answers for it`);
    }
    if ('ucxf'.includes(type) && name !== reference.name && violations[name] === undefined) {
      throw wrong(
        `has the constraint ${name}: 'violations' must say what is answered when a value breaks it`,
      );
    }
  }
  const namesOf = (some: typeof fields) => new Set(some.map(({ name }) => name));
  return {
    reference: reference.name,
    json: namesOf(fields.filter((field) => columnOfField(field).type === 'jsonb')),
    worded: namesOf(fields.filter((field) => hasWords(columnOfField(field)))),
    readAs: new Map(
      fields.flatMap((field) => {
        const isText = field.kind?.type === 'text' || field.kind?.type === 'enum';
        const type = readAs(columnOfField(field), isText);
        return type === undefined ? [] : [[field.name, type] as const];
      }),
    ),
  };
}
