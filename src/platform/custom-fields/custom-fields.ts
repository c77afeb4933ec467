import type { Type } from '@nestjs/common';
import type { Text } from '../texts/text';

/** The kinds of records that can have custom fields. */
export type CustomFieldsKind = 'formula' | 'project' | 'ingredient';

/**
 * Fields of an extension on the service's records, in a table of the extension. A record has at most one row, which
 * is created by its first write and deleted with the record.
 */
export interface CustomFields<Values extends object> {
  readonly of: CustomFieldsKind;
  /**
   * Begins with `ext_`. Its primary key is `formula_id`, `project_id` or `ingredient_id`, which references the
   * record with ON DELETE CASCADE. Each field is a column: `shelfLife` is `shelf_life`.
   */
  readonly table: string;
  /** The class of the values, with a field decorator on each. */
  readonly fields: Type<Values>;
  /**
   * The message for each constraint of the table: 409 for a unique or exclusion constraint, 400 for a check or a
   * reference. Without a message, a violation is answered with a general 400.
   */
  readonly violations?: Readonly<Record<string, Text>>;
}

/** The values of a record; null if never written, or cleared. */
export type FieldValues<Values extends object> = { [Field in keyof Values]: Values[Field] | null };

/** Values to write: an absent one is left unchanged, null clears it. */
export type FieldChanges<Values extends object> = Partial<FieldValues<Values>>;

/** A record that was found by its values. */
export type FoundRecord<Values extends object> = FieldValues<Values> & { id: string; recordName: string };

/**
 * Token under which any module provides, as a value, `CustomFields` or a list of them. They are checked against the
 * database when the application starts.
 */
export const CUSTOM_FIELDS = Symbol('CUSTOM_FIELDS');
