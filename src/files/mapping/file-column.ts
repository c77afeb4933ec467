import type { Type } from '@nestjs/common';
import type { Message } from '../../platform/texts/define-texts';
import { fieldsOf } from '../../platform/validation/field-metadata';

/** How columns of a file are recognised and read, in addition to their names. */
interface ColumnReading {
  /** Further names of the column, as a pattern for the result of `plainName`. */
  pattern?: RegExp;
  /**
   * Names that are probably a column of this field, as such a pattern. An unmapped column with such a name is an
   * error, so that its data is not lost.
   */
  looksLike?: RegExp;
  /**
   * The type of the cells. A date in a `name` is refused, because a spreadsheet has converted the name. All cells
   * of a `number` column decide if a comma is a decimal comma. A `price` may contain the sign of a currency, a
   * `percent` its sign; `json` is JSON text.
   */
  holds?: 'name' | 'number' | 'price' | 'percent' | 'json';
  /** What words in cells mean, by the word in small letters. */
  words?: ReadonlyMap<string, unknown>;
  /** A row whose only cell matches is a heading. It sets this field for the rows below it. */
  heading?: RegExp;
  /** The same for a cell in the column itself. */
  headingInColumn?: RegExp;
  /** A row above the header that matches sets this field for all rows that have none. */
  above?: RegExp;
  /** A column with a name like `looksLike` is of this field, if all numbers in its cells match. */
  cells?: RegExp;
  /** Sheets have it above the table too: a row that names no other columns is not the header. */
  isTitle?: boolean;
  /** The amount of a row. Texts below the last row with one are notes. A table needs a column of amounts. */
  isAmount?: boolean;
  /** Names the ingredient of a row. A table needs such a column; a fault names the first of them. */
  isName?: boolean;
  /** Names of columns of volumes, which no choice makes shares. */
  volumes?: RegExp;
}

/** A column that a file may have. */
export interface ImportColumn extends ColumnReading {
  field: string;
  /** Other names of the column; case, spaces and punctuation do not matter. */
  aliases: readonly string[];
  required?: boolean;
  /** The column only helps to read others. Of several such columns the first counts; reports list it as ignored. */
  isHint?: boolean;
}

/** The value of a cell, or its fault. */
export type CellReading = { value: unknown } | { fault: Message };

interface FileColumnOptions extends ColumnReading {
  /** Further names of the column. */
  aliases?: readonly string[];
  /** False: white space around the cell's text is preserved. */
  trim?: boolean;
  /** Reads a cell that is not blank, if the type of the field does not determine it. */
  read?: (text: string) => CellReading;
}

export interface FileColumnMetadata extends FileColumnOptions {
  readonly field: string;
}

const COLUMNS = Symbol('file columns');

/** Marks the field as a column of the resource's files: it can be imported and exported. */
export function FileColumn(options: FileColumnOptions = {}): PropertyDecorator {
  return ({ constructor }, key) => {
    const columns = [...fileColumns(constructor as Type<object>), { ...options, field: String(key) }];
    Reflect.defineMetadata(COLUMNS, columns, constructor);
  };
}

/** Returns the columns of a resource's files in the order of its fields. */
export const fileColumns = (fields: Type<object>): readonly FileColumnMetadata[] =>
  (Reflect.getMetadata(COLUMNS, fields) as readonly FileColumnMetadata[] | undefined) ?? [];

/** @param required the fields that a file must have */
export const importColumns = (fields: Type<object>, required: readonly string[]): ImportColumn[] =>
  fileColumns(fields).map(({ field, aliases = [], pattern, looksLike, holds, read }) => ({
    field,
    aliases,
    required: required.includes(field),
    ...(pattern && { pattern }),
    ...(looksLike && { looksLike }),
    ...(holds ? { holds } : !read && isNumber(fields, field) && { holds: 'number' as const }),
  }));

function isNumber(fields: Type<object>, field: string): boolean {
  const kind = fieldsOf(fields).find(({ name }) => name === field)?.kind?.type;
  return kind === 'number' || kind === 'integer';
}
