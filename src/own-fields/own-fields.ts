import type { Type } from '@nestjs/common';
import type { Text } from '../common/texts/text';

/** What fields can be added to. */
export type FieldedKind = 'formula' | 'project' | 'ingredient';

/**
 * Fields of an extension on the service's records, in a table of the extension: one row for a record, made
 * when it is first written, deleted with the record.
 */
export interface OwnFields<Values extends object> {
  /** The kind of record they are of. */
  readonly of: FieldedKind;
  /**
   * Begins with `ext_`. Its primary key is `formula_id`, `project_id` or `ingredient_id`, which refers to the
   * record and cascades; each field is a column, `shelfLife` as `shelf_life`.
   */
  readonly table: string;
  /** The class of the values, with a field decorator on each. */
  readonly fields: Type<Values>;
  /**
   * What is answered when a value breaks a constraint of the table: 409 where it is unique or excludes
   * others, 400 where it is a check or a reference. Every one must be here but the primary key and the
   * reference to the record.
   */
  readonly violations?: Readonly<Record<string, Text>>;
}

/** The values of a record; null where one was never written, or was cleared. */
export type FieldValues<Values extends object> = { [Field in keyof Values]: Values[Field] | null };

/** Some values to be written: what is absent stays, null clears. */
export type FieldChanges<Values extends object> = Partial<FieldValues<Values>>;

/**
 * Token under which any module provides, as a value, an `OwnFields` or a list of them. They are checked
 * against the database when the application starts.
 */
export const OWN_FIELDS = Symbol('OWN_FIELDS');
