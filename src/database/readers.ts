import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../common/access/current-user';
import type { ReadableRecords, ReadCondition } from '../common/access/readable-records';
import { ExtensionError } from '../common/extension-tokens';
import type { Database } from './database';
import { hasOwnTable, OWN_ROW_NAMES } from './own-row-names';
import { ReadAccess, type Reader } from './read-access';
import { OWN_KINDS } from './readable';

/** A name as SQL has it without quotes, in brackets where an array is meant: `uuid`, `double precision[]`. */
const TYPE = /^[a-z][a-z0-9_ ]*(\[\])?$/i;
const TABLE = /^[a-z_][a-z0-9_]*$/i;
const KIND = /^[a-z][a-z0-9-]*$/i;

/** What each caller may read. Every read of records that a policy may hide begins here. */
@Injectable()
export class Readers {
  private accessOf: (user: CurrentUser) => ReadAccess | Promise<ReadAccess> = () => {
    throw new Error('What may be read is known when the application has started');
  };

  /** Of an application whose policy hides nothing. */
  static ofEverything(): Readers {
    const readers = new Readers();
    readers.hideNothing();
    return readers;
  }

  /** What this caller may read. Throws what the policy throws. */
  async of(reader: Reader): Promise<ReadAccess> {
    return reader instanceof ReadAccess ? reader : this.accessOf(reader);
  }

  /** What `read` gives with what this caller may read. Throws what the policy throws. */
  async reading<T>(reader: Reader, read: (access: ReadAccess) => Promise<T>): Promise<T> {
    return read(await this.of(reader));
  }

  hideNothing(): void {
    this.accessOf = () => ReadAccess.EVERYTHING;
  }

  /**
   * Takes over what a policy says may be read.
   * @param place the module that the policy stands in
   * @param ownKinds kinds of extensions, each with its table
   * @throws ExtensionError for what no statement could be made of
   */
  async restrict(
    place: string,
    records: ReadableRecords,
    ownKinds: Readonly<Record<string, string>>,
    database: Database,
  ): Promise<void> {
    const tables = new Map(Object.entries({ ...ownKinds, ...OWN_KINDS }));
    const { types, conditions } = checked(place, records, tables);
    for (const [kind, condition] of conditions) await tryOut(place, kind, condition, types, tables, database);
    const accessBy = ReadAccess.by(conditions, new Set(tables.keys()), types);
    this.accessOf = async (user) => {
      if (typeof (user as Partial<CurrentUser> | undefined)?.id !== 'string') {
        throw new TypeError('Whoever reads is a user, or a ReadAccess');
      }
      const values = await records.values(user);
      if (values === 'everything') return ReadAccess.EVERYTHING;
      if (values === 'nothing') return ReadAccess.NOTHING;
      if (!Array.isArray(values) || values.length !== types.length) {
        const given = Array.isArray(values) ? `${values.length} values` : typeof values;
        throw fault(place, `values() of readable() gave ${given}, and types names ${types.length}`);
      }
      return accessBy(values);
    };
  }
}

const fault = (place: string, what: string, options?: ErrorOptions) =>
  new ExtensionError(`CUSTOM_ACCESS_POLICY in ${place}: ${what}.`, options);

/**
 * The kinds that extensions name, each with its table.
 * @throws ExtensionError where one is no name, or has two tables
 */
export function kindsOf(named: readonly { place: string; value: unknown }[]): Record<string, string> {
  const kinds: Record<string, string> = {};
  for (const { place, value } of named) {
    const wrong = (what: string) => new ExtensionError(`RECORD_KINDS in ${place}: ${what}.`);
    if (typeof value !== 'object' || value === null)
      throw wrong('it must be an object of kinds and their tables');
    for (const [kind, table] of Object.entries(value)) {
      if (!KIND.test(kind)) throw wrong(`'${kind}' is no name of a kind`);
      if (typeof table !== 'string' || !TABLE.test(table)) throw wrong(`${kind} has no name of a table`);
      if (kind in OWN_KINDS || (kinds[kind] ?? table) !== table) throw wrong(`${kind} is named already`);
      kinds[kind] = table;
    }
  }
  return kinds;
}

function checked(place: string, records: ReadableRecords, tables: ReadonlyMap<string, string>) {
  const given = records as Partial<Record<keyof ReadableRecords, unknown>> | null | undefined;
  if (typeof given !== 'object' || given === null || given instanceof Promise) {
    throw fault(place, 'readable() must give an object');
  }
  if (typeof given.values !== 'function') throw fault(place, 'values of readable() must be a function');
  const types: unknown[] | undefined = Array.isArray(given.types) ? given.types : undefined;
  if (!types?.every((type): type is string => typeof type === 'string' && TYPE.test(type))) {
    throw fault(place, 'types of readable() must be a list of names of PostgreSQL types');
  }
  if (typeof given.conditions !== 'object' || given.conditions === null) {
    throw fault(place, 'conditions of readable() must be an object');
  }
  const conditions = new Map<string, ReadCondition>();
  for (const [kind, condition] of Object.entries(given.conditions)) {
    if (!tables.has(kind)) {
      const known = [...tables.keys()].join(', ');
      throw fault(
        place,
        `there is no kind of record '${kind}' (there are ${known}; RECORD_KINDS names others)`,
      );
    }
    if (typeof condition !== 'function') throw fault(place, `the condition of ${kind} must be a function`);
    conditions.set(kind, condition as ReadCondition);
  }
  return { types, conditions };
}

const rowNames = (kind: string): readonly string[] =>
  kind in OWN_ROW_NAMES ? OWN_ROW_NAMES[kind as keyof typeof OWN_ROW_NAMES] : [];

/** The database says at start what every statement with this condition would say. */
async function tryOut(
  place: string,
  kind: string,
  condition: ReadCondition,
  types: readonly string[],
  tables: ReadonlyMap<string, string>,
  database: Database,
): Promise<void> {
  const text: unknown = condition(
    'checked',
    types.map((_, value) => `{value ${value}}`),
  );
  if (typeof text !== 'string' || text.trim() === '') {
    throw fault(place, `the condition of ${kind} must give a text`);
  }
  if (/\$\d/.test(text)) {
    throw fault(place, `the condition of ${kind} must name its parameters as they are given to it, not '$1'`);
  }
  const taken = rowNames(kind).find((row) => hasOwnTable(text, row));
  if (taken !== undefined) {
    throw fault(
      place,
      `the condition of ${kind} has a table that it calls ${taken}, as some statements call the row: give it a longer name`,
    );
  }
  const only = ReadAccess.by(new Map([[kind, condition]]), new Set([kind]), types);
  // No row can come of it, so every reader's values are the same.
  const statement = {
    // Other statements have other tables beside it: what does not name the row would be ambiguous there.
    text: `SELECT FROM ${tables.get(kind)} checked, ${tables.get(kind)} beside WHERE {may read ${kind} checked} LIMIT 0`,
  };
  try {
    await database.query(...only(types.map(() => null)).reading(statement));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fault(place, `the condition of ${kind} cannot be asked (${reason})`, { cause: error });
  }
}
