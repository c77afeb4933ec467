import { Injectable } from '@nestjs/common';
import type { CurrentUser } from '../common/current-user';
import { ExtensionError } from '../common/extension-tokens';
import type { DatabaseService, Statement } from '../database/database.service';
import { withOrigin } from '../common/errors/logged-error';
import type { ReadableRecords, ReadCondition } from './access-policy';

/** The service's own kinds of records with their tables. */
export const RECORD_TABLES = {
  formula: 'formulas',
  project: 'projects',
  color: 'color_formulas',
  ingredient: 'ingredients',
} as const;

/** A condition on one row: SQL in brackets, and the values of its parameters. */
export interface RowCondition {
  readonly sql: string;
  readonly values: readonly unknown[];
}

/**
 * Creates a condition on one row of a list.
 * @param row alias of the row in the statement
 * @param firstParameter number of the condition's first parameter, after those of the statement itself
 */
export type ListCondition = (row: string, firstParameter: number) => RowCondition;

/** Returns the condition on a row of this kind, in brackets. */
export type Readable = (kind: string, row: string) => string;

/** A statement with the values of its parameters. */
export type BoundStatement = readonly [statement: Statement, values: readonly unknown[]];

/** Read rules of a policy, which are the same for every user. */
export interface ReadRules {
  /** PostgreSQL types of a user's values. */
  readonly types: readonly string[];
  /** Conditions by kind. Every user reads the kinds without a condition. */
  readonly conditions: ReadonlyMap<string, ReadCondition>;
  readonly kinds: ReadonlySet<string>;
}

/**
 * A condition for the rows that a user may read. A repository adds it to every statement that returns records:
 *
 * ```ts
 * const sql = (readable: Readable) => `SELECT … FROM formulas f WHERE f.id = $1 AND ${readable('formula', 'f')}`;
 * await this.database.query(...filter.statement('formulas.owner', [id], sql));
 * ```
 */
export class RowFilter {
  private constructor(
    private readonly suffix: string,
    private readonly rules: ReadRules | undefined,
    private readonly values: readonly unknown[] = [],
  ) {}

  /** Passes every row: for the service's own work, and for users who may read everything. */
  static readonly EVERYTHING = new RowFilter('', undefined);

  /** Passes no row. */
  static readonly NOTHING = new RowFilter(':nothing', undefined);

  /** Passes the rows for which the policy's conditions hold with this user's values. */
  static by(rules: ReadRules, values: readonly unknown[]): RowFilter {
    return new RowFilter(':readable', rules, values);
  }

  /** Returns true if the filter may hide records of this kind. Do not show stored totals (`record_counts`) then. */
  restricts(kind: string): boolean {
    return this === RowFilter.NOTHING || this.rules?.conditions.has(kind) === true;
  }

  /**
   * Returns the condition on one row of a statement.
   * @param kind `formula`, `project`, `color`, `ingredient`, or a kind of an extension
   * @param row alias of the row in the statement
   * @param firstParameter number of the condition's first parameter, after those of the statement itself
   */
  for(kind: string, row: string, firstParameter: number): RowCondition {
    if (!this.rules) return { sql: this === RowFilter.EVERYTHING ? '(true)' : '(false)', values: [] };
    const { types, conditions, kinds } = this.rules;
    if (!kinds.has(kind)) throw new Error(`There is no kind of record '${kind}': name it under RECORD_KINDS`);
    const condition = conditions.get(kind);
    if (!condition) return { sql: '(true)', values: [] };
    const text = condition(row, placeholders(types));
    if (mentions(condition(PLACEHOLDER_ROW, placeholders(types)), row)) {
      throw new Error(
        `The condition of ${kind} has a table that it calls ${row}, as the statement calls the row`,
      );
    }
    // PostgreSQL refuses parameters that a statement does not use, so only used ones are numbered.
    const used: number[] = [];
    const numbered = text.replaceAll(PLACEHOLDER, (_, value: string) => {
      if (!used.includes(Number(value))) used.push(Number(value));
      return `$${firstParameter + used.indexOf(Number(value))}`;
    });
    return { sql: `(/* ${POLICY} ${kind} */ ${numbered})`, values: used.map((value) => this.values[value]) };
  }

  /**
   * Returns a statement with its values: `database.query(...filter.statement('name', [id], (readable) => …))`.
   * @param text the SQL, with `readable(kind, row)` for each condition; their values follow the statement's own
   */
  statement(
    name: string | undefined,
    values: readonly unknown[],
    text: (readable: Readable) => string,
  ): BoundStatement {
    const all = [...values];
    const conditions = new Map<string, string>();
    const readable: Readable = (kind, row) => {
      const known = conditions.get(`${kind} ${row}`);
      if (known !== undefined) return known;
      const condition = this.for(kind, row, all.length + 1);
      all.push(...condition.values);
      conditions.set(`${kind} ${row}`, condition.sql);
      return condition.sql;
    };
    const sql = text(readable);
    return [{ name: name && this.named(name), text: sql }, all];
  }

  /** Returns the name of the prepared statement. A filtered statement needs another name, because its text differs. */
  named(name: string): string {
    return name + this.suffix;
  }
}

/** A user, or an existing filter such as `RowFilter.EVERYTHING` for the service itself. */
export type Reader = CurrentUser | RowFilter;

const POLICY = 'CUSTOM_ACCESS_POLICY:';
const PLACEHOLDER_ROW = 'checked_row';
const PLACEHOLDER = /\{value (\d+)\}/g;

