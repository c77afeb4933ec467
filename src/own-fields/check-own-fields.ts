import { ExtensionError } from '../common/extension-tokens';
import { requestedFields } from '../common/validation/field-metadata';
import type { Database } from '../database/database';
import { OWN_KINDS } from '../database/readable';
import { columnOf, type FieldColumns, keyOf } from './field-statements';
import type { OwnFields } from './own-fields';
import { columnsOf, hasWords, isComparable, readAs } from './table-columns';

const TABLE = /^ext_[a-z0-9_]+$/;

interface Constraint {
  readonly name: string;
  /** `p`rimary key, `f`oreign key, `u`nique, `c`heck, e`x`clusion. */
  readonly type: string;
  readonly columns: readonly string[];
  readonly refersTo: string | null;
  readonly cascades: boolean;
}

/** Unique indexes that are no constraint count as one: they are violated likewise. */
const CONSTRAINTS = {
  text: `
    SELECT conname AS name, contype AS type, confrelid::regclass::text AS "refersTo", confdeltype = 'c' AS cascades,
      ARRAY(SELECT attname::text FROM pg_attribute WHERE attrelid = conrelid AND attnum = ANY (conkey)) AS columns
    FROM pg_constraint WHERE conrelid = to_regclass($1) AND contype <> 'n'
    UNION ALL
    SELECT relname, 'u', NULL, false, '{}' FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indrelid = to_regclass($1) AND indisunique
      AND NOT EXISTS (SELECT FROM pg_constraint c WHERE c.conindid = indexrelid)`,
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
  if (columns.size === 0) throw wrong('is no table: is its migration under EXTRA_MIGRATIONS?');
  for (const column of [key, ...fields.map(({ name }) => columnOf(name))]) {
    if (!columns.has(column)) throw wrong(`has no column ${column}`);
  }
  const columnOfField = ({ name }: { name: string }) => columns.get(columnOf(name))!;
  for (const column of fields.map(columnOfField)) {
    if (column.type === 'json') throw wrong(`has the column ${column.name}: json must be jsonb`);
    if (!(await isComparable(column, database))) {
      throw wrong(`has the column ${column.name}: values of ${column.type} cannot be compared`);
    }
  }
  const constraints = await database.query<Constraint>(CONSTRAINTS, [table]);
  const isKey = ({ columns: [first, ...more] }: Constraint) => first === key && more.length === 0;
  if (!constraints.some((one) => one.type === 'p' && isKey(one))) {
    throw wrong(`must have the primary key ${key}`);
  }
  const reference = constraints.find(
    (one) => one.type === 'f' && isKey(one) && one.refersTo === OWN_KINDS[kind] && one.cascades,
  );
  if (!reference) throw wrong(`must refer with ${key} to ${OWN_KINDS[kind]} (id) ON DELETE CASCADE`);
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
  for (const { name, type } of constraints) {
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
        const type = readAs(columnOfField(field));
        return type === undefined ? [] : [[field.name, type] as const];
      }),
    ),
  };
}
