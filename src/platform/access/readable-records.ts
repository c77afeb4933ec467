import type { CurrentUser } from '../common/current-user';

/**
 * Returns SQL that decides if a row may be read. The service calls it when the application starts and for
 * statements, never with a value: the text must be the same for all users.
 * @param row the table, or its alias in a statement
 * @param parameters SQL placeholders for the values, in the order of their types
 */
export type ReadCondition = (row: string, parameters: readonly string[]) => string;

/** Rows that a user may read: all, none, or those for which the conditions hold with these values. */
export type ReadValues = readonly unknown[] | 'everything' | 'nothing';

/** Read rules of an access policy. */
export interface ReadableRecords {
  /** PostgreSQL types of the values, in order, such as `uuid` or `text[]`. */
  readonly types: readonly string[];
  /**
   * Returns the values for a user, one for each type. Called once by each operation of a service. An error ends the
   * operation.
   */
  values(user: CurrentUser): ReadValues | Promise<ReadValues>;
  /** Conditions by kind of record. Everyone may read kinds without a condition. */
  readonly conditions: Readonly<Record<string, ReadCondition>>;
}