/** Placeholders that are passed to a condition in place of its parameters, until these have numbers. */
const placeholders = (types: readonly string[]): string[] =>
  types.map((type, value) => `{value ${value}}::${type}`);

/**
 * Returns true if a condition uses the alias of the row for something else, such as a table of its own. Its
 * expressions about the row would then refer to that table, and hidden records would be shown.
 * @param condition SQL in which the row has another name
 */
export function mentions(condition: string, row: string): boolean {
  const text = condition.replaceAll(/'(?:[^']|'')*'/g, '').replaceAll('"', '');
  return new RegExp(String.raw`(?<!\w)${row}(?!\w)`, 'i').test(text);
}

/** A type name without quotes, with brackets for an array: `uuid`, `double precision[]`. */
const TYPE = /^[a-z][a-z0-9_ ]*(\[\])?$/i;
const TABLE = /^[a-z_][a-z0-9_]*$/i;
const KIND = /^[a-z][a-z0-9-]*$/i;

/** Aliases of filtered rows in the service's statements. A policy's condition must not use these names. */
const ROW_NAMES: readonly string[] = ['f', 'p', 'c', 'i', 'record'];

/** Creates the row filter of each user. Every read of records that a policy may hide uses it. */
@Injectable()
export class RowFilterService {
  private filterOf: (user: CurrentUser) => RowFilter | Promise<RowFilter> = () => {
    throw new Error('Row filters are not available before the application has started');
  };

  /** Returns the service for an application whose policy hides nothing. */
  static ofEverything(): RowFilterService {
    const filters = new RowFilterService();
    filters.hideNothing();
    return filters;
  }

  /** Returns the filter for this reader. Throws the errors of the policy. */
  async of(reader: Reader): Promise<RowFilter> {
    return reader instanceof RowFilter ? reader : this.filterOf(reader);
  }

  hideNothing(): void {
    this.filterOf = () => RowFilter.EVERYTHING;
  }

  /**
   * Applies the read rules of a policy.
   * @param place the module that provides the policy
   * @param ownKinds kinds of extensions with their tables
   * @throws ExtensionError for rules that cannot become part of a statement
   */
  async restrict(
    place: string,
    records: ReadableRecords,
    ownKinds: Readonly<Record<string, string>>,
    database: DatabaseService,
  ): Promise<void> {
    const tables = new Map<string, string>(Object.entries({ ...ownKinds, ...RECORD_TABLES }));
    const rules = checked(place, records, tables);
    for (const kind of rules.conditions.keys()) await tryOut(place, kind, rules, tables.get(kind)!, database);
    this.filterOf = async (user) => {
      if (typeof (user as Partial<CurrentUser> | undefined)?.id !== 'string') {
        throw new TypeError('A reader is a user or a RowFilter');
      }
      const values = await withOrigin(`CUSTOM_ACCESS_POLICY in ${place}: values() of readable()`, () =>
        records.values(user),
      );
      if (values === 'everything') return RowFilter.EVERYTHING;
      if (values === 'nothing') return RowFilter.NOTHING;
      if (!Array.isArray(values) || values.length !== rules.types.length) {
        const given = Array.isArray(values) ? `${values.length} values` : typeof values;
        throw fault(place, `values() of readable() gave ${given}, and types names ${rules.types.length}`);
      }
      return RowFilter.by(rules, values);
    };
  }
}

const fault = (place: string, what: string, options?: ErrorOptions) =>
  new ExtensionError(`CUSTOM_ACCESS_POLICY in ${place}: ${what}.`, options);

/**
 * Returns the kinds that extensions register, with their tables.
 * @throws ExtensionError if a name is invalid or a kind has two tables
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
      if (kind in RECORD_TABLES || (kinds[kind] ?? table) !== table) throw wrong(`${kind} is named already`);
      kinds[kind] = table;
    }
  }
  return kinds;
}

function checked(place: string, records: ReadableRecords, tables: ReadonlyMap<string, string>): ReadRules {
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
  return { types, conditions, kinds: new Set(tables.keys()) };
}

/** Runs the condition once at start, so that the database reports errors before any real statement uses it. */
async function tryOut(
  place: string,
  kind: string,
  rules: ReadRules,
  table: string,
  database: DatabaseService,
): Promise<void> {
  const text: unknown = rules.conditions.get(kind)!('checked', placeholders(rules.types));
  if (typeof text !== 'string' || text.trim() === '') {
    throw fault(place, `the condition of ${kind} must give a text`);
  }
  if (/\$\d/.test(text)) {
    throw fault(place, `the condition of ${kind} must name its parameters as they are given to it, not '$1'`);
  }
  const taken = ROW_NAMES.find((row) => mentions(text, row));
  if (taken !== undefined) {
    throw fault(
      place,
      `the condition of ${kind} has a table that it calls ${taken}, as some statements call the row: give it a longer name`,
    );
  }
  // The statement returns no rows, so the values do not matter.
  const nulls = rules.types.map(() => null);
  const readable = RowFilter.by(rules, nulls).for(kind, 'checked', 1);
  try {
    // The second table makes unqualified columns ambiguous, as they would be with the tables of real statements.
    await database.query(
      { text: `SELECT FROM ${table} checked, ${table} other_row WHERE ${readable.sql} LIMIT 0` },
      readable.values,
    );
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw fault(place, `the condition of ${kind} cannot be asked (${reason})`, { cause: error });
  }
}
