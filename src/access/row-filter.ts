import type { CurrentUser } from '../common/current-user';
import type { ReadCondition } from './readable-records';

/** The service's own kinds of records, each with its table. */
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

/** What a policy says about reading, the same for every caller. */
export interface ReadRules {
  /** PostgreSQL's types of a caller's values. */
  readonly types: readonly string[];
  /** By kind; every caller reads the kinds without a condition. */
  readonly conditions: ReadonlyMap<string, ReadCondition>;
  readonly kinds: ReadonlySet<string>;
}

/**
 * Which rows a caller may read. A repository adds the condition to each statement that answers with records:
 *
 * ```ts
 * const readable = filter.for('formula', 'f', 2);
 * await this.database.query(
 *   { name: filter.named('formulas.owner'), text: `SELECT … FROM formulas f WHERE f.id = $1 AND ${readable.sql}` },
 *   [id, ...readable.values],
 * );
 * ```
 */
export class RowFilter {
  private constructor(
    private readonly suffix: string,
    private readonly rules: ReadRules | undefined,
    private readonly values: readonly unknown[] = [],
  ) {}

  /** Passes every row: for the service's own work, and for callers who may read everything. */
  static readonly EVERYTHING = new RowFilter('', undefined);

  /** Passes no row. */
  static readonly NOTHING = new RowFilter(':nothing', undefined);

  /** Passes the rows for which the policy's conditions hold with this caller's values. */
  static by(rules: ReadRules, values: readonly unknown[]): RowFilter {
    return new RowFilter(':readable', rules, values);
  }

  /** Whether it may hide records of this kind. Kept totals (`record_counts`) would then say too much. */
  restricts(kind: string): boolean {
    return this === RowFilter.NOTHING || this.rules?.conditions.has(kind) === true;
  }

  /**
   * The condition on one row of a statement.
   * @param kind `formula`, `project`, `color`, `ingredient`, or one of an extension's own
   * @param row what the statement calls the row
   * @param firstParameter number of the condition's first parameter: the statement's own come before it
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
    // PostgreSQL refuses parameters that a statement does not use: number only those that the condition uses.
    const used: number[] = [];
    const numbered = text.replaceAll(PLACEHOLDER, (_, value: string) => {
      if (!used.includes(Number(value))) used.push(Number(value));
      return `$${firstParameter + used.indexOf(Number(value))}`;
    });
    return { sql: `(/* ${POLICY} ${kind} */ ${numbered})`, values: used.map((value) => this.values[value]) };
  }

  /** The name to prepare a statement under: the text of a filtered statement differs from the unfiltered one. */
  named(name: string): string {
    return name + this.suffix;
  }
}

/** Who reads: a user, or a filter that is known already (`RowFilter.EVERYTHING` for the service itself). */
export type Reader = CurrentUser | RowFilter;

const POLICY = 'CUSTOM_ACCESS_POLICY:';
const PLACEHOLDER_ROW = 'checked_row';
const PLACEHOLDER = /\{value (\d+)\}/g;

/** What a condition is given in place of its parameters until they have numbers. */
export const placeholders = (types: readonly string[]): string[] =>
  types.map((type, value) => `{value ${value}}::${type}`);

/**
 * Whether a condition uses the name of the row for something of its own, such as the alias of a table. What it
 * says about the row would then be read as being about that table, and hidden records would show.
 * @param condition SQL in which the row has another name
 */
export function mentions(condition: string, row: string): boolean {
  const text = condition.replaceAll(/'(?:[^']|'')*'/g, '').replaceAll('"', '');
  return new RegExp(String.raw`(?<!\w)${row}(?!\w)`, 'i').test(text);
}
