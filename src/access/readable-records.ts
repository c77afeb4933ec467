import type { CurrentUser } from '../common/current-user';

/**
 * SQL: whether a row may be read. The service takes its text once, when the application starts, and never with a
 * value: the text is the same for all callers.
 * @param row the table, or its alias in a statement
 * @param parameters SQL that stands for the values, in the order of their types
 */
export type ReadCondition = (row: string, parameters: readonly string[]) => string;

/** What a caller may read: all of it, nothing at all, or what the conditions say with these values. */
export type ReadValues = readonly unknown[] | 'everything' | 'nothing';

/** Which records may be read, as an access policy says it. */
export interface ReadableRecords {
  /** PostgreSQL's types of the values, in order, such as `uuid` or `text[]`. */
  readonly types: readonly string[];
  /**
   * The values for a caller, one for each type. Called once by each operation of a service; what it throws
   * ends that.
   */
  values(user: CurrentUser): ReadValues | Promise<ReadValues>;
  /** By kind of record; kinds without a condition are read by everyone. */
  readonly conditions: Readonly<Record<string, ReadCondition>>;
}
